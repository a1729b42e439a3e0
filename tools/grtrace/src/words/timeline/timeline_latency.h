// SPDX-License-Identifier: GPL-2.0
//
// TimelineLatency: the durations of ioctls, of GPU jobs, and of both together
// from end to end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "read/capture/capture.h"
#include "words/calls/call_kinds.h"
#include "words/data/histogram.h"
#include "words/data/spans.h"
#include "words/terminal/octave_histogram.h"
#include "words/terminal/terminal.h"
#include "words/timeline/timeline_view.h"

namespace grtrace {

// Prints a table with a line for each kind of ioctl and for each distance between two times
// of jobs, and a histogram of each distance. Memory grows only with kinds of ioctls, some 15 KiB each.
class TimelineLatency : public TimelineView {
public:
	// always: print the table even if the capture has no ioctl. All arguments must outlive the
	// view.
	TimelineLatency(bool always, const Terminal &terminal, const Capture &capture,
			const CallKinds &kinds)
		: always_(always), terminal_(terminal), capture_(capture), kinds_(kinds)
	{
	}

	void called(const Call &call, std::span<const JobKey> jobs) override;
	void submitted(const Job &job, const Call *call, uint64_t waiter_ts) override;
	void lost(uint64_t from, uint64_t to) override { losses_.add(from, to); }
	void print(fmt::memory_buffer &out) override;

private:
	// The two times between which durations are measured, and the result.
	struct Line {
		Histogram times;
		uint64_t failed = 0;
		uint64_t first_ts = UINT64_MAX;
		uint64_t last_ts = 0;

		void add(uint64_t from, uint64_t to, bool failure, uint32_t weight);
	};
	struct Way {
		const char *name;
		const char *title; // title of the histogram, nullptr if it has none
		Line line;
		OctaveHistogram octaves;

		void add(uint64_t from, uint64_t to, bool failure, uint32_t weight);
	};
	enum { whole_gpu, run, to_complete, to_waiter, nr_ways };

	bool is_touched(const Line &line) const;
	std::vector<uint32_t> kinds_by_time() const;
	size_t name_columns() const;
	void print_line(fmt::memory_buffer &out, const std::string &name, const Line &line) const;
	void print_table(fmt::memory_buffer &out) const;
	void print_histograms(fmt::memory_buffer &out) const;
	void print_remarks(fmt::memory_buffer &out) const;

	bool always_;
	const Terminal &terminal_;
	const Capture &capture_;
	const CallKinds &kinds_;
	std::vector<Line> calls_; // by kind
	Way all_calls_ = {"all", "ioctl, from entry to return", {}, {}};
	Way ways_[nr_ways] = {
		{"SUBMIT to COMPLETE", "GPU, SUBMIT to COMPLETE", {}, {}},
		{"run to COMPLETE", nullptr, {}, {}},
		{"entry to COMPLETE", "end to end, from the ioctl's entry to COMPLETE", {}, {}},
		{"entry to waiter back",
		 "end to end, from the ioctl's entry until the waiter is back",
		 {},
		 {}},
	};
	uint64_t jobs_ = 0;
	uint64_t without_call_ = 0;
	LossSpans losses_;
};

} // namespace grtrace
