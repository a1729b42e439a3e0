// SPDX-License-Identifier: GPL-2.0
//
// JobCounting: the jobs of all captures, for grparse's summary and for -t.
#pragma once

#include <memory>
#include <vector>

#include "grparse/counting.h"
#include "read/capture/capture.h"
#include "words/parse/program_table.h"
#include "words/parse/step_times.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

class JobCounting : public Counting {
public:
	// track enables elapsed().
	JobCounting(const ProgramStyle &style, bool track) : style_(style), track_(track) {}
	// The capture must outlive it.
	void add(Capture &capture);

	void lose(uint32_t capture, const std::vector<Gap> &gaps) override;
	void feed(const Event &event) override;
	void show(const Event &event) override;
	uint64_t elapsed(uint32_t capture) const override;
	JobTexts texts(uint32_t capture) override;

private:
	struct OfCapture : JobSink {
		OfCapture(Capture &capture, bool shows_programs, bool track)
			: capture(capture), shows_programs(shows_programs),
			  tracker(*this, track ? &steps : nullptr)
		{
		}
		void job(const Job &job) override;
		void show(const Event &event);
		void print_totals(fmt::memory_buffer &out) const;

		Capture &capture;
		const bool shows_programs;
		uint64_t completed = 0;
		uint64_t incomplete = 0;
		uint64_t cut = 0; // by a change of sampling
		uint64_t first_ts = UINT64_MAX; // of the shown events
		uint64_t last_ts = 0;
		ProgramTable programs;
		StepTimes steps;
		JobTracker tracker;
	};

	const ProgramStyle style_;
	const bool track_;
	std::vector<std::unique_ptr<OfCapture>> captures_;
};

} // namespace grtrace
