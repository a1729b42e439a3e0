// SPDX-License-Identifier: GPL-2.0
#include "words/parse/job_counting.h"

namespace grtrace {

void JobCounting::add(Capture &capture)
{
	captures_.push_back(std::make_unique<OfCapture>(capture.session(), style_.shown, track_));
}

void JobCounting::OfCapture::job(const Job &job)
{
	uint64_t &count = job.over() ? totals.completed : job.cut ? totals.cut : totals.incomplete;

	count += job.weight;
	if (shows_programs)
		programs.add(job, session);
}

void JobCounting::lose(uint32_t capture, const std::vector<Gap> &gaps)
{
	captures_[capture]->tracker.lose(gaps);
}

void JobCounting::feed(const Event &event)
{
	OfCapture &of = *captures_[event.capture];

	of.steps.expect(event);
	of.tracker.feed(event);
}

void JobCounting::show(const Event &event)
{
	OfCapture &of = *captures_[event.capture];

	if (of.shows_programs && event.is_event())
		of.programs.add(event, of.session);
}

uint64_t JobCounting::elapsed(uint32_t capture) const
{
	return captures_[capture]->steps.elapsed();
}

JobTotals JobCounting::totals(uint32_t capture)
{
	OfCapture &of = *captures_[capture];

	of.tracker.finish();
	if (of.shows_programs) {
		fmt::memory_buffer out;

		of.programs.print(out, style_);
		of.totals.programs = fmt::to_string(out);
	}
	return of.totals;
}

} // namespace grtrace
