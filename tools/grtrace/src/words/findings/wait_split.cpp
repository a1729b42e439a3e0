// SPDX-License-Identifier: GPL-2.0
#include "words/findings/wait_split.h"

#include <algorithm>

namespace grtrace {

void WaitSplit::split(const WaitingJob &job, CauseSink &sink)
{
	sink_ = &sink;
	depth_ = 0;
	via_.clear();
	via_.push_back(job.name);
	wait(job, job.submit, job.start);
}

void WaitSplit::charge(CauseKind kind, const WaitingJob &root, uint64_t from, uint64_t to,
		       RingExecution *execution)
{
	if (from < to)
		sink_->charge({kind, from, to, root.name.ring, root.process, root.name, execution},
			      via_);
}

// Nothing is known about a time in which records were lost.
void WaitSplit::wait(const WaitingJob &job, uint64_t from, uint64_t to)
{
	const std::vector<LossSpans::Span> &lost = losses_.all();

	if (lost.empty())
		return wait_seen(job, from, to);

	auto next = std::lower_bound(
		lost.begin(), lost.end(), from,
		[](const LossSpans::Span &span, uint64_t ts) { return span.to <= ts; });

	for (; next != lost.end() && next->from < to; ++next) {
		const uint64_t begin = std::max(next->from, from);
		const uint64_t end = std::min(next->to, to);

		wait_seen(job, from, begin);
		charge(CauseKind::loss, {}, begin, end);
		from = std::max(from, end);
	}
	wait_seen(job, from, to);
}

void WaitSplit::wait_seen(const WaitingJob &job, uint64_t from, uint64_t to)
{
	WaitRing *ring = ring_of(job);

	if (from >= to)
		return;
	if (!ring)
		return idle(job, from, to);
	if (!ring->fences.may_hold(job.name.ctx, from))
		return queued(job, from, to);
	if (spans_.size() <= depth_)
		spans_.resize(depth_ + 1);
	spans_[depth_].clear();
	ring->fences.find_since({job.name.ctx, job.name.seqno, from}, spans_[depth_]);
	for (size_t i = 0; i < spans_[depth_].size(); i++) {
		// Following a chain may make the list of lists grow.
		const BlockedSpan span = spans_[depth_][i];
		const uint64_t begin = std::clamp(span.from, from, to);
		const uint64_t end = std::clamp(span.to, from, to);

		if (begin >= end)
			continue;
		queued(job, from, begin);
		queued(job, blocked(job, span, begin, end), end);
		from = end;
	}
	queued(job, from, to);
}

// Returns the time until which the fence blocked.
uint64_t WaitSplit::blocked(const WaitingJob &job, const BlockedSpan &by, uint64_t from,
			    uint64_t to)
{
	const size_t before = via_.size();
	uint64_t until = to;
	const WaitingJob *on = jobs_.find(by.ctx, by.seqno);

	if (by.held != job.name.seqno)
		via_.push_back({job.name.ctx, by.held, job.name.ring});
	if (on) {
		until = behind(*on, from, to);
	} else {
		WaitingJob unseen;

		unseen.name = {by.ctx, by.seqno, GRTRACE_RING_NONE};
		unseen.process = by.process;
		charge(CauseKind::fence, unseen, from, to);
	}
	via_.resize(before);
	return until;
}

// The job waits for whatever this other job does in that time. Returns the time until which
// it waits: a fence does not block after its job's COMPLETE, even if no record before PICK
// shows that.
uint64_t WaitSplit::behind(const WaitingJob &on, uint64_t from, uint64_t to)
{
	if (!on.in_order()) {
		charge(CauseKind::unknown, on, from, to);
		return to;
	}

	auto until = [&](uint64_t ts) { return ts == Job::none ? from : std::clamp(ts, from, to); };
	uint64_t next = until(on.submit);

	charge(CauseKind::late_submit, on, from, next);
	from = next;

	next = until(on.waited_until());
	if (from < next && on.submit == Job::none) {
		charge(CauseKind::unknown, on, from, next);
	} else if (from < next && depth_ + 1 == deepest) {
		charge(CauseKind::forgotten, on, from, next);
	} else if (from < next) {
		// A copy, because the log may drop the job meanwhile.
		const WaitingJob other = on;

		depth_++;
		via_.push_back(other.name);
		wait(other, from, next);
		via_.pop_back();
		depth_--;
	}
	from = next;

	next = on.start == Job::none ? from : until(on.left);
	ran(on, from, next);
	from = next;

	next = until(on.complete);
	charge(CauseKind::completion, on, from, next);
	return next;
}

void WaitSplit::ran(const WaitingJob &on, uint64_t from, uint64_t to)
{
	WaitRing *ring = ring_of(on);
	RingExecution *execution =
		ring ? ring->executions.find(on.name.ctx, on.name.seqno, on.left) : nullptr;

	if (from >= to)
		return;
	if (ring && ring->is_virtual)
		charge(CauseKind::host, on, from, to);
	else if (execution && execution->hang)
		charge(CauseKind::hang, on, from, to, execution);
	else
		charge(CauseKind::dependency, on, from, to, execution);
}

void WaitSplit::charge_execution(const WaitingJob &job, RingExecution &execution, uint64_t from,
				 uint64_t to)
{
	// The processor cannot predict which of the two it is, so there is no branch.
	CauseKind kind =
		execution.process == job.process ? CauseKind::own_queue : CauseKind::other_process;

	if (execution.hang)
		kind = CauseKind::hang;
	else if (ring_of(job)->is_virtual)
		kind = CauseKind::host;
	else if (!execution.process || !job.process)
		kind = CauseKind::unknown_process;
	sink_->charge({kind,
		       from,
		       to,
		       job.name.ring,
		       execution.process,
		       {execution.ctx, execution.seqno, job.name.ring},
		       &execution},
		      via_);
}

void WaitSplit::queued(const WaitingJob &job, uint64_t from, uint64_t to)
{
	if (from >= to)
		return;
	needs_.clear();
	if (ring_of(job)->needs.find_since({job.name.ctx, job.name.seqno, from}, needs_)) {
		const BlockedSpan last = needs_.back();
		const uint64_t end = std::min(last.to, to);

		from = blocked(job, last, from, end);
	}
	on_ring(job, from, to);
}

// Goes from the last END to the first: later executions in this loop ended earlier.
void WaitSplit::on_ring(const WaitingJob &job, uint64_t from, uint64_t to)
{
	WaitRing *ring = ring_of(job);

	if (from >= to)
		return;
	if (ring->is_mixed)
		return charge(CauseKind::unknown, job, from, to);

	ExecWindow<RingExecution> &executions = ring->executions;
	// The jobs that are split one after the other began in this order, those of a chain
	// did not.
	const std::span<RingExecution> ended = depth_ ? executions.ended_by(job.waited_until()) :
							executions.ended_next(job.waited_until());
	const uint64_t handed_over = handed_over_by(job);
	// Until then idle() only finds the scheduler.
	const uint64_t picked = handed_over == Job::none ? 0 : job.pick;

	for (size_t i = ended.size(); i && ended[i - 1].end > from; i--) {
		RingExecution &one = ended[i - 1];
		const uint64_t begin = std::max(one.start, from);
		const uint64_t end = std::min(one.end, to);

		if (begin >= end)
			continue;
		// The processor cannot predict which of the two it is, so there is no branch.
		if ((handed_over <= end) | (picked >= to))
			charge(handed_over <= end ? CauseKind::hardware : CauseKind::scheduler, job,
			       end, to);
		else
			idle(job, end, to);
		charge_execution(job, one, begin, end);
		to = begin;
		if (from >= to)
			return;
	}
	// The forgotten past may have had more of them.
	const uint64_t forgot = std::max(executions.forgot_until(), ring->fences.forgot_until());
	const uint64_t known = std::clamp(forgot, from, to);

	charge(CauseKind::forgotten, job, from, known);
	idle(job, known, to);
}

// Returns when the ring had the job: later idle() only finds the hardware. Job::none: that is not
// known.
uint64_t WaitSplit::handed_over_by(const WaitingJob &job)
{
	if (job.touched || !job.in_order())
		return Job::none;
	return std::max({job.pick, job.commit, job.last_commit});
}

// Neither a fence nor a job on the ring held the job.
void WaitSplit::idle(const WaitingJob &job, uint64_t from, uint64_t to)
{
	auto until = [&](uint64_t ts) { return ts == Job::none ? from : std::clamp(ts, from, to); };
	uint64_t next;

	if (from >= to)
		return;
	if (!job.in_order())
		return charge(CauseKind::unknown, job, from, to);
	// The record that would explain the wait may have been lost.
	if (job.touched)
		return charge(CauseKind::loss, {}, from, to);
	next = until(job.pick);
	charge(CauseKind::scheduler, job, from, next);
	from = next;
	next = until(job.commit);
	charge(CauseKind::driver, job, from, next);
	from = next;
	if (job.commit == Job::none)
		return charge(CauseKind::unknown, job, from, to);
	next = until(job.last_commit);
	charge(CauseKind::reset, job, from, next);
	charge(CauseKind::hardware, job, next, to);
}

} // namespace grtrace
