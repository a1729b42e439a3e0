// SPDX-License-Identifier: GPL-2.0
//
// The records of the actors of the workload, and which actor writes which.
#include "workload.h"

#include <cerrno>

#include <fmt/format.h>

namespace grtrace {

constexpr uint16_t in_interrupt = GRTRACE_TIME_INTERRUPT | GRTRACE_IN_HARDIRQ;

bool Workload::tells_start(uint32_t ring) const
{
	return options_.tells_start && ring % 2 == 0;
}

// Else its hardware fence shows it.
bool Workload::tells_end(uint32_t ring) const
{
	return ring % 4 < 2;
}

bool Workload::tells_switch(uint32_t ring) const
{
	return tells_start(ring);
}

// Else what a switch left is done if it has an END.
bool Workload::tells_preempted(uint32_t ring) const
{
	return tells_switch(ring) && ring % 4 == 0;
}

// Two devices of one model have the same driver and the same rings.
static std::string device_name(uint32_t device)
{
	return fmt::format("0000:{:02x}:00.0", device + 3);
}

static std::string ring_name(uint32_t ring, uint32_t devices)
{
	return fmt::format("ring{}", ring / devices);
}

static uint32_t engine_class(uint32_t ring, uint32_t devices)
{
	return GRTRACE_CLASS_RENDER + ring / devices % GRTRACE_CLASS_OTHER;
}

std::string Workload::tables() const
{
	std::string text =
		fmt::format("session {:#x}\ncpu none\n"
			    "info start={} real=1700000000000000000 features={} cpus={} subbuf={}\n"
			    "meta source drm_sched 6 6\nmeta source dma_fence 4 4\n",
			    Channels::session, start_ts_,
			    (options_.channels.overwrite_permille ? GRTRACE_FEATURE_OVERWRITE : 0) |
				    (options_.channels.names ? GRTRACE_FEATURE_NAMES : 0),
			    options_.channels.cpus, options_.channels.subbuf_size);

	// Rings of the last device come to be known when they are used.
	for (uint32_t i = 0; i < options_.rings; i++)
		if (i % options_.devices + 1 < options_.devices)
			text += fmt::format("ring id={} class={} device={} driver=mock "
					    "name={}\n",
					    i + 1, engine_class(i, options_.devices),
					    device_name(i % options_.devices),
					    ring_name(i, options_.devices));
	return text;
}

void Workload::name_task(Process &process)
{
	if (process.named || !recording_)
		return;
	process.named = true;
	// Two threads to a process.
	channels_.write_task(process.cpu, now_, process.pid, process.pid - process.pid % 2,
			     fmt::format("app-{}", process.pid));
}

// A file for each context, as where a process opens the device again; but the first context
// is the kernel's, with jobs of two kinds.
uint64_t Workload::client_of(const TrueJob &job, uint32_t context)
{
	return context ? 20 + context : UINT64_MAX - job.seqno % 2;
}

void Workload::name_ring(uint32_t number)
{
	Ring &ring = rings_[number];
	uint32_t device = number % options_.devices;

	ring.named = true;
	channels_.write_task(ring.cpu, now_, ring.pid, ring.pid,
			     fmt::format("kworker/{}:1", ring.cpu));
	if (device + 1 == options_.devices)
		channels_.write_ring(ring.cpu, now_, number + 1,
				     engine_class(number, options_.devices), device_name(device),
				     "mock", ring_name(number, options_.devices));
}

void Workload::write(uint32_t cpu, const NewEvent &event, uint32_t job)
{
	bool written = channels_.write(cpu, event);

	if (written && job != nil)
		jobs_[job].told.recorded |= 1u << event.type;
}

void Workload::write_held()
{
	if (!held_.used)
		return;
	held_.used = false;
	write(held_.cpu, held_.event, held_.job);
}

void Workload::tell(uint32_t cpu, NewEvent &event, uint32_t job)
{
	if (!recording_)
		return;
	if (event.ring && !rings_[event.ring - 1].named)
		name_ring(event.ring - 1);
	event.ts = now_;
	if (!options_.reorder)
		return write(cpu, event, job);

	// On a CPU of its own nothing comes in between.
	if (held_.used && held_.cpu == cpu)
		write_held();
	if (!held_.used && dice_.chance(50)) {
		held_ = {event, cpu, job, true};
		return;
	}
	write(cpu, event, job);
	write_held();
}

void Workload::tell_job(uint32_t slot, uint16_t type, uint32_t cpu, uint32_t pid, uint16_t flags,
			uint16_t arg)
{
	const TrueJob &job = jobs_[slot].told;
	NewEvent event;

	event.type = type;
	event.ctx = job.ctx;
	event.seqno = static_cast<uint32_t>(job.seqno);
	event.ring = job.ring;
	event.pid = pid;
	event.flags = flags;
	event.arg = arg;
	if (type == GRTRACE_SUBMIT)
		event.client = job.client;
	tell(cpu, event, slot);
}

void Workload::tell_fence(uint32_t slot, uint16_t type, uint32_t cpu, uint32_t pid,
			  uint64_t fence_ctx, uint32_t fence_seqno)
{
	const TrueJob &job = jobs_[slot].told;
	NewEvent event;

	event.type = type;
	event.ctx = job.ctx;
	event.seqno = static_cast<uint32_t>(job.seqno);
	event.ring = job.ring;
	event.pid = pid;
	event.fence_ctx = fence_ctx;
	event.fence_seqno = fence_seqno;
	if (type == GRTRACE_CTX_SWITCH && tells_preempted(job.ring - 1))
		event.arg = GRTRACE_SWITCH_DONE;
	tell(cpu, event, slot);
}

void Workload::tell_wait(const Process &process, bool enters)
{
	NewEvent event;

	event.type = enters ? GRTRACE_SYNC_WAIT_ENTER : GRTRACE_SYNC_WAIT_EXIT;
	event.ctx = process.fence_ctx;
	event.seqno = process.fence_seqno;
	event.pid = process.pid;
	tell(process.cpu, event, nil);
}

// There and back again.
void Workload::tell_switch(uint32_t slot, bool away)
{
	const TrueJob &job = jobs_[slot].told;
	NewEvent event;

	event.type = GRTRACE_CTX_SWITCH;
	event.ring = job.ring;
	event.flags = GRTRACE_TIME_HARDWARE | GRTRACE_IN_HARDIRQ;
	(away ? event.fence_ctx : event.ctx) = job.ctx;
	(away ? event.fence_seqno : event.seqno) = static_cast<uint32_t>(job.seqno);
	(away ? event.ctx : event.fence_ctx) = queues_[jobs_[slot].queue].fence_ctx;
	if (tells_preempted(job.ring - 1))
		event.arg = away ? GRTRACE_SWITCH_PREEMPTED : GRTRACE_SWITCH_DONE;
	tell(rings_[job.ring - 1].cpu, event, slot);
}

void Workload::tell_error(uint32_t slot)
{
	const TrueJob &job = jobs_[slot].told;
	const Ring &ring = rings_[job.ring - 1];
	NewEvent event;

	event.type = GRTRACE_ERROR;
	event.ctx = job.ctx;
	event.seqno = static_cast<uint32_t>(job.seqno);
	event.ring = job.ring;
	event.pid = ring.pid;
	event.kind = GRTRACE_ERROR_TIMEOUT;
	event.code = job.error;
	tell(ring.cpu, event, slot);
}

void Workload::tell_end(uint32_t slot)
{
	const Job &job = jobs_[slot];
	uint32_t ring = job.told.ring - 1;
	NewEvent event;

	if (tells_end(ring))
		return tell_job(slot, GRTRACE_END, rings_[ring].cpu, 0, in_interrupt);
	event.type = GRTRACE_FENCE;
	event.ctx = queues_[job.queue].fence_ctx;
	event.seqno = job.fence;
	event.flags = in_interrupt;
	tell(rings_[ring].cpu, event, slot);
}

void Workload::tell_complete(uint32_t slot)
{
	const TrueJob &job = jobs_[slot].told;
	uint32_t cpu = rings_[job.ring - 1].cpu;

	if (job.ring % 2)
		tell_job(slot, GRTRACE_IRQ, cpu, 0, in_interrupt);
	tell_job(slot, GRTRACE_COMPLETE, cpu, 0, in_interrupt, static_cast<uint16_t>(job.error));
}

void Workload::tell_truth(const Job &job) const
{
	if (truth_ && recording_)
		truth_(job.told);
}

} // namespace grtrace
