// SPDX-License-Identifier: GPL-2.0
#include "words/parse/job_counting.h"

#include <algorithm>

#include "lib/text/print_to.h"
#include "read/capture/losses.h"

namespace grtrace {

void JobCounting::add(Capture &capture)
{
	captures_.push_back(std::make_unique<OfCapture>(capture, style_.shown, steps_));
}

void JobCounting::OfCapture::job(const Job &job)
{
	(job.over() ? completed : job.cut ? cut : incomplete) += job.weight;
	if (shows_programs)
		programs.add(job, capture.session());
}

void JobCounting::OfCapture::show(const Event &event)
{
	if (!event.is_event())
		return;
	first_ts = std::min(first_ts, event.ts);
	last_ts = std::max(last_ts, event.ts);
	if (shows_programs)
		programs.add(event, capture.session());
}

void JobCounting::OfCapture::print_totals(fmt::memory_buffer &out) const
{
	double seconds = first_ts < last_ts ? static_cast<double>(last_ts - first_ts) / 1e9 : 0.0;

	if (seconds > 0)
		print_to(out, "\nThroughput: {:.1f} jobs/s\n",
			 static_cast<double>(completed) / seconds);
	else
		print_to(out, "\nThroughput: - jobs/s\n");
	print_to(out, "Jobs ({}): {} completed, {} incomplete", capture.name(),
		 thousands(completed), thousands(incomplete));
	if (cut)
		print_to(out, ", {} cut by a change of sampling", thousands(cut));
	out.push_back('\n');
}

void JobCounting::lose(uint32_t capture, const std::vector<Gap> &gaps)
{
	OfCapture &of = *captures_[capture];

	of.tracker.lose(gaps);
	if (of.of_all)
		of.of_all->lose(gaps);
}

void JobCounting::feed(const Event &event, bool counts)
{
	OfCapture &of = *captures_[event.capture];

	of.steps.expect(event);
	if (of.of_all)
		of.of_all->feed(event);
	if (counts)
		of.tracker.feed(event);
}

void JobCounting::show(const Event &event)
{
	captures_[event.capture]->show(event);
}

uint64_t JobCounting::elapsed(uint32_t capture) const
{
	return captures_[capture]->steps.elapsed();
}

JobTexts JobCounting::texts(uint32_t capture)
{
	OfCapture &of = *captures_[capture];
	fmt::memory_buffer programs, totals;

	of.tracker.finish();
	if (of.shows_programs)
		of.programs.print(programs, style_);
	of.print_totals(totals);
	return {fmt::to_string(programs), fmt::to_string(totals)};
}

} // namespace grtrace
