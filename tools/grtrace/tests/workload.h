// SPDX-License-Identifier: GPL-2.0
//
// Workload: GPUs at work, simulated; the capture of it, and what really was.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <drm/grtrace_drm.h>

#include "channels.h"
#include "dice.h"
#include "next_actor.h"

namespace grtrace {

struct WorkloadOptions {
	uint64_t seed = 1;
	uint64_t jobs = 1000; // submitted while it records
	uint64_t warm_jobs = 0; // submitted before
	uint32_t devices = 2;
	uint32_t rings = 4;
	uint32_t queues = 1; // of a ring that work side by side
	uint32_t processes = 4;
	uint32_t contexts = 2; // of a process, each for one ring
	bool steady = false; // all times the same
	bool tells_start = true; // on every other ring
	bool tells_commit = true;
	bool recycle = false; // a context's id is used again
	bool wrap = false; // seqnos begin shortly before 2^32
	bool reorder = false; // clocks are read before gseq is taken
	bool clients = false; // DRM clients are recorded
	bool drain = true; // no job is cut by the end of the capture
	unsigned int fail_permille = 0;
	unsigned int hang_permille = 0;
	unsigned int endless_permille = 0; // their end is not recorded
	unsigned int depend_permille = 0;
	unsigned int preempt_permille = 0;
	unsigned int wait_permille = 0;
	Channels::Options channels;
};

// A job as it really was; ns, none where it did not come to that.
struct TrueJob {
	static constexpr uint64_t none = UINT64_MAX;

	uint64_t ctx = 0;
	uint64_t seqno = 0; // with the wraps
	uint32_t ring = 0;
	uint32_t pid = 0;
	uint64_t client = 0; // 0: not recorded
	uint64_t submit = none;
	uint64_t blocked = none;
	uint64_t pick = none;
	uint64_t commit = none;
	uint64_t start = none;
	uint64_t end = none;
	uint64_t complete = none;
	uint64_t wait_ns = 0; // its process, for it
	int32_t error = 0;
	uint32_t dependencies = 0;
	bool preempted = false;
	uint32_t recorded = 0; // bit by event type: such a record is there
};

// Processes submit jobs to rings by contexts; a scheduler per ring takes them
// in turns, one context after the other, unless they depend on a job that is
// not done; the ring's hardware queues execute in order; an interrupt reports.
// Each of these is an actor, which has a next moment; the earliest acts and
// says when it will act again. Memory is that of the jobs in flight.
//
// On half of the rings an END record is the end, on the others the hardware
// fence. A job starts when it is committed and the one before it in
// its queue has ended, whichever is later, on the nanosecond.
class Workload {
public:
	using Truth = std::function<void(const TrueJob &job)>;

	// truth may be empty. Works until warm_jobs are submitted.
	Workload(const WorkloadOptions &options, Channels::Flush flush, Truth truth);

	// The beginning of the capture, as a fixture for Synth.
	std::string tables() const;
	void run();
	const Channels::Totals &totals() const { return channels_.totals(); }

private:
	static constexpr uint32_t nil = UINT32_MAX;

	struct Job {
		TrueJob told;
		uint64_t serial = 0; // 0: the slot is free
		uint64_t depends_on = 0; // serial, 0: on none
		uint32_t dependency = nil; // its slot
		uint32_t context = 0;
		uint32_t queue = 0;
		uint32_t fence = 0; // seqno of its hardware fence
		uint32_t next = nil; // in its context
		uint32_t next_queued = nil; // in a queue or the interrupt's
		uint32_t blocks = nil; // first context that it blocks
		bool waited_for = false;
		bool hangs = false;
		bool silent = false; // its end will not be recorded
	};
	struct Fifo {
		uint32_t first = nil;
		uint32_t last = nil;
	};
	struct Context {
		uint64_t id = 0;
		uint64_t first_seqno = 0; // minus one
		uint64_t seqno = 0; // of the last job
		uint64_t age = 0; // jobs since the id was taken
		uint32_t ring = 0;
		uint32_t process = 0;
		uint32_t oldest = nil; // job in flight
		uint32_t newest = nil;
		uint32_t waiting = nil; // first that is not picked
		uint32_t in_flight = 0;
		uint32_t next = nil; // in its ring's turn, or of those a job blocks
		bool queued = false; // in the turn, or blocked by a job
	};
	struct Process {
		uint32_t pid = 0;
		uint32_t cpu = 0;
		uint64_t waits_since = 0;
		bool wakes = false; // the job is done, the task not yet awake
		uint64_t fence_ctx = 0; // it waits for
		uint32_t fence_seqno = 0;
		bool named = false; // a TASK record was tried
	};
	struct Ring {
		Fifo turn; // contexts with jobs to pick
		Fifo ended; // jobs that the interrupt has to report
		uint32_t picked = nil; // job that is about to be committed
		uint32_t committed = 0;
		uint32_t cpu = 0;
		uint32_t pid = 0; // of its scheduler
		bool named = false;
	};
	struct Queue {
		Fifo jobs; // the first executes
		uint64_t fence_ctx = 0;
		uint32_t fence_seqno = 0;
		uint32_t last_seqno = 0; // of the job before
		uint64_t last_ctx = 0;
		uint64_t left = 0; // ns to execute after a preemption
		bool away = false; // preempted
	};

	// A record whose gseq is taken after that of the next one.
	struct Held {
		NewEvent event;
		uint32_t cpu = 0;
		uint32_t job = nil;
		bool used = false;
	};

	uint32_t scheduler_of(uint32_t ring) const;
	uint32_t interrupt_of(uint32_t ring) const;
	uint32_t actor_of(uint32_t queue) const;
	bool tells_start(uint32_t ring) const;
	bool tells_end(uint32_t ring) const;
	bool tells_switch(uint32_t ring) const;
	bool tells_preempted(uint32_t ring) const;
	uint64_t time(uint64_t mean);

	void set_up_contexts();
	void set_up_queues();
	void act();
	void process_acts(uint32_t number);
	void scheduler_acts(uint32_t number);
	void queue_acts(uint32_t number);
	void interrupt_acts(uint32_t number);

	void recycle(Context &context);
	void submit(Process &process, uint32_t number);
	void depend(uint32_t job);
	void wait(Process &process, uint32_t job);
	void wake(uint32_t number, Job &job);
	void enqueue(uint32_t context);
	void wake_scheduler(uint32_t ring);
	bool may_pick(uint32_t job);
	void pick(uint32_t ring, uint32_t context);
	void commit(uint32_t job);
	void begin(uint32_t queue);
	bool switches(uint32_t queue);
	void leave(uint32_t job);

	void name_task(Process &process);
	static uint64_t client_of(const TrueJob &job, uint32_t context);
	void name_ring(uint32_t number);
	void tell(uint32_t cpu, NewEvent &event, uint32_t job);
	void write(uint32_t cpu, const NewEvent &event, uint32_t job);
	void write_held();
	void tell_job(uint32_t job, uint16_t type, uint32_t cpu, uint32_t pid, uint16_t flags,
		      uint16_t arg = 0);
	void tell_fence(uint32_t job, uint16_t type, uint32_t cpu, uint32_t pid, uint64_t fence_ctx,
			uint32_t fence_seqno);
	void tell_wait(const Process &process, bool enters);
	void tell_switch(uint32_t job, bool away);
	void tell_error(uint32_t job);
	void tell_end(uint32_t job);
	void tell_complete(uint32_t job);
	void tell_truth(const Job &job) const;

	WorkloadOptions options_;
	Dice dice_;
	Channels channels_;
	Truth truth_;
	NextActor next_;
	std::vector<Job> jobs_;
	std::vector<uint32_t> free_;
	std::vector<Context> contexts_;
	std::vector<Process> processes_;
	std::vector<Ring> rings_;
	std::vector<Queue> queues_;
	Held held_;
	uint64_t now_ = 1000000;
	uint64_t start_ts_;
	uint64_t serial_ = 0; // jobs submitted so far
	uint64_t last_serial_; // no more are submitted
	bool recording_ = false;
};

} // namespace grtrace
