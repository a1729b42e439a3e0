// SPDX-License-Identifier: GPL-2.0
#include "words/verify/verify_jobs.h"

#include <algorithm>

namespace grtrace {

static bool is_there(const RecordPlace &place)
{
	return place.type != 0;
}

VerifyJobs::Job *VerifyJobs::find(const Event &event)
{
	const FenceIndex::Entry *entry = index_.find(event.ctx, event.seqno, [&](uint32_t job) {
		return event.ring == GRTRACE_RING_NONE || jobs_[job].ring == event.ring;
	});

	return entry ? &jobs_[entry->job()] : nullptr;
}

VerifyJobs::Job *VerifyJobs::find_any(uint64_t ctx, uint32_t seqno)
{
	const FenceIndex::Entry *entry = index_.find(ctx, seqno);

	return entry ? &jobs_[entry->job()] : nullptr;
}

bool VerifyJobs::is_driver(const Event &event, const char *driver) const
{
	return capture_.session().rings.find(event.ring).driver == driver;
}

void VerifyJobs::check_time(const RecordPlace &a, const Event &b, const char *what)
{
	if (is_there(a) && b.ts + clock_slack_ns < a.ts)
		findings_.add(
			FaultKind::job_clock, RecordPlace(b),
			fmt::format(
				"its time is {} ns before that of the job's {}, which came first",
				a.ts - b.ts, what));
}

// Decides whether a job without a SUBMIT is a fault.
void VerifyJobs::judge_submit(const Job &job)
{
	if (is_there(job.submit) || !is_there(job.first))
		return;
	if (!job.proven)
		findings_.add(FaultKind::no_submit, Severity::note, job.first,
			      "it may have been submitted before the capture began, or SUBMIT is "
			      "not recorded");
	else if (capture_.session().features & GRTRACE_FEATURE_WATCHLIST)
		findings_.add(FaultKind::no_submit, Severity::note, job.first,
			      "it has no SUBMIT, but a watchlist was on");
	else
		findings_.suspect(
			FaultKind::no_submit, job.first,
			"it has no SUBMIT, though one of an earlier seqno of its context is there",
			job.since, job.first.ts);
}

void VerifyJobs::forget(Job &job)
{
	const uint32_t slot = static_cast<uint32_t>(&job - jobs_.data());

	judge_submit(job);
	index_.erase(job.ctx, job.seqno, slot);
}

VerifyJobs::Job &VerifyJobs::create(const Event &event)
{
	const uint32_t slot = static_cast<uint32_t>(serial_++ % most_jobs);

	if (slot == jobs_.size())
		jobs_.emplace_back();
	else
		forget(jobs_[slot]);

	Job &job = jobs_[slot];
	job = {};
	job.serial = serial_;
	job.ctx = event.ctx;
	job.seqno = event.seqno;
	job.ring = event.ring;
	index_.insert(event.ctx, event.seqno, slot);
	return job;
}

VerifyJobs::Job &VerifyJobs::get(const Event &event)
{
	if (Job *known = find(event))
		return *known;

	Job &job = create(event);

	job.first = RecordPlace(event);
	job.proven = contexts_.proves_submit(event, job.since);
	return job;
}

void VerifyJobs::submit(const Event &event)
{
	const Job *newest = find_any(event.ctx, contexts_.newest(event.ctx));
	Job *old = find(event);
	const bool in_flight = old && is_there(old->submit) && !old->over;

	contexts_.submit(event, in_flight ? &old->submit : nullptr, !newest || newest->over);
	// Earlier steps of this job, or another job with the same key.
	if (old && (is_there(old->submit) || old->over)) {
		forget(*old);
		old->first = {}; // it is judged
		old = nullptr;
	}
	if (old && is_before(old->first, event))
		findings_.add(
			FaultKind::early_step, old->first,
			fmt::format("the job is submitted only later, with gseq {}", event.gseq));

	Job &job = old ? *old : create(event);
	job.submit = RecordPlace(event);
}

void VerifyJobs::depend(const Event &event)
{
	Job &job = get(event);

	// A job always waits for the earlier jobs of its context.
	if (event.has_fence && event.fence_ctx != event.ctx &&
	    job.nr_dependencies < most_dependencies)
		job.dependencies[job.nr_dependencies++] = {event.fence_ctx, event.fence_seqno};
}

// The dependency must be complete, or be on the same ring and picked.
void VerifyJobs::find_hasty(const Event &event, const Job &job)
{
	for (uint32_t i = 0; i < job.nr_dependencies; i++) {
		const Dependency &fence = job.dependencies[i];
		const Job *on = find_any(fence.ctx, fence.seqno);

		if (!on || on->over || !is_there(on->submit) ||
		    (on->ring == job.ring && is_there(on->pick)))
			continue;
		if (hasty_.size() < most_hasty)
			hasty_.push_back({RecordPlace(event), on->serial, fence.ctx, fence.seqno});
	}
}

void VerifyJobs::release_hasty(const Event &event, const Job &job)
{
	std::erase_if(hasty_, [&](const Hasty &hasty) {
		if (hasty.on != job.serial)
			return false;
		if (hasty.pick.ts + signal_slack_ns < event.ts)
			findings_.suspect(FaultKind::dependency, hasty.pick,
					  fmt::format("the job depends on {}, which was complete "
						      "only {} ns later",
						      key_text(hasty.ctx, hasty.seqno),
						      event.ts - hasty.pick.ts),
					  hasty.pick.ts, event.ts);
		return true;
	});
}

void VerifyJobs::pick(const Event &event)
{
	Job &job = get(event);

	check_time(job.submit, event, "SUBMIT");
	job.pick = RecordPlace(event);
	find_hasty(event, job);
}

void VerifyJobs::commit(const Event &event)
{
	Job *known = find(event);

	// The host may have finished this command long ago.
	if (!known && is_driver(event, "virtio_gpu"))
		return;

	Job &job = known ? *known : get(event);
	check_time(job.submit, event, "SUBMIT");
	check_time(job.pick, event, "PICK");
	if (is_there(job.end) && !is_there(job.commit) && !is_driver(event, "virtio_gpu") &&
	    is_before(job.end, event))
		findings_.add(
			FaultKind::end_early, job.end,
			fmt::format("the job is handed to the hardware only later, with gseq {}",
				    event.gseq));
	job.commit = RecordPlace(event);
}

void VerifyJobs::start(const Event &event)
{
	Job &job = get(event);
	const RecordPlace &over = is_there(job.end) ? job.end : job.complete;

	check_time(job.submit, event, "SUBMIT");
	if (is_there(over) && is_before(over, event))
		findings_.suspect(FaultKind::start_late, RecordPlace(event),
				  fmt::format("the job was over with gseq {}", over.gseq), over.ts,
				  event.ts, is_driver(event, "i915"));
}

void VerifyJobs::end(const Event &event)
{
	Job &job = get(event);
	const uint32_t nr_errors = errors_[event.ring];

	check_time(job.submit, event, "SUBMIT");
	check_time(job.pick, event, "PICK");
	if (is_there(job.end)) {
		findings_.suspect(FaultKind::end_twice, RecordPlace(event),
				  fmt::format("the job ended with gseq {} already", job.end.gseq),
				  job.end.ts, event.ts,
				  is_driver(event, "i915") || job.errors != nr_errors);
		return;
	}
	job.end = RecordPlace(event);
	job.errors = nr_errors;
	// A command without a fence has no further record.
	job.over |= is_driver(event, "virtio_gpu");
}

void VerifyJobs::complete(const Event &event)
{
	Job &job = get(event);

	check_time(job.submit, event, "SUBMIT");
	check_time(job.pick, event, "PICK");
	check_time(job.end, event, "END");
	if (is_there(job.complete)) {
		findings_.suspect(FaultKind::complete_twice, RecordPlace(event),
				  fmt::format("the job was complete with gseq {} already: a fence "
					      "is signalled once",
					      job.complete.gseq),
				  job.complete.ts, event.ts);
		return;
	}
	contexts_.complete(event);
	release_hasty(event, job);
	job.complete = RecordPlace(event);
	job.over = true;
}

// The fence is the only record of a user queue's work.
void VerifyJobs::fence(const Event &event)
{
	if (Job *job = find_any(event.ctx, event.seqno)) {
		release_hasty(event, *job);
		job->over = true;
	}
}

void VerifyJobs::feed(const Event &event)
{
	switch (event.type) {
	case GRTRACE_SUBMIT:
		return submit(event);
	case GRTRACE_DEP:
		return depend(event);
	case GRTRACE_PICK:
		return pick(event);
	case GRTRACE_COMMIT:
		return commit(event);
	case GRTRACE_START:
		return start(event);
	case GRTRACE_END:
		return end(event);
	case GRTRACE_COMPLETE:
		return complete(event);
	case GRTRACE_ERROR:
		errors_[event.ring]++;
		break;
	case GRTRACE_FENCE:
		return fence(event);
	}
}

void VerifyJobs::finish()
{
	for (const Job &job : jobs_)
		judge_submit(job);
}

} // namespace grtrace
