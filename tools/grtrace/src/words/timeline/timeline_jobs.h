// SPDX-License-Identifier: GPL-2.0
//
// TimelineJobs: draws a row for each job, with its states over time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "read/capture/capture.h"
#include "words/terminal/paint.h"
#include "words/terminal/terminal.h"
#include "words/timeline/timeline_axis.h"
#include "words/timeline/timeline_view.h"

namespace grtrace {

// Among the jobs that are partly or completely in the interval, keeps the N jobs whose
// first records came first.
class TimelineJobs : public TimelineView {
public:
	// All arguments must outlive the view.
	TimelineJobs(size_t limit, const Terminal &terminal, TimelineChoice &choice, uint32_t index,
		     Capture &capture)
		: limit_(limit), terminal_(terminal), choice_(choice), index_(index),
		  capture_(capture)
	{
	}

	void end(uint64_t ts) override { end_ = ts; }
	void job(const Job &job) override;
	void print(fmt::memory_buffer &out) override;

	// The state of a job between two moments, as a sign.
	struct Stretch {
		uint64_t from;
		uint64_t to;
		char sign;
	};
	// end: the end of the capture; a job that is still in flight lasts
	// until then.
	static std::vector<Stretch> stretches_of(const Job &job, uint64_t end);

private:
	struct Row {
		Job job;
		uint64_t first_ts;
		std::string comm;
	};
	// Widths of the names, in columns.
	struct Widths {
		size_t key = 9; // CTX:SEQNO
		size_t comm = 4;
		size_t ring = 4;

		// Returns the sum, with separators and the total.
		size_t all() const { return key + comm + ring + 16; }
	};

	static bool earlier(const Row &a, const Row &b);
	TimelineAxis axis_of(size_t columns) const;
	Widths widths() const;
	void print_row(Paint &paint, const Row &row, const Widths &widths,
		       const TimelineAxis &axis) const;
	std::string bar_of(const Job &job, const TimelineAxis &axis) const;
	void print_key(Paint &paint) const;

	size_t limit_;
	const Terminal &terminal_;
	TimelineChoice &choice_;
	uint32_t index_; // of the capture
	Capture &capture_;
	uint64_t end_ = Job::none; // none: the capture has not ended
	uint64_t total_ = 0; // jobs in the interval
	std::vector<Row> rows_; // a heap, the latest in front
};

} // namespace grtrace
