// SPDX-License-Identifier: GPL-2.0
//
// The scheduler's events report amdgpu's jobs. This file has what they lack: the
// job that a kernel before 6.17 names only by an address, the fence that the job
// has on its ring, and queues that user space fills by itself.
#include "words/translate/translator.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include <cerrno>
#include <iterator>

namespace grtrace {

namespace {

// From amdgpu_userq.h.
constexpr uint32_t userq_hung = 3;

// By AMDGPU_HW_IP_*, with the names of the module's source.
constexpr const char *userq_kinds[] = {"gfx", "comp", "sdma"};

} // namespace

void Translator::amdgpu_ioctl(const Now &now)
{
	if (has_old_)
		armed_.armed(now.pid, now.text(Field::ring), now.job());
	if (takes_drivers_ && !has_queue_)
		driver_queue(now, rings_.find({}, now.text(Field::ring)), now.job());
}

// The scheduler has reported the job. If it could not be identified then, it can be now,
// and later events will find it.
void Translator::amdgpu_run(const Now &now)
{
	const FenceId key = now.job();
	const RunningJobs::Stranger stranger = running_.begin(now.pid, now.text(Field::ring), key);

	if (!stranger.address) {
		amdgpu_pick(now, key);
		return;
	}
	TraceRing &ring = rings_.find({}, now.text(Field::ring));
	SchedJobs::Job *known = jobs_.find(key);
	SchedJobs::Job &job = known ? *known : jobs_.submit(key, ring.id);

	ring.wanted = filter_.wants(ring);
	jobs_.name(job, key, stranger.address, stranger.id);
	job.picked = true;
	untold_--;
	emit(now, GRTRACE_PICK, ring.id, key);
}

// Where the scheduler has no event for it.
void Translator::amdgpu_pick(const Now &now, const FenceId &key)
{
	SchedJobs::Job *job = jobs_.find(key);
	FenceId known = key;

	if (!job && makes_keys_ && has_old_ && now.fields->has(Field::id) &&
	    jobs_.by_number(rings_.find({}, now.text(Field::ring)).id, now.number(Field::id),
			    &known))
		job = jobs_.find(known);
	if (!job || job->picked)
		return;
	job->picked = true;
	emit(now, GRTRACE_PICK, job->ring, known);
}

std::string Translator::userq_name(const Now &now)
{
	const uint64_t type = now.number(Field::type);

	return fmt::format("userq_{}_{}",
			   type < std::size(userq_kinds) ? userq_kinds[type] : "other",
			   now.number(Field::id));
}

// The work that user space gave the queue is not seen; this fence covers all of it. It is
// the job's key and completes the job.
void Translator::amdgpu_userq_fence(const Now &now)
{
	const FenceId key = now.job();
	TraceRing &ring = rings_.find(now.text(Field::device), userq_name(now));

	ring.wanted = filter_.wants(ring);
	emit(now, GRTRACE_SUBMIT, ring.id, key);
	emit_fence(now, GRTRACE_COMMIT, ring.id, key, key);
}

// The event has no device.
void Translator::amdgpu_userq_state(const Now &now)
{
	NewRecord error;

	if (now.number(Field::state) != userq_hung)
		return;
	const std::string name = userq_name(now);
	TraceRing *ring = rings_.find_only(name);
	if (!ring)
		ring = &rings_.find({}, name);
	ring->wanted = filter_.wants(*ring);
	error.type = GRTRACE_ERROR;
	error.kind = GRTRACE_ERROR_HANG;
	error.code = -ETIME;
	put(now, error, ring->id, {});
}

// The next queue with this doorbell is a different one.
void Translator::amdgpu_userq_gone(const Now &now)
{
	if (const TraceRing *ring = rings_.find_only(userq_name(now)))
		rings_.retire(*ring);
}

} // namespace grtrace
