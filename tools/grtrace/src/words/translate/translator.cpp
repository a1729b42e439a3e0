// SPDX-License-Identifier: GPL-2.0
#include "words/translate/translator.h"

#include "lib/text/words_of.h"
#include "words/translate/task_names.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace grtrace {

namespace {

// Bits of common_flags, from the kernel's trace_flag_type.
constexpr int trace_hardirq = 0x08;
constexpr int trace_softirq = 0x10;
constexpr int trace_nmi = 0x40;

// From virtio_gpu.h.
constexpr uint32_t virtio_flag_fence = 1 << 0;
constexpr uint32_t virtio_resp_err = 0x1200;

} // namespace

uint16_t record_flags(int common)
{
	if (common & (trace_hardirq | trace_nmi))
		return GRTRACE_IN_HARDIRQ | GRTRACE_TIME_INTERRUPT;
	return common & trace_softirq ? GRTRACE_IN_SOFTIRQ : GRTRACE_IN_TASK;
}

bool Translator::is_made(const FenceId &key)
{
	return key.ctx >= first_made_ctx && key.ctx < last_made_ctx;
}

bool Translator::Now::in_task() const
{
	return (flags & GRTRACE_IN_MASK) == GRTRACE_IN_TASK;
}

FenceId Translator::Now::job() const
{
	return {number(Field::ctx), uint32_t(number(Field::seqno))};
}

FenceId Translator::Now::fence() const
{
	return {number(Field::fence_ctx), uint32_t(number(Field::fence_seqno))};
}

Translator::Translator(RecordFilter filter, DeviceNames &devices, TaskNames &tasks,
		       RecordSink &sink)
	: filter_(std::move(filter)), tasks_(tasks), sink_(sink), rings_(devices)
{
}

Translator::~Translator() = default;

void Translator::expect(TraceKind kind)
{
	switch (kind) {
	case TraceKind::old_queue:
		has_old_ = has_queue_ = true;
		break;
	case TraceKind::sched_queue:
		has_old_ = has_old_ && !makes_keys_;
		has_queue_ = true;
		break;
	case TraceKind::old_done:
		has_ends_ = true;
		break;
	case TraceKind::fence_signaled:
		has_signals_ = true;
		break;
	case TraceKind::i915_wait_begin:
		has_i915_waits_ = true;
		break;
	case TraceKind::amdgpu_userq_begins:
	case TraceKind::amdgpu_userq_ends:
		has_userq_ends_ = true;
		break;
	case TraceKind::task_switch:
	case TraceKind::task_wakeup:
		has_sched_ = true;
		break;
	default:
		break;
	}
}

void Translator::take(const KernelEvent &event)
{
	const Now now = {event};

	switch (now.kind) {
	case TraceKind::sched_queue:
		return sched_queue(now);
	case TraceKind::sched_dep:
		return sched_dep(now, GRTRACE_DEP);
	case TraceKind::sched_blocked:
		return sched_dep(now, GRTRACE_BLOCKED);
	case TraceKind::sched_run:
		return sched_run(now);
	case TraceKind::sched_commit:
		return sched_commit(now);
	case TraceKind::sched_done:
		return sched_done(now, now.job());
	case TraceKind::old_queue:
		return old_queue(now);
	case TraceKind::old_wait:
		return old_wait(now);
	case TraceKind::old_run:
		return old_run(now);
	case TraceKind::old_done:
		return old_done(now);
	case TraceKind::fence_init:
		return fence_init(now);
	case TraceKind::fence_emit:
		return fence_emit(now);
	case TraceKind::fence_signaled:
		return fence_signaled(now);
	case TraceKind::fence_wait_start:
		return fence_wait(now, true);
	case TraceKind::fence_wait_end:
		return fence_wait(now, false);
	case TraceKind::any_wait_start:
		learn_fence(now);
		return other_wait_begins(now);
	case TraceKind::any_wait_end:
		return other_wait_ends(now, any_result(now));
	case TraceKind::syncobj_wait_start:
		return other_wait_begins(now);
	case TraceKind::syncobj_wait_end:
		return other_wait_ends(now, static_cast<int64_t>(now.number(Field::result)));
	case TraceKind::wedged:
		return wedged(now);
	case TraceKind::virtio_queue:
		return virtio_queue(now);
	case TraceKind::virtio_response:
		return virtio_response(now);
	case TraceKind::i915_add:
		return i915_add(now);
	case TraceKind::i915_execute:
		return i915_job(now, GRTRACE_COMMIT);
	case TraceKind::i915_out:
		return i915_job(now, GRTRACE_END);
	case TraceKind::i915_wait_begin:
		return i915_wait(now, true);
	case TraceKind::i915_wait_end:
		return i915_wait(now, false);
	case TraceKind::amdgpu_ioctl:
		return amdgpu_ioctl(now);
	case TraceKind::amdgpu_address_ioctl:
		if (takes_drivers_ && !has_queue_)
			old_queue(now);
		return;
	case TraceKind::amdgpu_run:
		return amdgpu_run(now);
	case TraceKind::amdgpu_userq_fence:
		return amdgpu_userq_fence(now);
	case TraceKind::amdgpu_userq_begins:
		return amdgpu_userq_begins(now);
	case TraceKind::amdgpu_userq_state:
		return amdgpu_userq_state(now);
	case TraceKind::amdgpu_userq_ends:
		return amdgpu_userq_ends(now);
	case TraceKind::amdgpu_userq_gone:
		return amdgpu_userq_gone(now);
	case TraceKind::vblank:
		return vblank(now);
	case TraceKind::task_switch:
		return task_switch(now);
	case TraceKind::task_wakeup:
		return task_wakeup(now);
	default:
		if (takes_drivers_ && !has_queue_)
			driver_event(now);
	}
}

// ------------------------------------------------------------------- records

void Translator::rename_task(uint32_t pid)
{
	for (Cpu &one : cpus_) {
		one.tasks.erase(pid);
		one.last_task = no_task;
	}
}

void Translator::message(const KernelEvent &event, std::string_view text)
{
	tell_task({event});
	sink_.message(event.cpu, event.ts, event.pid, text);
}

// Each CPU's file can be read alone, so each has all names. A process is named after its
// leader.
void Translator::tell_task(const Now &now)
{
	if (!now.in_task() || cpu(now.cpu).last_task == now.pid)
		return;
	cpu(now.cpu).last_task = now.pid;
	if (!cpu(now.cpu).tasks.insert(now.pid).second)
		return;
	const TaskNames::Task &task = tasks_.find(now.pid);
	if (task.tgid && cpu(now.cpu).tasks.insert(task.tgid).second) {
		const TaskNames::Task &leader = tasks_.find(task.tgid);
		if (leader.tgid)
			sink_.task(now.cpu, now.ts, {task.tgid, leader.tgid, leader.comm});
	}
	// A thread of an unknown process counts as one of its own, or all would be of one.
	sink_.task(now.cpu, now.ts, {now.pid, task.tgid ? task.tgid : now.pid, task.comm});
}

void Translator::tell_ring(const Now &now, const TraceRing &ring)
{
	std::vector<bool> &told = cpu(now.cpu).rings;

	if (ring.id >= told.size())
		told.resize(ring.id + 1);
	if (told[ring.id])
		return;
	told[ring.id] = true;
	sink_.ring(now.cpu, now.ts, ring.facts());
}

void Translator::put(const Now &now, NewRecord &record, uint32_t id, const FenceId &key)
{
	const TraceRing *ring = rings_.at(id);

	if (!filter_.passes(record.type, ring))
		return;
	tell_task(now);
	if (ring)
		tell_ring(now, *ring);
	record.ts = now.ts;
	record.pid = now.pid;
	record.flags = now.flags;
	record.ring = id;
	record.ctx = key.ctx;
	record.seqno = key.seqno;
	tell_fence(now, record);
	sink_.event(now.cpu, record);
}

void Translator::emit(const Now &now, uint16_t type, uint32_t ring, const FenceId &key,
		      uint16_t arg)
{
	NewRecord record;

	record.type = type;
	record.arg = arg;
	put(now, record, ring, key);
}

void Translator::emit_fence(const Now &now, uint16_t type, uint32_t ring, const FenceId &key,
			    const FenceId &fence)
{
	NewRecord record;

	record.type = type;
	record.has_fence = true;
	record.fence_ctx = fence.ctx;
	record.fence_seqno = fence.seqno;
	put(now, record, ring, key);
}

// ------------------------------------------------------------- DRM scheduler

void Translator::sched_queue(const Now &now)
{
	TraceRing &ring = rings_.find(now.text(Field::device), now.text(Field::ring));

	ring.wanted = filter_.wants(ring);
	jobs_.submit(now.job(), ring.id);
	NewRecord record;
	record.type = GRTRACE_SUBMIT;
	record.client = now.number(Field::client);
	put(now, record, ring.id, now.job());
}

// Among jobs of one scheduler the fence is that of being scheduled. Its context is one
// below that of the job's key, as the scheduler allocates them in pairs.
FenceId Translator::job_fence(const FenceId &fence)
{
	const FenceId finished = {fence.ctx + 1, fence.seqno};

	return !jobs_.knows(fence.ctx) && jobs_.find(finished) ? finished : fence;
}

void Translator::sched_dep(const Now &now, uint16_t type)
{
	emit_fence(now, type, jobs_.ring_of(now.job()), now.job(), job_fence(now.fence()));
}

// A job may move to another ring before it runs.
void Translator::sched_run(const Now &now)
{
	TraceRing &ring = rings_.find(now.text(Field::device), now.text(Field::ring));
	SchedJobs::Job *job = jobs_.find(now.job());

	ring.wanted = filter_.wants(ring);
	if (!job)
		job = &jobs_.submit(now.job(), ring.id);
	job->ring = ring.id;
	job->picked = true;
	emit(now, GRTRACE_PICK, ring.id, now.job());
}

// A job has no hardware fence if run_job() returned none. The signal of the scheduled fence,
// which follows, is the same COMMIT.
void Translator::sched_commit(const Now &now)
{
	SchedJobs::Job *job = jobs_.find(now.job());

	if (job)
		job->committed = true;
	if (now.fence() == FenceId{})
		return;
	TraceRing &ring = rings_.find(now.text(Field::device), now.text(Field::ring));
	ring.wanted = filter_.wants(ring);
	emit_fence(now, GRTRACE_COMMIT, ring.id, now.job(), now.fence());
}

void Translator::sched_done(const Now &now, const FenceId &key)
{
	emit(now, GRTRACE_END, jobs_.ring_of(key), key);
	if (SchedJobs::Job *job = jobs_.find(key))
		job->done = true;
}

void Translator::old_queue(const Now &now)
{
	TraceRing &ring = ring_of_job(now);
	FenceId key;

	ring.wanted = filter_.wants(ring);
	if (!armed_.push(now.pid, ring.name, now.number(Field::entity), &key)) {
		if (!makes_keys_) {
			untold_++;
			return;
		}
		key = make_key(now, ring);
	}
	SchedJobs::Job &job = jobs_.submit(key, ring.id);
	jobs_.name(job, key, now.number(Field::address), now.number(Field::id));
	emit(now, GRTRACE_SUBMIT, ring.id, key);
}

// The device of the second ring of a name is unknown as well, but another one.
TraceRing &Translator::ring_of_name(std::string_view name, size_t number)
{
	return rings_.find(number ? fmt::format("?{}", number + 1) : std::string(), name);
}

// Kernels before 6.17 do not name the device.
TraceRing &Translator::ring_of_job(const Now &now)
{
	const std::string_view name = now.text(Field::ring);
	const uint64_t entity = now.number(Field::entity);
	bool mixed = false;

	if (!now.fields->has(Field::id))
		return ring_of_name(name, 0);
	const size_t number = same_names_.submit(name, entity, now.number(Field::id), &mixed);
	for (size_t i = 0; mixed && i < same_names_.count(name); i++) {
		TraceRing &ring = ring_of_name(name, i);

		if (std::exchange(ring.is_mixed, true))
			continue;
		// The record of the ring says so from here on.
		std::vector<bool> &told = cpu(now.cpu).rings;
		if (ring.id < told.size())
			told[ring.id] = false;
	}
	return ring_of_name(name, number);
}

FenceId Translator::make_key(const Now &now, const TraceRing &ring)
{
	MadeContext &made = made_[{ring.id, now.number(Field::entity)}];

	if (!made.ctx)
		made.ctx = next_made_ctx_++;
	made_keys_++;
	made.seqno = now.fields->has(Field::id) ? uint32_t(now.number(Field::id)) : made.seqno + 1;
	return {made.ctx, made.seqno};
}

// The address may be that of a job whose end was lost, and another one's by now: then the
// number differs as well.
bool Translator::find_old(const Now &now, FenceId *key)
{
	if (!jobs_.by_address(now.number(Field::address), key))
		return false;
	const SchedJobs::Job *job = jobs_.find(*key);
	return !job || !now.fields->has(Field::id) || job->id == now.number(Field::id);
}

void Translator::old_run(const Now &now)
{
	const std::string_view name = now.text(Field::ring);
	TraceRing &ring = ring_of_name(name, same_names_.find(name, now.number(Field::entity)));
	FenceId key;

	ring.wanted = filter_.wants(ring);
	if (!find_old(now, &key)) {
		untold_++;
		running_.take(now.pid, {now.number(Field::address), now.number(Field::id)});
		return;
	}
	running_.take(now.pid, {});
	if (SchedJobs::Job *job = jobs_.find(key)) {
		job->ring = ring.id;
		job->picked = true;
	}
	emit(now, GRTRACE_PICK, ring.id, key);
}

// Among jobs of one scheduler a job waits until the other one is scheduled, otherwise until it
// is done. Without an event for that, every job would be in flight for ever.
bool Translator::is_in_flight(const FenceId &fence)
{
	const FenceId key = job_fence(fence);
	const SchedJobs::Job *job = makes_keys_ && has_ends_ ? jobs_.find(key) : nullptr;

	return job && !job->done && (key == fence || !job->picked);
}

// These kernels report every fence that they check; only an unsignalled one blocks. Where
// signals are not in the file this is not known, but the job is picked at once if it does not.
void Translator::old_wait(const Now &now)
{
	const std::string_view name = now.text(Field::ring);
	const FenceId fence = now.fence();
	const bool of_job = makes_keys_ && has_ends_ && jobs_.find(job_fence(fence));
	bool is_known = false;
	TraceRing *found = nullptr;
	FenceId key;

	// The number may be that of a job of each ring of this name; then it is not known whose.
	for (size_t i = 0; i < std::max<size_t>(same_names_.count(name), 1); i++) {
		TraceRing &one = ring_of_name(name, i);

		if (!jobs_.by_number(one.id, now.number(Field::id), &key))
			continue;
		is_known = !found;
		found = &one;
	}
	if (!is_known) {
		untold_++;
		return;
	}
	TraceRing &ring = *found;
	jobs_.by_number(ring.id, now.number(Field::id), &key);
	ring.wanted = filter_.wants(ring);
	if (open_.is_open(fence) || (of_job ? is_in_flight(fence) : !has_signals_))
		emit_fence(now, GRTRACE_BLOCKED, ring.id, key, job_fence(fence));
}

void Translator::old_done(const Now &now)
{
	FenceId key;

	if (!jobs_.by_address(now.number(Field::address), &key)) {
		untold_++;
		return;
	}
	sched_done(now, key);
	// No event has its fence, which would be signalled now.
	if (is_made(key))
		jobs_.end(key);
}

// ---------------------------------------------------------------- virtio-gpu

// Kernels such as 6.1 do not number commands. Those with a fence have its number; which
// response belongs to which of the others is not known.
bool Translator::virtio_number(const Now &now, uint32_t *number)
{
	const bool is_numbered = now.fields->has(Field::seqno);

	*number = uint32_t(now.number(is_numbered ? Field::seqno : Field::fence_seqno));
	return is_numbered || now.number(Field::flags) & virtio_flag_fence;
}

void Translator::virtio_queue(const Now &now)
{
	uint32_t seqno = 0;
	const bool is_numbered = now.fields->has(Field::seqno);

	if (!virtio_number(now, &seqno)) {
		untold_++;
		return;
	}
	TraceRing *ring = &rings_.find_virtio(now.number(Field::device), now.text(Field::ring));
	FenceId &emitted = cpu(now.cpu).emitted;
	NewRecord record;

	// The driver counts from 1 again, so it was bound again.
	if (is_numbered && seqno == 1 && ring->is_used) {
		rings_.retire(*ring);
		ring = &rings_.find_virtio(now.number(Field::device), now.text(Field::ring));
	}
	ring->wanted = filter_.wants(*ring);
	ring->is_used = true;
	record.type = GRTRACE_SUBMIT;
	record.answered = true;
	record.command = now.number(Field::type);
	if (now.number(Field::flags) & virtio_flag_fence && emitted.seqno &&
	    emitted.seqno == uint32_t(now.number(Field::fence_seqno))) {
		record.has_fence = true;
		record.fence_ctx = emitted.ctx;
		record.fence_seqno = emitted.seqno;
		emitted.seqno = 0;
	}
	put(now, record, ring->id, {ring->ctx, seqno});
}

void Translator::virtio_response(const Now &now)
{
	uint32_t seqno = 0;

	if (!virtio_number(now, &seqno)) {
		untold_++;
		return;
	}
	TraceRing &ring = rings_.find_virtio(now.number(Field::device), now.text(Field::ring));
	const FenceId key = {ring.ctx, seqno};
	const uint32_t type = now.number(Field::type);
	NewRecord end, error;

	ring.wanted = filter_.wants(ring);
	end.type = GRTRACE_END;
	end.answered = true;
	end.command = type;
	put(now, end, ring.id, key);
	if (type < virtio_resp_err)
		return;
	error.type = GRTRACE_ERROR;
	error.kind = GRTRACE_ERROR_HOST;
	error.code = static_cast<int32_t>(type);
	put(now, error, ring.id, key);
}

// ---------------------------------------------------------------------- i915

void Translator::i915_add(const Now &now)
{
	TraceRing &ring =
		rings_.find_i915(now.number(Field::device), now.number(Field::engine_class),
				 now.number(Field::instance));

	ring.wanted = filter_.wants(ring);
	i915_jobs_.submit(now.job(), ring.id);
	emit(now, GRTRACE_SUBMIT, ring.id, now.job());
}

// A request that leaves the engine may be done, or preempted.
void Translator::i915_job(const Now &now, uint16_t type)
{
	const FenceId key = now.job();
	const uint32_t ring = i915_jobs_.ring_of(key);

	if (type == GRTRACE_COMMIT)
		emit_fence(now, type, ring, key, key);
	else if (now.number(Field::completed) && i915_jobs_.find(key))
		emit(now, type, ring, key);
}

void Translator::i915_wait(const Now &now, bool begins)
{
	const auto doubled = doubled_.find(now.pid);

	if (doubled != doubled_.end() && doubled->second == now.job())
		return;
	emit(now, begins ? GRTRACE_SYNC_WAIT_ENTER : GRTRACE_SYNC_WAIT_EXIT, 0, now.job());
	waits(now, begins);
}

// It is signalled in the interrupt if there is a listener, otherwise when the request is
// retired.
void Translator::i915_signaled(const Now &now, const FenceId &fence)
{
	const FenceId key = {i915_jobs_.whole(fence.ctx), fence.seqno};
	const uint32_t ring = i915_jobs_.ring_of(key);

	if ((now.flags & GRTRACE_IN_MASK) == GRTRACE_IN_HARDIRQ)
		emit(now, GRTRACE_END, ring, key);
	emit(now, GRTRACE_COMPLETE, ring, key);
	i915_jobs_.end(key);
}

// ---------------------------------------------------------- around the rings

void Translator::waits(const Now &now, bool begins)
{
	if (!has_sched_)
		return;
	if (begins)
		waiting_[now.pid]++;
	else if (const auto task = waiting_.find(now.pid);
		 task != waiting_.end() && !--task->second)
		waiting_.erase(task);
}

// DRM_WEDGE_RECOVERY_* in words, as the event prints them, or their number.
static uint64_t wedge_methods(std::string_view words)
{
	static constexpr std::string_view names[] = {"none", "rebind", "bus-reset",
						     "vendor-specific"};
	uint64_t methods = 0;

	if (parse_id(words, UINT32_MAX, methods))
		return methods;
	while (!words.empty()) {
		const size_t comma = std::min(words.find(','), words.size());

		for (size_t i = 0; i < std::size(names); i++)
			if (words.substr(0, comma) == names[i])
				methods |= 1ull << i;
		words.remove_prefix(std::min(comma + 1, words.size()));
	}
	return methods;
}

// The device is a ring without jobs, as in the module's source.
void Translator::wedged(const Now &now)
{
	TraceRing &ring = rings_.find(now.text(Field::device), "device");
	const std::string_view words = now.text(Field::method);
	const uint64_t methods = words.empty() ? now.number(Field::method) : wedge_methods(words);
	NewRecord error;

	ring.engine_class = GRTRACE_CLASS_OTHER;
	ring.flags = GRTRACE_RING_DEVICE;
	ring.wanted = filter_.wants(ring);
	error.type = GRTRACE_ERROR;
	error.kind = GRTRACE_ERROR_WEDGED;
	error.code = static_cast<int32_t>(std::min<uint64_t>(methods, INT32_MAX));
	error.guilty_pid = static_cast<uint32_t>(now.number(Field::pid));
	error.guilty_comm = now.text(Field::comm);
	put(now, error, ring.id, {});
}

// The event has no device.
void Translator::vblank(const Now &now)
{
	sink_.message(now.cpu, now.ts, now.pid,
		      fmt::format("vblank crtc={} seq={}", now.number(Field::crtc),
				  uint32_t(now.number(Field::seqno))));
}

void Translator::task_switch(const Now &now)
{
	const uint32_t from = now.number(Field::pid);
	const uint32_t to = now.number(Field::next_pid);

	// A task that could run is not asleep, but has no CPU.
	if (waiting_.count(from))
		sink_.message(now.cpu, now.ts, from,
			      fmt::format("waiter {} {}", from,
					  now.number(Field::state) & 0xff ?
						  "sleeps" :
						  "has to let others run"));
	if (waiting_.count(to))
		sink_.message(now.cpu, now.ts, to, fmt::format("waiter {} runs", to));
}

void Translator::task_wakeup(const Now &now)
{
	const uint32_t pid = now.number(Field::pid);

	if (waiting_.count(pid))
		sink_.message(now.cpu, now.ts, now.pid, fmt::format("waiter {} is woken", pid));
}

} // namespace grtrace
