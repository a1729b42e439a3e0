// SPDX-License-Identifier: GPL-2.0
//
// Counting: computes the summary and the times of -t.
#pragma once

#include <memory>
#include <vector>

#include "grparse/step_times.h"
#include "grparse/summary.h"
#include "read/jobs/job_tracker.h"

namespace grtrace {

// The summaries and the jobs of all captures. If neither is wanted, it ignores the events.
class Counting {
public:
	// The captures must outlive it. track enables elapsed().
	void open(CaptureSet &captures, bool track)
	{
		for (size_t i = 0; i < captures.size(); i++)
			captures_.push_back(
				std::make_unique<OfCapture>(captures.capture(i), track));
	}

	// Adds records found missing before the next event.
	void lose(uint32_t capture, const std::vector<Gap> &gaps)
	{
		if (!captures_.empty())
			captures_[capture]->tracker.lose(gaps);
	}

	// The job tracker needs every event, the summary only those that are shown.
	void feed(const Event &event)
	{
		if (captures_.empty())
			return;
		OfCapture &of = *captures_[event.capture];

		of.steps.expect(event);
		of.tracker.feed(event);
	}
	void show(const Event &event)
	{
		if (!captures_.empty())
			captures_[event.capture]->summary.add(event);
	}

	// Returns the time from the previous step to the last event fed; see StepTimes.
	uint64_t elapsed(uint32_t capture) const
	{
		return captures_.empty() ? Job::none : captures_[capture]->steps.elapsed();
	}

	// Prints the tables when everything was read.
	void print(fmt::memory_buffer &out, const ProgramStyle &programs)
	{
		for (const std::unique_ptr<OfCapture> &of : captures_) {
			of->tracker.finish();
			of->summary.print(out, programs);
		}
	}

private:
	struct OfCapture {
		OfCapture(Capture &capture, bool track)
			: summary(capture), tracker(summary, track ? &steps : nullptr)
		{
		}

		Summary summary;
		StepTimes steps;
		JobTracker tracker;
	};

	std::vector<std::unique_ptr<OfCapture>> captures_;
};

} // namespace grtrace
