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
enum UserqState { userq_unmapped, userq_mapped, userq_preempted, userq_hung, userq_invalid_va };

// By AMDGPU_HW_IP_*, with the names of the module's source.
constexpr const char *userq_kinds[] = {"gfx", "comp", "sdma"};

// Kernels before 4.15 print the address of the ring's name, which its timeline also has.
std::string_view amdgpu_ring(const FieldValues &fields)
{
	const std::string_view name = fields.text(Field::ring);
	const bool is_address = name.size() == 16 && name.starts_with("ffff");

	return is_address && fields.has(Field::timeline) ? fields.text(Field::timeline) : name;
}

} // namespace

void Translator::amdgpu_ioctl(const Now &now)
{
	if (has_old_)
		armed_.armed(now.pid, amdgpu_ring(*now.fields), now.job());
	if (takes_drivers_ && !has_queue_)
		driver_queue(now, rings_.find({}, amdgpu_ring(*now.fields)), now.job());
}

// The scheduler has reported the job. If it could not be identified then, it can be now,
// and later events will find it.
void Translator::amdgpu_run(const Now &now)
{
	const FenceId key = now.job();
	const RunningJobs::Stranger stranger =
		running_.begin(now.pid, amdgpu_ring(*now.fields), key);

	if (!stranger.address) {
		amdgpu_pick(now, key);
		return;
	}
	TraceRing &ring = rings_.find({}, amdgpu_ring(*now.fields));
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
	    jobs_.by_number(rings_.find({}, amdgpu_ring(*now.fields)).id, now.number(Field::id),
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
	const std::string name = userq_name(now);

	// Written again, with the device.
	if (const TraceRing *adopted = rings_.adopt(now.text(Field::device), name))
		for (Cpu &one : cpus_)
			if (adopted->id < one.rings.size())
				one.rings[adopted->id] = false;
	TraceRing &ring = rings_.find(now.text(Field::device), name);

	ring.wanted = filter_.wants(ring);
	userq(now).ctx = key.ctx;
	emit(now, GRTRACE_SUBMIT, ring.id, key);
	emit_fence(now, GRTRACE_COMMIT, ring.id, key, key);
}

Translator::UserQueue &Translator::userq(const Now &now)
{
	return userqs_[{now.number(Field::type), now.number(Field::id)}];
}

void Translator::amdgpu_userq_begins(const Now &now)
{
	userq(now) = {};
	userq(now).begins = true;
}

void Translator::amdgpu_userq_ends(const Now &now)
{
	userq(now).ends = true;
}

// The event has only the state. An unmapped queue is evicted, unless it is destroyed: a
// suspend and a reset of the queue look alike, but then little else is recorded.
uint32_t Translator::amdgpu_userq_reason(const Now &now, UserQueue &queue) const
{
	switch (now.number(Field::state)) {
	case userq_unmapped:
		if (queue.ends)
			return GRTRACE_QUEUE_DESTROYED;
		return has_userq_ends_ ? GRTRACE_QUEUE_EVICTED : GRTRACE_QUEUE_UNKNOWN;
	case userq_mapped:
		if (queue.begins)
			return GRTRACE_QUEUE_CREATED;
		return queue.was_off ? GRTRACE_QUEUE_RESTORED : GRTRACE_QUEUE_UNKNOWN;
	case userq_preempted:
		return GRTRACE_QUEUE_PREEMPTED;
	case userq_hung:
		return GRTRACE_QUEUE_HUNG;
	case userq_invalid_va:
		return GRTRACE_QUEUE_FAULTED;
	}
	return GRTRACE_QUEUE_UNKNOWN;
}

// The event has no device.
void Translator::amdgpu_userq_state(const Now &now)
{
	UserQueue &queue = userq(now);
	const std::string name = userq_name(now);
	TraceRing *ring = rings_.find_only(name);
	if (!ring)
		ring = &rings_.find({}, name);
	ring->wanted = filter_.wants(*ring);
	if (now.number(Field::state) == userq_hung) {
		NewRecord error;
		error.type = GRTRACE_ERROR;
		error.kind = GRTRACE_ERROR_HANG;
		error.code = -ETIME;
		put(now, error, ring->id, {});
	}
	NewRecord change;
	change.type = GRTRACE_QUEUE;
	change.reason = amdgpu_userq_reason(now, queue);
	change.state =
		now.number(Field::state) == userq_mapped ? GRTRACE_QUEUE_ON : GRTRACE_QUEUE_OFF;
	change.client = now.number(Field::client);
	put(now, change, ring->id, {queue.ctx, 0});
	queue.begins = false;
	queue.was_off = change.state == GRTRACE_QUEUE_OFF;
}

// The next queue with this doorbell is a different one.
void Translator::amdgpu_userq_gone(const Now &now)
{
	userqs_.erase({now.number(Field::type), now.number(Field::id)});
	if (const TraceRing *ring = rings_.find_only(userq_name(now)))
		rings_.retire(*ring);
}

} // namespace grtrace
