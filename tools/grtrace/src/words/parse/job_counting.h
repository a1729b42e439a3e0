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
	JobTotals totals(uint32_t capture) override;

private:
	struct OfCapture : JobSink {
		OfCapture(Session &session, bool shows_programs, bool track)
			: session(session), shows_programs(shows_programs),
			  tracker(*this, track ? &steps : nullptr)
		{
		}
		void job(const Job &job) override;

		Session &session;
		const bool shows_programs;
		JobTotals totals;
		ProgramTable programs;
		StepTimes steps;
		JobTracker tracker;
	};

	const ProgramStyle style_;
	const bool track_;
	std::vector<std::unique_ptr<OfCapture>> captures_;
};

} // namespace grtrace
