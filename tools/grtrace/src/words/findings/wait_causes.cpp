// SPDX-License-Identifier: GPL-2.0
#include "words/findings/wait_causes.h"

#include <algorithm>

namespace grtrace {

WaitRing &WaitCauses::ring_of(uint32_t id)
{
	std::unique_ptr<WaitRing> &ring = rings_[id];

	if (!ring) {
		ring = std::make_unique<WaitRing>();
		ring->is_virtual = capture_.session().rings.find(id).driver.starts_with("virtio");
	}
	return *ring;
}

void WaitCauses::blocked(const Job &job, uint64_t from, uint64_t to)
{
	fences_matter_ = tells_fences_ = true;

	WaitRing &ring = ring_of(job.ring);

	ring.fences.add(job, {from, to, job.blocker_ctx, job.blocker_seqno,
			      processes_.find(job.blocker_pid, capture_.session().tasks)});
}

void WaitCauses::depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *)
{
	fences_matter_ = tells_fences_ = true;
	if (job.slot >= needs_.size())
		needs_.resize(job.slot + 1);
	if (needs_[job.slot].size() < needs_max)
		needs_[job.slot].push_back({ctx, seqno});
}

// A dependency on the same ring only has to be picked first. A job that is unknown now may
// be known when this one is over.
void WaitCauses::note_needs(const Job &job)
{
	const uint64_t most = job.pick_ts != Job::none ? job.pick_ts : job.start_ts;

	if (!job.dependencies || job.slot >= needs_.size())
		return;
	std::erase_if(needs_[job.slot], [&](const Need &need) {
		const WaitingJob *on = jobs_.find(need.ctx, need.seqno);

		if (!on || job.submit_ts == Job::none || most == Job::none)
			return false;

		// Some recordings only have when it ended.
		const uint64_t done = on->complete != Job::none ? on->complete : on->left;
		const uint64_t over = on->name.ring == job.ring ? on->pick : done;
		WaitRing &ring = ring_of(job.ring);

		if (over != Job::none && job.submit_ts < std::min(over, most))
			ring.needs.add(job, {job.submit_ts, std::min(over, most), need.ctx,
					     need.seqno, on->process});
		return true;
	});
}

// Keeps a job once, when it is complete: a job that waited for it may be over before this
// one is passed on.
void WaitCauses::keep(const Job &job, uint32_t process, bool ignored)
{
	if (!fences_matter_)
		return;
	if (job.slot >= kept_.size())
		kept_.resize(job.slot + 1, Job::none);
	if (job.complete() && kept_[job.slot] == job.complete_ts) {
		WaitingJob *kept = ignored ? jobs_.find(job.ctx, job.seqno) : nullptr;

		if (kept)
			kept->ignored = true;
		return;
	}
	jobs_.add(job, process).ignored = ignored;
	kept_[job.slot] = job.complete_ts;
}

// Returns whether the job hung and was handed over again after the reset.
static bool ran_again(const Job &job)
{
	return job.hand_overs > 1 && job.commit_ts < job.last_commit_ts && job.hung();
}

// A job that ran again hung again if it failed.
static bool hung_at_last(const Job &job)
{
	return job.hung() && (!ran_again(job) || job.complete_error);
}

// The hang may be known when the job leaves its ring, or only when the reset is recorded.
void WaitCauses::note_hang(const Job &job, uint64_t end)
{
	RingExecution *execution = ring_of(job.ring).executions.find(job.ctx, job.seqno, end);

	if (!execution || execution->hang || hangs_.size() == hangs_max)
		return;
	hangs_.push_back(
		{{job.ctx, job.seqno, job.ring},
		 execution->process,
		 execution->start,
		 execution->end,
		 job.error,
		 ran_again(job) && end == job.last_commit_ts,
		 job.timed_out(),
		 job.begun_before && job.pick_ts == Job::none && job.commit_ts == Job::none,
		 job.guilty_pid});
	execution->hang = static_cast<uint32_t>(hangs_.size());
}

void WaitCauses::add_execution(const Job &job, uint32_t process, uint64_t start, uint64_t end)
{
	WaitRing &ring = ring_of(job.ring);
	ExecWindow<RingExecution> &executions = ring.executions;

	if (start < end) {
		// A job that hung does not say how long one usually takes.
		if (!job.hung())
			ring.longest = std::max(ring.longest, end - start);
		RingExecution &one = executions.add(
			end, [&](const RingExecution &old) { sink_.retire(job.ring, old); });

		one.start = start;
		one.ctx = job.ctx;
		one.seqno = job.seqno;
		one.process = process;
	}
	executions.expect(1);
}

void WaitCauses::note_end(const Job &job, uint64_t end)
{
	WaitRing &ring = ring_of(job.ring);

	ring.ended = true;
	if (ring.is_virtual && job.submit_ts < end)
		ring.longest = std::max(ring.longest, end - job.submit_ts);
}

void WaitCauses::executed(const Job &job)
{
	const uint64_t end = job.left_ts();
	const uint32_t process = processes_.find(job, capture_.session().tasks);

	// It had the ring from the end of the job before it until the reset.
	if (ran_again(job)) {
		const auto before = ring_of(job.ring).executions.ended_by(job.last_commit_ts);
		const uint64_t start =
			std::max(job.commit_ts, before.empty() ? 0 : before.back().end);

		add_execution(job, process, start, job.last_commit_ts);
		note_hang(job, job.last_commit_ts);
	}
	if (fences_matter_ && job.complete())
		keep(job, process, false);
	note_needs(job);
	if (end != Job::none)
		note_end(job, end);
	if (end == Job::none || job.start_ts == Job::none)
		return;
	add_execution(job, process, job.start_ts, end);
	if (hung_at_last(job))
		note_hang(job, end);
}

// A job that is over may still be waited for by a task that does not run.
void WaitCauses::waited_for_fence(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
				  uint64_t from, uint64_t to)
{
	TaskTable &tasks = capture_.session().tasks;
	const uint32_t process = processes_.find(pid, tasks);

	fences_matter_ = true;
	if (!job)
		return wakes_.waited(jobs_.find(ctx, seqno), pid, process, from, to);

	WaitingJob known(*job, 0);

	known.ignored = true; // until waited() is called
	wakes_.waited(&known, pid, process, from, to);
}

void WaitCauses::waited(const Job &job, uint32_t pid, uint64_t, uint64_t)
{
	wakes_.count({job.ctx, job.seqno, job.ring}, pid);
}

void WaitCauses::over(const Job &job, bool counts)
{
	const uint32_t process = processes_.find(job, capture_.session().tasks);

	if (hung_at_last(job) && job.left_ts() != Job::none)
		note_hang(job, job.left_ts());
	note_needs(job);
	// It is not known before there is a number that does not fit.
	ring_of(job.ring).is_mixed =
		capture_.session().rings.find(job.ring).has(GRTRACE_RING_MIXED);
	if (job.dependencies && job.slot < needs_.size())
		needs_[job.slot].clear();
	if (job.queue() != Job::none && job.queue())
		split_.split(WaitingJob(job, process), sink_);
	if (job.at_end && job.ring != GRTRACE_RING_NONE)
		not_over_.add(job, process, counts);
	keep(job, process, !counts);
	if (job.slot < kept_.size())
		kept_[job.slot] = Job::none;
}

void WaitCauses::still_waits(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			     uint64_t since)
{
	not_over_.add_wait(job, ctx, seqno, processes_.find(pid, capture_.session().tasks), since);
}

void WaitCauses::forget_before(uint64_t ts)
{
	rings_.each([&](uint32_t id, const std::unique_ptr<WaitRing> &ring) {
		if (!ring)
			return;
		ring->executions.forget_until(
			ts, [&](const RingExecution &old) { sink_.retire(id, old); });
		ring->fences.forget_until(ts);
		ring->needs.forget_until(ts);
	});
}

void WaitCauses::finish()
{
	wakes_.finish();
	if (capture_.knows_end())
		not_over_.finish(capture_.end_ts(), [&](uint32_t id) {
			const WaitRing &ring = ring_of(id);

			return NotOver::RingFacts{ring.is_virtual, ring.ended, ring.longest,
						  ring.is_mixed};
		});
	rings_.each([&](uint32_t id, const std::unique_ptr<WaitRing> &ring) {
		if (ring)
			for (const RingExecution &execution : ring->executions.all())
				sink_.retire(id, execution);
	});
}

// Any record may name its leader; until then the name is that of one of its threads.
DelayProcess WaitCauses::process(uint32_t number) const
{
	DelayProcess process = processes_[number];
	const Task *leader = capture_.session().tasks.find(process.tgid);

	if (leader && leader->tgid == process.tgid)
		process.comm = leader->name();
	return process;
}

} // namespace grtrace
