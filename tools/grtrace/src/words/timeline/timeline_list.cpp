// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_list.h"

#include <algorithm>

#include "read/jobs/duration.h"
#include "read/capture/losses.h"
#include "read/stream/note_text.h"
#include "lib/text/utf8_text.h"
#include "format/vocabulary.h"

namespace grtrace {

bool TimelineList::earlier(const Row &a, const Row &b)
{
	return a.ts != b.ts ? a.ts < b.ts : a.number < b.number;
}

bool TimelineList::in_interval(uint64_t from, uint64_t to) const
{
	const Session &session = capture_.session();

	return to >= choice_.from(session) && from <= choice_.to(session);
}

bool TimelineList::wants(uint64_t ts)
{
	total_++;
	return rows_.size() < limit_ || ts < rows_.front().ts;
}

void TimelineList::keep(uint64_t ts, uint64_t took, uint32_t pid,
			std::string text, Colour colour)
{
	const Task *task =
		pid == nobody ? nullptr : capture_.session().tasks.find(pid);

	if (rows_.size() == limit_) {
		std::pop_heap(rows_.begin(), rows_.end(), earlier);
		rows_.pop_back();
	}
	rows_.push_back({ts, took, total_, pid,
			 task ? printable(task->name()) : "?", std::move(text),
			 colour});
	std::push_heap(rows_.begin(), rows_.end(), earlier);
}

// Since the session's start; what is said to be before it has a minus.
std::string TimelineList::seconds(uint64_t ts) const
{
	const uint64_t start = capture_.session().start_ts;
	const uint64_t ns = ts < start ? start - ts : ts - start;

	return fmt::format("{}{}.{:09}", ts < start ? "-" : "", ns / 1000000000,
			   ns % 1000000000);
}

std::string TimelineList::job_name(const JobKey &key) const
{
	return fmt::format("{}:{} {}", key.ctx, key.seqno,
			   printable(ring_name(capture_.session(), key.ring)));
}

void TimelineList::called(const Call &call, std::span<const JobKey> jobs)
{
	constexpr size_t named = 3; // of its jobs

	if (!wants(call.enter))
		return;
	std::string text = fmt::format("ioctl {} = {}", kinds_.name(call.kind),
				       call.result);
	if (call.handles != GRTRACE_HANDLES_UNKNOWN)
		text += fmt::format(", {} handle{}", call.handles,
				    call.handles == 1 ? "" : "s");
	for (size_t i = 0; i < std::min(jobs.size(), named); i++)
		text += fmt::format("{} {}", i ? "," : ", submitted",
				    job_name(jobs[i]));
	if (jobs.size() > named)
		text += fmt::format(" and {} more", jobs.size() - named);
	keep(call.enter, call.duration(), call.pid, std::move(text),
	     call.failed() ? Colour::red : Colour::plain);
}

void TimelineList::wait_over(const Wait &wait)
{
	if (!wants(wait.from))
		return;
	std::string text =
		wait.of_job ?
			fmt::format("wait for job {}", job_name(wait.fence)) :
			fmt::format("wait for fence {}:{}", wait.fence.ctx,
				    wait.fence.seqno);
	if (wait.to == Job::none)
		text += ", no end of it seen";
	keep(wait.from, Job::between(wait.from, wait.to), wait.pid,
	     std::move(text), Colour::yellow);
}

// What of it took how long, as far as that is known.
static std::string steps_of(const Job &job, const Call *call,
			    uint64_t waiter_ts)
{
	const uint64_t entry = call ? call->enter : Job::none;
	const struct {
		const char *what;
		uint64_t ns;
	} steps[] = {
		{"queued", job.queue()},
		{"ran", job.exec()},
		{"END to COMPLETE", job.completion()},
		{"from entry to COMPLETE",
		 Job::between(entry, job.complete_ts)},
		{"until the waiter is back", Job::between(entry, waiter_ts)},
	};
	std::string text;

	for (const auto &step : steps)
		if (step.ns != Job::none)
			text += fmt::format(", {} {}", step.what,
					    trimmed_duration(step.ns));
	return text;
}

void TimelineList::submitted(const Job &job, const Call *call,
			     uint64_t waiter_ts)
{
	uint64_t first = Job::none;

	for (uint64_t ts :
	     {job.submit_ts, job.blocked_ts, job.pick_ts, job.commit_ts,
	      job.start_ts, job.end_ts, job.complete_ts})
		first = std::min(first, ts);
	if (!wants(first))
		return;
	std::string text = fmt::format(
		"job {}", job_name({job.ctx, job.seqno_low(), job.ring}));
	if (call)
		text += fmt::format(", in {}", kinds_.name(call->kind));
	text += steps_of(job, call, waiter_ts);
	if (job.failed)
		text += fmt::format(", failed {}", job.error);
	if (!job.over())
		text += job.touched ? ", records of it were lost" :
				      ", no end of it seen";
	keep(first, job.total(), job.submit_ts == Job::none ? nobody : job.pid,
	     std::move(text), job.failed ? Colour::red : Colour::green);
}

void TimelineList::error(const Event &event)
{
	if (!choice_.jobs.wants(event, capture_.session()) || !wants(event.ts))
		return;
	std::string text = fmt::format("error {} {}",
				       error_kind_name(event.kind), event.code);

	if (event.ctx || event.seqno)
		text += fmt::format(" of {}", job_name({event.ctx, event.seqno,
							event.ring}));
	else if (event.ring != GRTRACE_RING_NONE)
		text += fmt::format(
			" on {}",
			printable(ring_name(capture_.session(), event.ring)));
	keep(event.ts, Job::none, nobody, std::move(text), Colour::bright_red);
}

void TimelineList::event(const Event &event)
{
	Session &session = capture_.session();
	const bool is_loss = event.type == GRTRACE_LOST;
	const uint64_t from = is_loss ? lost_of(event).first_ts : event.ts;
	const uint64_t to =
		is_loss ? std::max(from, lost_of(event).last_ts) : event.ts;

	if (!in_interval(from, to))
		return;
	switch (event.type) {
	case GRTRACE_ERROR:
		error(event);
		break;
	case GRTRACE_MESSAGE:
	case GRTRACE_SAMPLE:
		if (wants(from))
			keep(from, Job::none, nobody,
			     fmt::format("note {}", note_text(event, session)),
			     Colour::cyan);
		break;
	case GRTRACE_LOST:
		if (wants(from))
			keep(from, to - from, nobody,
			     fmt::format("lost {} records of CPU {}",
					 lost_of(event).records(), event.cpu),
			     Colour::red);
		break;
	}
}

void TimelineList::missing(const Gap &gap)
{
	if (in_interval(gap.from_ts, gap.to_ts) && wants(gap.from_ts))
		keep(gap.from_ts, Job::between(gap.from_ts, gap.to_ts), nobody,
		     fmt::format("lost {} records of {}, missing in the "
				 "capture",
				 gap.records, cpu_text(gap.cpu)),
		     Colour::red);
}

void TimelineList::put_row(Paint &paint, const Row &row) const
{
	paint.put(fmt::format(
		"{:>14} {} {:>8} {} ", seconds(row.ts), duration_text(row.took),
		row.pid == nobody ? "NA" : fmt::to_string(row.pid),
		fit(row.pid == nobody ? "NA" : row.comm, GRTRACE_COMM_LEN)));
	paint.put(row.text, row.colour);
	paint.end_line();
}

// Lines are not cut: who reads them with a program needs their ends.
void TimelineList::print(fmt::memory_buffer &out)
{
	Paint paint(out, terminal_.colour);

	std::sort(rows_.begin(), rows_.end(), earlier);
	paint.put(fmt::format("{}: {} of {} ioctls, waits, jobs and events",
			      capture_.name(), thousands(rows_.size()),
			      thousands(total_)));
	paint.end_line();
	put_sampling(paint, capture_, terminal_.width);
	paint.put(fmt::format("{:>14} {:>11} {:>8} {} {}", "s SINCE START",
			      "TOOK", "PID", fit("COMM", GRTRACE_COMM_LEN),
			      "WHAT"));
	paint.end_line();
	for (const Row &row : rows_)
		put_row(paint, row);
}

} // namespace grtrace
