// SPDX-License-Identifier: GPL-2.0
//
// The events of dma_fence: a fence belongs to a job, or it has a driver and a timeline that
// are recorded before the first wait for it.
#include "words/translate/translator.h"

#include <drm/grtrace_drm.h>

#include <cerrno>

namespace grtrace {

namespace {

constexpr std::string_view sched_driver = "drm_sched";
constexpr std::string_view amdgpu_driver = "amdgpu";

} // namespace

// A SUBMIT or COMMIT shows that the fence is a job's; waits and dependencies need its names.
void Translator::tell_fence(const Now &now, const NewRecord &record)
{
	const NamedFences::Context *names = nullptr;
	const uint64_t ctx = record.has_fence ? record.fence_ctx : record.ctx;

	switch (record.type) {
	case GRTRACE_SUBMIT:
	case GRTRACE_COMMIT:
		if (record.fence_ctx)
			fences_.take_for_jobs(record.fence_ctx);
		return;
	case GRTRACE_DEP:
	case GRTRACE_BLOCKED:
	case GRTRACE_SYNC_WAIT_ENTER:
		if (!jobs_.knows(ctx) && !i915_jobs_.knows(ctx))
			names = fences_.ask(ctx, now.cpu);
		break;
	case GRTRACE_FENCE:
		names = fences_.owed(ctx, now.cpu);
		break;
	default:
		return;
	}
	if (names)
		sink_.fence_name(now.cpu, now.ts, {ctx, now.pid, names->driver, names->timeline});
}

void Translator::learn_fence(const Now &now)
{
	fences_.learn(now.number(Field::ctx), now.text(Field::driver), now.text(Field::timeline));
}

void Translator::fence_init(const Now &now)
{
	const std::string_view driver = now.text(Field::driver);

	learn_fence(now);
	if (has_old_)
		open_.open(now.job());
	if (!now.in_task())
		return;
	if (has_old_ && driver == sched_driver)
		armed_.made(now.pid, now.text(Field::timeline), now.job());
	else if (driver == amdgpu_driver)
		running_.made(now.pid, now.text(Field::timeline), now.job());
}

// virtio-gpu emits a command's fence right before it queues the command.
void Translator::fence_emit(const Now &now)
{
	learn_fence(now);
	cpu(now.cpu).emitted = now.job();
	if (has_old_)
		open_.open(now.job());
}

void Translator::fence_signaled(const Now &now)
{
	const FenceId fence = now.job();

	learn_fence(now);
	if (has_old_)
		open_.close(fence);
	if (now.text(Field::driver) == sched_driver)
		sched_signaled(now, fence);
	else if (i915_jobs_.knows(fence.ctx))
		i915_signaled(now, fence);
	else
		emit(now, GRTRACE_FENCE, 0, fence);
}

// A job has two fences, in neighbouring contexts: the second one is its key. The first is
// signalled right after run_job(), and also by a kill. If there is no PICK, which may have
// been lost, these two cases cannot be distinguished.
void Translator::sched_signaled(const Now &now, const FenceId &fence)
{
	const FenceId finished = {jobs_.whole(fence.ctx), fence.seqno};
	const FenceId next = {jobs_.whole(fence.ctx + 1), fence.seqno};

	if (jobs_.knows(finished.ctx)) {
		emit(now, GRTRACE_COMPLETE, jobs_.ring_of(finished), finished);
		jobs_.end(finished);
	} else if (jobs_.knows(next.ctx)) {
		const SchedJobs::Job *job = jobs_.find(next);

		if (!job)
			untold_++;
		else if (job->committed)
			return;
		else if (job->picked)
			emit_fence(now, GRTRACE_COMMIT, job->ring, next,
				   running_.end(now.pid, next, next));
		else if (jobs_.may_have_lost(*job))
			sink_.lost(now.cpu, now.ts, now.ts, 1);
	} else {
		untold_++;
	}
}

// i915 reports waits for its own fences itself. The event at the end of a wait does not
// name the driver.
void Translator::fence_wait(const Now &now, bool begins)
{
	const FenceId fence = now.job();

	if (begins)
		learn_fence(now);
	if (begins && has_i915_waits_ && i915_jobs_.knows(fence.ctx)) {
		claimed_[now.pid].push_back(fence);
		return;
	}
	const auto claimed = claimed_.find(now.pid);
	if (!begins && claimed != claimed_.end() && std::erase(claimed->second, fence)) {
		if (claimed->second.empty())
			claimed_.erase(claimed);
		return;
	}
	if (!begins)
		doubled_.erase(now.pid);
	else if (!has_i915_waits_ && i915_jobs_.knows(fence.ctx))
		doubled_[now.pid] = fence;
	emit(now, begins ? GRTRACE_SYNC_WAIT_ENTER : GRTRACE_SYNC_WAIT_EXIT, 0, fence);
	waits(now, begins);
}

// A wait for one of several fences, or for sync objects, which no driver reports itself.
void Translator::other_wait_begins(const Now &now)
{
	emit(now, GRTRACE_SYNC_WAIT_ENTER, 0, now.job());
	waits(now, true);
}

void Translator::other_wait_ends(const Now &now, int64_t result)
{
	const bool is_errno = result < 0 && result >= -4095;

	emit(now, GRTRACE_SYNC_WAIT_EXIT, 0, now.job(),
	     is_errno ? static_cast<uint16_t>(result) : 0);
	waits(now, false);
}

// Without an error, and without a fence that was signalled, the time was over.
int64_t Translator::any_result(const Now &now)
{
	const auto result = static_cast<int64_t>(now.number(Field::result));

	return !result && now.fence() == FenceId{} ? -ETIME : result;
}

} // namespace grtrace
