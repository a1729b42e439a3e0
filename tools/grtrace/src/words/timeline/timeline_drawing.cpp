// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_drawing.h"

#include <algorithm>

namespace grtrace {

void TimelineDrawing::lose(const std::vector<Gap> &gaps)
{
	tracker_.lose(gaps);
	covered_.add(gaps);
}

void TimelineDrawing::feed(const Event &event)
{
	covered_.add(event);
	// Tables may be repeated at the end.
	if (event.is_event())
		last_ts_ = std::max(last_ts_, event.ts);
	for (auto &view : views_)
		view->event(event);
	tracker_.feed(event);
	calls_.event(event);
}

void TimelineDrawing::finish(uint64_t ts)
{
	last_ts_ = std::max(last_ts_, ts);
	for (auto &view : views_)
		view->end(last_ts_);
	tracker_.finish(last_ts_);
	calls_.finish();
}

void TimelineDrawing::print(fmt::memory_buffer &out)
{
	for (auto &view : views_)
		view->print(out);
}

void TimelineDrawing::job(const Job &job)
{
	for (auto &view : views_)
		view->job(job);
	calls_.job(job);
}

void TimelineDrawing::waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to)
{
	JobWatchers::waited(job, pid, from, to);
	calls_.waited(job, to);
}

void TimelineDrawing::lost(uint64_t from, uint64_t to)
{
	JobWatchers::lost(from, to);
	calls_.lost();
}

void TimelineDrawing::called(const Call &call, std::span<const JobKey> jobs)
{
	for (auto &view : views_)
		view->called(call, jobs);
}

void TimelineDrawing::wait_over(const Wait &wait)
{
	for (auto &view : views_)
		view->wait_over(wait);
}

void TimelineDrawing::submitted(const Job &job, const Call *call, uint64_t waiter_ts)
{
	for (auto &view : views_)
		view->submitted(job, call, waiter_ts);
}

} // namespace grtrace
