// SPDX-License-Identifier: GPL-2.0
#include "words/export/trace_text_line.h"

#include "format/vocabulary.h"
#include "lib/text/print_to.h"
#include "lib/text/utf8_text.h"
#include "words/ioctl/ioctl_call.h"

namespace grtrace {

namespace {

std::string ring_name(const Ring &ring, uint32_t id)
{
	return ring.known ? ring.name : fmt::format("ring{}", id);
}

// As the kernel prints a pointer. Those of the records are no pointers, but who
// reads them only asks whether two are the same.
std::string pointer(uint64_t ctx, uint64_t seqno)
{
	return fmt::format("{:016x}", ctx << 32 | (seqno & UINT32_MAX));
}

// Interrupts off, and where: the only flags that a record knows of.
const char *latency_flags(const Event &event)
{
	switch (event.flags & GRTRACE_IN_MASK) {
	case GRTRACE_IN_SOFTIRQ:
		return "..s..";
	case GRTRACE_IN_HARDIRQ:
		return "d.h..";
	}
	return ".....";
}

std::string comm_of(const Event &event, Session &session)
{
	const Task *task = session.tasks.find(event.pid);

	if (task)
		return printable(task->name());
	return event.pid ? "<...>" : "<idle>";
}

// The event of dma_fence. If no record names the fence, its ring does, if it has one.
void print_fence(fmt::memory_buffer &out, const char *name, const Event &event, const Ring &ring,
		 const Session &session)
{
	const FenceNames *names = session.fences.find(event.ctx);

	print_to(out, "{}: driver={} timeline={} context={} seqno={}\n", name,
		 names      ? names->driver :
		 ring.known ? ring.driver :
			      "?",
		 names      ? names->timeline :
		 ring.known ? ring.name :
			      "?",
		 event.ctx, event.seqno);
}

bool print_fence_event(fmt::memory_buffer &out, const Event &event, const Ring &ring,
		       const Session &session)
{
	switch (event.type) {
	case GRTRACE_FENCE:
		print_fence(out, "dma_fence_signaled", event, ring, session);
		return true;
	case GRTRACE_SYNC_WAIT_ENTER:
		print_fence(out, "dma_fence_wait_start", event, ring, session);
		return true;
	case GRTRACE_SYNC_WAIT_EXIT:
		print_fence(out, "dma_fence_wait_end", event, ring, session);
		return true;
	}
	return false;
}

// The kernel has no event for these.
void print_own(fmt::memory_buffer &out, const Event &event, const Ring &ring)
{
	const RecordKind *kind = record_kind(event.type);

	if (!kind) {
		print_to(out, "grtrace_unknown: type={}\n", event.type);
		return;
	}
	if (event.type == GRTRACE_IOCTL) {
		print_to(out, "grtrace_ioctl: {}\n", ioctl_text(event));
		return;
	}
	print_to(out, "grtrace_{}: dev={}, fence={}:{}, ring={}", kind->name,
		 ring.known ? ring.device_name : "?", event.ctx, event.seqno,
		 ring_name(ring, event.ring));
	if (event.has_fence)
		print_to(out, ", other fence={}:{}", event.fence_ctx, event.fence_seqno);
	if (event.type == GRTRACE_ERROR) {
		const ErrorDetail detail = error_detail_of(event);

		print_to(out, ", kind={}, code={}, pid={}, comm={}, text={}",
			 error_kind_name(event.kind), event.code, detail.pid,
			 printable(detail.comm), printable(detail.text));
	}
	if (event.type == GRTRACE_QUEUE)
		print_to(out, ", state={}, reason={}, client={}",
			 queue_state_name(queue_of(event).state),
			 queue_reason_name(queue_of(event).reason), queue_of(event).client);
	print_to(out, "\n");
}

} // namespace

void TraceTextLine::print_header(fmt::memory_buffer &out)
{
	print_to(out, "# tracer: nop\n"
		      "#\n"
		      "#                                _-----=> irqs-off\n"
		      "#                               / _----=> need-resched\n"
		      "#                              | / _---=> hardirq/softirq\n"
		      "#                              || / _--=> preempt-depth\n"
		      "#                              ||| / _-=> migrate-disable\n"
		      "#           TASK-PID     CPU#  |||||    TIMESTAMP  FUNCTION\n"
		      "#              | |         |   |||||       |         |\n");
}

bool TraceTextLine::print_scheduler(fmt::memory_buffer &out, const Event &event, const Ring &ring,
				    const TraceTextCounts &counts) const
{
	switch (event.type) {
	case GRTRACE_SUBMIT:
	case GRTRACE_PICK:
		print_to(out,
			 "drm_sched_job_{}: dev={}, fence={}:{}, ring={}, job count:{}, hw "
			 "job count:{}, client_id:{}\n",
			 event.type == GRTRACE_SUBMIT ? "queue" : "run",
			 ring.known ? ring.device_name : "?", event.ctx, event.seqno,
			 ring_name(ring, event.ring), counts.queued, counts.hardware,
			 counts.client);
		return true;
	case GRTRACE_COMMIT:
		// Only our kernel has it.
		print_to(out,
			 "drm_sched_job_hw_fence: dev={}, fence={}:{}, ring={}, hw "
			 "fence={}:{}, error=0, client_id:{}\n",
			 ring.known ? ring.device_name : "?", event.ctx, event.seqno,
			 ring_name(ring, event.ring), event.fence_ctx, event.fence_seqno,
			 counts.client);
		return true;
	case GRTRACE_COMPLETE:
		print_to(out, "drm_sched_job_done: fence={}:{} signaled\n", event.ctx, event.seqno);
		return true;
	case GRTRACE_DEP:
		print_to(out, "drm_sched_job_add_dep: fence={}:{} depends on fence={}:{}\n",
			 event.ctx, event.seqno, event.fence_ctx, event.fence_seqno);
		return true;
	case GRTRACE_BLOCKED:
		print_to(out,
			 "drm_sched_job_unschedulable: fence={}:{} depends on unsignalled "
			 "fence={}:{}\n",
			 event.ctx, event.seqno, event.fence_ctx, event.fence_seqno);
		return true;
	}
	return false;
}

bool TraceTextLine::print_old_scheduler(fmt::memory_buffer &out, const Event &event,
					const Ring &ring, const TraceTextCounts &counts) const
{
	switch (event.type) {
	case GRTRACE_SUBMIT:
	case GRTRACE_PICK:
		print_to(out,
			 "{}: entity={}, id={}, fence={}, ring={}, job count:{}, hw job count:{}\n",
			 event.type == GRTRACE_SUBMIT ? "drm_sched_job" : "drm_run_job",
			 pointer(0, event.ctx), event.ctx << 32 | event.seqno,
			 pointer(event.ctx, event.seqno), ring_name(ring, event.ring),
			 counts.queued, counts.hardware);
		return true;
	case GRTRACE_COMPLETE:
		print_to(out, "drm_sched_process_job: fence={} signaled\n",
			 pointer(event.ctx, event.seqno));
		return true;
	case GRTRACE_BLOCKED:
		print_to(out,
			 "drm_sched_job_wait_dep: job ring={}, id={}, depends fence={}, "
			 "context={}, seq={}\n",
			 ring_name(ring, event.ring), event.ctx << 32 | event.seqno,
			 pointer(event.fence_ctx, event.fence_seqno), event.fence_ctx,
			 event.fence_seqno);
		return true;
	}
	return false;
}

void TraceTextLine::print_fields(fmt::memory_buffer &out, const Event &event, Session &session,
				 const TraceTextCounts &counts) const
{
	const Ring &ring = session.rings.find(event.ring);

	if (event.type == GRTRACE_MESSAGE) {
		print_to(out, "tracing_mark_write: {}\n", printable(message_of(event)));
		return;
	}
	if (style_ == Style::old ? print_old_scheduler(out, event, ring, counts) :
				   print_scheduler(out, event, ring, counts))
		return;
	if (!print_fence_event(out, event, ring, session))
		print_own(out, event, ring);
}

void TraceTextLine::print_lost(fmt::memory_buffer &out, uint32_t cpu, uint64_t records)
{
	print_to(out, "CPU:{} [LOST {} EVENTS]\n", cpu, records);
}

void TraceTextLine::print(fmt::memory_buffer &out, const Event &event, Session &session,
			  const TraceTextCounts &counts) const
{
	if (event.type == GRTRACE_LOST) {
		print_lost(out, event.cpu, lost_of(event).records());
		return;
	}
	print_to(out, "{:>16}-{:<7} [{:03}] {} {:5}.{:09}: ", comm_of(event, session), event.pid,
		 event.cpu, latency_flags(event), event.ts / 1000000000, event.ts % 1000000000);
	print_fields(out, event, session, counts);
}

} // namespace grtrace
