// SPDX-License-Identifier: GPL-2.0
//
// Translator: turns the kernel's own events into records.
//
// Events are mapped as in the module's sources (drivers/gpu/grtrace/source_*.c), if they
// have the same facts as the probes:
//
// (translator_drivers.cpp has the events of drivers that files may have instead of the
// scheduler's.)
//
//	SUBMIT    drm_sched_job_queue (drm_sched_job), virtio_gpu_cmd_queue,
//	          i915_request_add, amdgpu_userq_emit_fence
//	DEP       drm_sched_job_add_dep
//	BLOCKED   drm_sched_job_unschedulable (drm_sched_job_wait_dep, if its fence
//	          was made during the recording and is not yet signalled; in files
//	          also if the fence is that of a job in flight)
//	PICK      drm_sched_job_run (drm_run_job)
//	COMMIT    drm_sched_job_hw_fence, else dma_fence_signaled of a scheduled fence;
//	          i915_request_execute; amdgpu_userq_emit_fence
//	END       drm_sched_job_done (drm_sched_process_job),
//	          virtio_gpu_cmd_response, i915_request_out
//	COMPLETE  dma_fence_signaled of a job's fence
//	ERROR     virtio_gpu_cmd_response, if the host refused;
//	          amdgpu_userq_state_changed, if a queue hangs; drm_dev_wedged
//	QUEUE     amdgpu_userq_state_changed; xe_exec_queue_scheduling_enable, _disable
//	FENCE     dma_fence_signaled of all others
//	SYNC_WAIT_ENTER, _EXIT
//	          dma_fence_wait_start, _end; i915_request_wait_begin, _end;
//	          dma_fence_wait_any_start, _end and drm_syncobj_wait_start, _end,
//	          the only ones that have a result
//	MESSAGE   drm_vblank_event; sched_switch and sched_wakeup of tasks that
//	          wait
//
// FENCE_NAMEs have the names that dma_fence's events give a fence that does not belong to a job.
//
// A COMMIT has no fence other than the job's own where no event names the hardware
// fence, as drm_sched_job_hw_fence of our patches does. On amdgpu it has the last fence
// that was made for the ring (dma_fence_init) since the driver got the job
// (amdgpu_sched_run_job). A COMPLETE has no result. Kernels before 6.17 identify a job
// by the address of its fence; its key comes from an earlier event of the same task
// (dma_fence_init, amdgpu_cs_ioctl), or from amdgpu's event when the job runs.
#pragma once

#include "words/translate/kernel_event.h"
#include "words/translate/named_fences.h"
#include "words/translate/record_filter.h"
#include "words/translate/record_sink.h"
#include "words/translate/ring_names.h"
#include "words/translate/running_jobs.h"
#include "words/translate/same_names.h"
#include "words/translate/sched_jobs.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace grtrace {

class DeviceNames;
class TaskNames;

// Takes the events of all CPUs in the order of their time. Memory grows with rings,
// contexts, tasks and jobs in flight.
class Translator {
public:
	// All arguments must outlive it.
	Translator(RecordFilter filter, DeviceNames &devices, TaskNames &tasks, RecordSink &sink);
	~Translator();

	// Events of this kind may come from now on.
	void expect(TraceKind kind);

	void take(const KernelEvent &event);

	// The events come from a file, which may lack the events that have the keys of
	// jobs. Such a job gets a key of this program: a context for its ring and entity,
	// and the number that the scheduler gave it.
	// Any of its events may come.
	void make_keys() { makes_keys_ = has_old_ = true; }
	uint64_t made_keys() const { return made_keys_; }
	// Drivers' events of jobs become jobs, unless the scheduler's events of the same jobs
	// are expected.
	void take_drivers() { takes_drivers_ = true; }

	// The first jobs of a file whose events name no device.
	void foresee(const std::vector<SameNames::Job> &jobs) { same_names_.foresee(jobs); }

	// The task of this event has got another name.
	void rename_task(uint32_t pid);

	// A note about the task that wrote it.
	void message(const KernelEvent &event, std::string_view text);

	// The kernel lost events before the next one.
	void lose() { jobs_.lose(); }

	const RingNames &rings() const { return rings_; }
	RingNames &rings() { return rings_; }

	// Returns how many events could not be recorded because the beginning of their jobs
	// was not seen.
	uint64_t untold() const { return untold_; }

private:
	// Below the contexts of virtqueues, for the same reason (ring_names.cpp).
	static constexpr uint32_t first_made_ctx = 0x70000000;
	static constexpr uint32_t last_made_ctx = 0x7fff0000;

	static constexpr uint64_t no_task = UINT64_MAX;

	struct MadeContext {
		uint32_t ctx = 0;
		uint32_t seqno = 0; // of the last job whose event has no number
	};
	struct Cpu {
		FenceId emitted; // last one on this CPU; seqno 0: it was used
		std::unordered_set<uint32_t> tasks;
		uint64_t last_task = no_task; // one of them: mostly the next event's, too
		std::vector<bool> rings;
	};

	// A queue that user space fills, from the first event about it to its end.
	struct UserQueue {
		uint64_t ctx = 0; // of its fences; 0: not known yet
		bool begins = false; // it was created, and not yet on
		bool ends = false;
		bool was_off = false;
	};

	// The current event.
	struct Now : KernelEvent {
		bool in_task() const;
		uint64_t number(Field field) const { return fields->number(field); }
		std::string_view text(Field field) const { return fields->text(field); }
		FenceId job() const;
		FenceId fence() const;
	};

	void emit(const Now &now, uint16_t type, uint32_t ring, const FenceId &key,
		  uint16_t arg = 0);
	void emit_fence(const Now &now, uint16_t type, uint32_t ring, const FenceId &key,
			const FenceId &fence);
	void put(const Now &now, NewRecord &record, uint32_t ring, const FenceId &key);
	void tell_task(const Now &now);
	void tell_ring(const Now &now, const TraceRing &ring);
	void tell_fence(const Now &now, const NewRecord &record);
	void learn_fence(const Now &now);
	Cpu &cpu(uint32_t number)
	{
		if (number >= cpus_.size())
			cpus_.resize(number + 1);
		return cpus_[number];
	}

	void sched_queue(const Now &now);
	FenceId job_fence(const FenceId &fence);
	void sched_dep(const Now &now, uint16_t type);
	void sched_run(const Now &now);
	void sched_commit(const Now &now);
	void sched_done(const Now &now, const FenceId &key);
	void old_queue(const Now &now);
	static bool is_made(const FenceId &key);
	TraceRing &ring_of_name(std::string_view name, size_t number);
	TraceRing &ring_of_job(const Now &now);
	FenceId make_key(const Now &now, const TraceRing &ring);
	bool find_old(const Now &now, FenceId *key);
	void old_run(const Now &now);
	void old_wait(const Now &now);
	bool is_in_flight(const FenceId &fence);
	void old_done(const Now &now);
	void fence_init(const Now &now);
	void fence_emit(const Now &now);
	void fence_signaled(const Now &now);
	void sched_signaled(const Now &now, const FenceId &fence);
	void fence_wait(const Now &now, bool begins);
	void other_wait_begins(const Now &now);
	void other_wait_ends(const Now &now, int64_t result);
	static int64_t any_result(const Now &now);
	void wedged(const Now &now);
	static bool virtio_number(const Now &now, uint32_t *number);
	void virtio_queue(const Now &now);
	void virtio_response(const Now &now);
	void i915_add(const Now &now);
	void i915_job(const Now &now, uint16_t type);
	void i915_wait(const Now &now, bool begins);
	void i915_signaled(const Now &now, const FenceId &fence);
	void driver_event(const Now &now);
	FenceId driver_key(const TraceRing &ring, uint64_t queue, uint64_t number);
	void driver_queue(const Now &now, TraceRing &ring, const FenceId &key);
	void driver_run(const Now &now, TraceRing &ring, const FenceId &key);
	void driver_done(const Now &now, const TraceRing &ring, const FenceId &key);
	TraceRing &v3d_ring(const Now &now, const char *name);
	static uint64_t v3d_address(const Now &now);
	void v3d_queue(const Now &now);
	bool v3d_find(const Now &now, const TraceRing &ring, FenceId *key);
	void v3d_run(const Now &now, const char *name);
	void v3d_done(const Now &now, const char *name);
	void emit_at(const Now &now, uint64_t ts, uint16_t type, uint32_t ring, const FenceId &key);
	void msm_times(const Now &now, const TraceRing &ring, const FenceId &key);
	void msm_event(const Now &now);
	void xe_event(const Now &now);
	void xe_queue(const Now &now, TraceRing &ring);
	void xe_run(const Now &now, TraceRing &ring, const FenceId &key);
	void xe_job_error(const Now &now, TraceRing &ring, const FenceId &key);
	void xe_queue_error(const Now &now, TraceRing &ring);
	void lima_event(const Now &now);
	void amdgpu_ioctl(const Now &now);
	void amdgpu_run(const Now &now);
	void amdgpu_pick(const Now &now, const FenceId &key);
	void amdgpu_userq_fence(const Now &now);
	void amdgpu_userq_begins(const Now &now);
	uint32_t amdgpu_userq_reason(const Now &now, UserQueue &queue) const;
	void amdgpu_userq_state(const Now &now);
	void amdgpu_userq_ends(const Now &now);
	void amdgpu_userq_gone(const Now &now);
	UserQueue &userq(const Now &now);
	static std::string userq_name(const Now &now);
	void waits(const Now &now, bool begins);
	void vblank(const Now &now);
	void task_switch(const Now &now);
	void task_wakeup(const Now &now);

	const RecordFilter filter_;
	TaskNames &tasks_;
	RecordSink &sink_;
	RingNames rings_;
	std::vector<Cpu> cpus_;
	SchedJobs jobs_;
	SchedJobs i915_jobs_;
	ArmedJobs armed_;
	RunningJobs running_;
	SameNames same_names_;
	OpenFences open_;
	NamedFences fences_;
	std::map<std::pair<uint64_t, uint64_t>, UserQueue> userqs_; // by type and doorbell
	std::unordered_map<uint32_t, unsigned int> waiting_; // by task
	std::unordered_map<uint32_t, std::vector<FenceId>> claimed_; // waits
	// Waits, by task, that i915 may report as well: whether it does is not known until
	// its first event of a wait.
	std::unordered_map<uint32_t, FenceId> doubled_;
	bool makes_keys_ = false;
	uint64_t made_keys_ = 0; // how many jobs have one
	// By ring, and entity or queue.
	std::map<std::pair<uint32_t, uint64_t>, MadeContext> made_;
	uint32_t next_made_ctx_ = first_made_ctx;
	std::unordered_set<uint32_t> resubmitted_; // rings whose jobs may run again
	bool has_old_ = false; // jobs have addresses
	bool takes_drivers_ = false;
	bool has_ends_ = false; // that jobs are done is reported
	bool has_signals_ = false; // that fences are signalled is
	bool has_queue_ = false; // the scheduler reports that jobs are queued
	bool has_i915_waits_ = false;
	bool has_userq_ends_ = false; // that user queues are destroyed is reported
	bool has_sched_ = false; // there are events of tasks
	uint64_t untold_ = 0;
};

} // namespace grtrace
