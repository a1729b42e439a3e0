// SPDX-License-Identifier: GPL-2.0
//
// The actors of the workload; their records are made in workload_tell.cpp.
#include "workload.h"

#include <cerrno>

namespace grtrace {

// Mean times, ns.
constexpr uint64_t think_ns = 5000; // of a process between two jobs
constexpr uint64_t wake_ns = 2000; // a task or a scheduler, from sleep
constexpr uint64_t pick_ns = 300; // from job to job
constexpr uint64_t commit_ns = 500; // run_job()
constexpr uint64_t interrupt_ns = 900;
constexpr uint64_t exec_ns = 20000; // the shortest ring's
constexpr uint64_t timeout_ns = 2000000;

// Jobs of a context in flight before its process waits for the oldest.
constexpr uint32_t window = 4;
// Jobs a scheduler commits in advance, per queue.
constexpr uint32_t credits = 4;
// Jobs of a context before its id goes to another.
constexpr uint64_t recycle_age = 64;

template <auto Next, typename Fifo, typename Items>
static void push(Fifo &fifo, Items &items, uint32_t item)
{
	items[item].*Next = UINT32_MAX;
	if (fifo.first == UINT32_MAX)
		fifo.first = item;
	else
		items[fifo.last].*Next = item;
	fifo.last = item;
}

template <auto Next, typename Fifo, typename Items> static uint32_t pop(Fifo &fifo, Items &items)
{
	uint32_t item = fifo.first;

	fifo.first = items[item].*Next;
	return item;
}

uint64_t Workload::time(uint64_t mean)
{
	return options_.steady ? mean : dice_.spread(mean);
}

Workload::Workload(const WorkloadOptions &options, Channels::Flush flush, Truth truth)
	: options_(options), dice_(options.seed),
	  channels_(options.channels, dice_, std::move(flush)), truth_(std::move(truth)),
	  next_(options.processes + options.rings * (2 + options.queues)),
	  contexts_(options.processes * options.contexts), processes_(options.processes),
	  rings_(options.rings), queues_(options.rings * options.queues),
	  last_serial_(options.warm_jobs + options.jobs)
{
	set_up_queues();
	set_up_contexts();
	while (serial_ < options_.warm_jobs)
		act();
	start_ts_ = now_;
	recording_ = true;
}

void Workload::set_up_queues()
{
	for (uint32_t i = 0; i < queues_.size(); i++)
		queues_[i].fence_ctx = 1 + i;
	for (uint32_t i = 0; i < rings_.size(); i++) {
		rings_[i].cpu = dice_.below(options_.channels.cpus);
		rings_[i].pid = 100 + i;
	}
}

void Workload::set_up_contexts()
{
	for (uint32_t i = 0; i < contexts_.size(); i++) {
		Context &context = contexts_[i];

		// The kernel gives two contexts to each entity.
		context.id = queues_.size() + 1 + 2 * i;
		context.first_seqno = options_.wrap ? 0xfffffff0 : 0;
		context.seqno = context.first_seqno;
		context.process = i / options_.contexts;
		context.ring = i % options_.rings;
	}
	for (uint32_t i = 0; i < processes_.size(); i++) {
		Process &process = processes_[i];

		process.pid = 2000 + 10 * (i / 2) + i % 2;
		process.cpu = dice_.below(options_.channels.cpus);
		next_.set(i, now_ + i * think_ns / processes_.size());
	}
}

uint32_t Workload::scheduler_of(uint32_t ring) const
{
	return static_cast<uint32_t>(processes_.size()) + 2 * ring;
}

uint32_t Workload::interrupt_of(uint32_t ring) const
{
	return scheduler_of(ring) + 1;
}

uint32_t Workload::actor_of(uint32_t queue) const
{
	return static_cast<uint32_t>(processes_.size() + 2 * rings_.size()) + queue;
}

void Workload::act()
{
	uint32_t actor = next_.actor();
	uint32_t rings = static_cast<uint32_t>(rings_.size());

	now_ = next_.moment();
	if (actor < processes_.size())
		return process_acts(actor);
	actor -= static_cast<uint32_t>(processes_.size());
	if (actor >= 2 * rings)
		return queue_acts(actor - 2 * rings);
	return actor % 2 ? interrupt_acts(actor / 2) : scheduler_acts(actor / 2);
}

void Workload::run()
{
	while (next_.moment() != NextActor::never && (options_.drain || serial_ < last_serial_))
		act();
	write_held();
	for (const Job &job : jobs_)
		if (job.serial)
			tell_truth(job);
	channels_.finish();
}

// -------------------------------------------------------------- the processes

void Workload::process_acts(uint32_t number)
{
	Process &process = processes_[number];
	uint32_t context = number * options_.contexts + dice_.below(options_.contexts);

	if (process.wakes) {
		process.wakes = false;
		tell_wait(process, false);
	} else if (serial_ == last_serial_) {
		return next_.set(number, NextActor::never);
	} else if (contexts_[context].in_flight == window) {
		wait(process, contexts_[context].oldest);
		return next_.set(number, NextActor::never);
	} else {
		submit(process, context);
		if (dice_.chance(options_.wait_permille)) {
			wait(process, contexts_[context].newest);
			return next_.set(number, NextActor::never);
		}
	}
	if (dice_.chance(10))
		process.cpu = dice_.below(options_.channels.cpus);
	next_.set(number, now_ + time(think_ns));
}

// The next jobs of this id are another's, on another ring.
void Workload::recycle(Context &context)
{
	if (!options_.recycle || context.in_flight || context.age < recycle_age)
		return;
	context.age = 0;
	context.seqno = context.first_seqno;
	context.ring = dice_.below(options_.rings);
}

void Workload::submit(Process &process, uint32_t number)
{
	Context &context = contexts_[number];
	uint32_t slot;

	recycle(context);
	if (free_.empty()) {
		slot = static_cast<uint32_t>(jobs_.size());
		jobs_.emplace_back();
	} else {
		slot = free_.back();
		free_.pop_back();
		jobs_[slot] = {};
	}

	Job &job = jobs_[slot];
	job.serial = ++serial_;
	job.context = number;
	job.queue = context.ring * options_.queues + number % options_.queues;
	job.told.ctx = context.id;
	job.told.seqno = ++context.seqno;
	job.told.ring = context.ring + 1;
	job.told.pid = process.pid;
	job.told.submit = now_;
	(context.oldest == nil ? context.oldest : jobs_[context.newest].next) = slot;
	context.newest = slot;
	if (context.waiting == nil)
		context.waiting = slot;
	context.in_flight++;
	context.age++;

	name_task(process);
	if (options_.clients)
		job.told.client = client_of(job.told, number);
	// Each fourth context has no known priority.
	tell_job(slot, GRTRACE_SUBMIT, process.cpu, process.pid, 0, number % 4);
	if (dice_.chance(options_.depend_permille))
		depend(slot);
	if (!context.queued)
		enqueue(number);
}

// On the last job of another context.
void Workload::depend(uint32_t slot)
{
	uint32_t other = dice_.below(static_cast<uint32_t>(contexts_.size()));
	Job &job = jobs_[slot];
	uint32_t newest = contexts_[other].newest;

	if (other == job.context || newest == nil)
		return;
	job.dependency = newest;
	job.depends_on = jobs_[newest].serial;
	job.told.dependencies++;
	tell_fence(slot, GRTRACE_DEP, processes_[contexts_[job.context].process].cpu, job.told.pid,
		   jobs_[newest].told.ctx, static_cast<uint32_t>(jobs_[newest].told.seqno));
}

void Workload::wait(Process &process, uint32_t slot)
{
	Job &job = jobs_[slot];

	job.waited_for = true;
	process.waits_since = now_;
	process.fence_ctx = job.told.ctx;
	process.fence_seqno = static_cast<uint32_t>(job.told.seqno);
	tell_wait(process, true);
}

void Workload::wake(uint32_t number, Job &job)
{
	uint64_t moment = now_ + time(wake_ns);

	processes_[number].wakes = true;
	job.told.wait_ns += moment - processes_[number].waits_since;
	next_.set(number, moment);
}

// -------------------------------------------------------------- the scheduler

void Workload::enqueue(uint32_t number)
{
	Context &context = contexts_[number];

	context.queued = true;
	push<&Context::next>(rings_[context.ring].turn, contexts_, number);
	wake_scheduler(context.ring);
}

void Workload::wake_scheduler(uint32_t number)
{
	Ring &ring = rings_[number];
	uint32_t actor = scheduler_of(number);

	if (ring.turn.first != nil && ring.committed < credits * options_.queues &&
	    next_.moment_of(actor) == NextActor::never)
		next_.set(actor, now_ + time(wake_ns));
}

bool Workload::may_pick(uint32_t slot)
{
	Job &job = jobs_[slot];

	if (!job.depends_on)
		return true;

	Job &dependency = jobs_[job.dependency];
	if (dependency.serial != job.depends_on)
		return true;
	contexts_[job.context].next = dependency.blocks;
	dependency.blocks = job.context;
	job.told.blocked = now_;
	tell_fence(slot, GRTRACE_BLOCKED, rings_[job.told.ring - 1].cpu,
		   rings_[job.told.ring - 1].pid, dependency.told.ctx,
		   static_cast<uint32_t>(dependency.told.seqno));
	return false;
}

void Workload::pick(uint32_t number, uint32_t context)
{
	Ring &ring = rings_[number];
	uint32_t slot = contexts_[context].waiting;

	ring.picked = slot;
	ring.committed++;
	jobs_[slot].told.pick = now_;
	tell_job(slot, GRTRACE_PICK, ring.cpu, ring.pid, 0, 1);
	contexts_[context].waiting = jobs_[slot].next;
	contexts_[context].queued = false;
	next_.set(scheduler_of(number), now_ + time(commit_ns));
	if (contexts_[context].waiting != nil)
		enqueue(context);
}

void Workload::scheduler_acts(uint32_t number)
{
	Ring &ring = rings_[number];
	uint32_t actor = scheduler_of(number);

	if (ring.picked != nil) {
		commit(ring.picked);
		ring.picked = nil;
		return next_.set(actor, now_ + time(pick_ns));
	}
	while (ring.turn.first != nil && ring.committed < credits * options_.queues) {
		uint32_t context = pop<&Context::next>(ring.turn, contexts_);

		if (may_pick(contexts_[context].waiting))
			return pick(number, context);
	}
	next_.set(actor, NextActor::never);
}

void Workload::commit(uint32_t slot)
{
	Job &job = jobs_[slot];
	Queue &queue = queues_[job.queue];
	const Ring &ring = rings_[job.told.ring - 1];

	job.told.commit = now_;
	job.fence = ++queue.fence_seqno;
	if (options_.tells_commit)
		tell_fence(slot, GRTRACE_COMMIT, ring.cpu, ring.pid, queue.fence_ctx, job.fence);
	bool idle = queue.jobs.first == nil;
	push<&Job::next_queued>(queue.jobs, jobs_, slot);
	if (idle)
		begin(job.queue);
}

// --------------------------------------------------------------- the hardware

void Workload::begin(uint32_t number)
{
	Queue &queue = queues_[number];
	uint32_t slot = queue.jobs.first;
	Job &job = jobs_[slot];
	uint32_t ring = job.told.ring - 1;
	uint64_t exec = time(exec_ns + ring % 8 * exec_ns / 4);

	job.told.start = now_;
	if (tells_switch(ring) && queue.last_ctx && queue.last_ctx != job.told.ctx)
		tell_fence(slot, GRTRACE_CTX_SWITCH, rings_[ring].cpu, 0, queue.last_ctx,
			   queue.last_seqno);
	if (tells_start(ring))
		tell_job(slot, GRTRACE_START, rings_[ring].cpu, 0,
			 GRTRACE_TIME_HARDWARE | GRTRACE_IN_HARDIRQ);

	job.hangs = dice_.chance(options_.hang_permille);
	job.silent = !job.hangs && dice_.chance(options_.endless_permille);
	if (job.hangs || job.silent)
		exec = timeout_ns;
	else if (tells_switch(ring) && dice_.chance(options_.preempt_permille))
		queue.left = exec / 2 + 1;
	next_.set(actor_of(number), now_ + exec - queue.left / 2);
}

// A preempted job's ring goes to the kernel's own context and back.
bool Workload::switches(uint32_t number)
{
	Queue &queue = queues_[number];

	if (!queue.left)
		return false;

	uint32_t slot = queue.jobs.first;
	tell_switch(slot, !queue.away);
	jobs_[slot].told.preempted = true;
	if (queue.away)
		queue.left = 0;
	queue.away = !queue.away;
	next_.set(actor_of(number), now_ + time(exec_ns));
	return true;
}

void Workload::queue_acts(uint32_t number)
{
	Queue &queue = queues_[number];

	if (switches(number))
		return;

	uint32_t slot = pop<&Job::next_queued>(queue.jobs, jobs_);
	Job &job = jobs_[slot];
	uint32_t ring = job.told.ring - 1;

	queue.last_ctx = job.told.ctx;
	queue.last_seqno = static_cast<uint32_t>(job.told.seqno);
	if (job.hangs) {
		job.told.error = -ETIME;
		tell_error(slot);
	} else if (!job.silent) {
		job.told.end = now_;
		tell_end(slot);
	}
	push<&Job::next_queued>(rings_[ring].ended, jobs_, slot);
	if (next_.moment_of(interrupt_of(ring)) == NextActor::never)
		next_.set(interrupt_of(ring), now_ + time(interrupt_ns));
	next_.set(actor_of(number), NextActor::never);
	if (queue.jobs.first != nil)
		begin(number);
}

void Workload::interrupt_acts(uint32_t number)
{
	Ring &ring = rings_[number];
	uint32_t slot = pop<&Job::next_queued>(ring.ended, jobs_);
	Job &job = jobs_[slot];

	if (!job.silent) {
		job.told.complete = now_;
		if (!job.hangs && dice_.chance(options_.fail_permille))
			job.told.error = -EIO;
		tell_complete(slot);
	}
	leave(slot);
	next_.set(interrupt_of(number),
		  ring.ended.first == nil ? NextActor::never : now_ + time(pick_ns));
}

void Workload::leave(uint32_t slot)
{
	Job &job = jobs_[slot];
	Context &context = contexts_[job.context];
	uint32_t ring = context.ring;

	rings_[ring].committed--;
	context.in_flight--;
	context.oldest = job.next;
	if (context.newest == slot)
		context.newest = nil;
	if (job.waited_for)
		wake(context.process, job);
	if (held_.used && held_.job == slot)
		write_held();
	tell_truth(job);
	job.serial = 0;
	free_.push_back(slot);
	for (uint32_t next, blocked = job.blocks; blocked != nil; blocked = next) {
		next = contexts_[blocked].next;
		enqueue(blocked);
	}
	wake_scheduler(ring);
}

} // namespace grtrace
