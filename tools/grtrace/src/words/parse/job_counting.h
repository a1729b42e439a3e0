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

struct StepsWanted {
	bool shown = false; // enables elapsed()
	bool apart = false; // not all events count, so times need a tracker of their own
};

class JobCounting : public Counting {
public:
	JobCounting(const ProgramStyle &style, const StepsWanted &steps)
		: style_(style), steps_(steps)
	{
	}
	// The capture must outlive it.
	void add(Capture &capture);

	void lose(uint32_t capture, const std::vector<Gap> &gaps) override;
	void feed(const Event &event, bool counts) override;
	void show(const Event &event) override;
	uint64_t elapsed(uint32_t capture) const override;
	JobTexts texts(uint32_t capture) override;

private:
	struct Nobody : JobSink {
		void job(const Job &) override {}
	};
	struct OfCapture : JobSink {
		OfCapture(Capture &capture, bool shows_programs, const StepsWanted &wanted)
			: capture(capture), shows_programs(shows_programs),
			  tracker(*this, wanted.shown && !wanted.apart ? &steps : nullptr)
		{
			if (wanted.shown && wanted.apart)
				of_all = std::make_unique<JobTracker>(nobody, &steps);
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
		Nobody nobody;
		std::unique_ptr<JobTracker> of_all; // of events that do not count, too
	};

	const ProgramStyle style_;
	const StepsWanted steps_;
	std::vector<std::unique_ptr<OfCapture>> captures_;
};

} // namespace grtrace
