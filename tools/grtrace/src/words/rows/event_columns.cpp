// SPDX-License-Identifier: GPL-2.0
//
// A column is a line of the table, with its name, its meaning and the source of its value, so
// CSV, JSON, SQLite and the manual cannot disagree.
#include "words/rows/event_columns.h"

#include <fmt/format.h>

#include "lib/text/utf8_text.h"
#include "read/stream/note_text.h"
#include "words/ioctl/ioctl_call.h"
#include "words/rows/flag_names.h"

namespace grtrace {

namespace {

// Returns whether the record has the fields of a job's record.
bool has_job(const EventRow &row)
{
	return row.event.is_event() && row.kind && row.event.type != GRTRACE_IOCTL;
}

bool is_named(const EventRow &row)
{
	return row.kind || row.session.event_names.contains(row.event.type);
}

bool is_queue(const EventRow &row)
{
	return row.event.type == GRTRACE_QUEUE;
}

bool is_fence_name(const EventRow &row)
{
	return row.event.type == GRTRACE_FENCE_NAME;
}

uint32_t ring_of(const Event &event)
{
	if (event.type == GRTRACE_RING)
		return load32(event.raw + offsetof(grtrace_rec_ring, ring));
	return event.ring;
}

Cell only_if(bool there, auto value)
{
	return there ? Cell(value) : Cell();
}

// Cells that are copied from an event, its ring, or its record of one type.
template <auto field> Cell event_cell(EventRow &row)
{
	return row.event.*field;
}

template <auto field> Cell job_cell(EventRow &row)
{
	return only_if(has_job(row), row.event.*field);
}

template <auto field> Cell fence_cell(EventRow &row)
{
	return only_if(row.event.has_fence, row.event.*field);
}

template <auto field> Cell ring_cell(EventRow &row)
{
	return row.ring.known ? Cell(row.ring.*field) : Cell();
}

template <auto field> Cell lost_cell(EventRow &row)
{
	return row.event.type == GRTRACE_LOST ? Cell(lost_of(row.event).*field) : Cell();
}

template <auto field> Cell ioctl_cell(EventRow &row)
{
	return row.event.type == GRTRACE_IOCTL ? Cell(IoctlCall(row.event).*field) : Cell();
}

template <size_t field> Cell sample_cell(EventRow &row)
{
	return row.event.type == GRTRACE_SAMPLE ? Cell(load32(row.event.raw + field)) : Cell();
}

Cell type_cell(EventRow &row)
{
	if (is_named(row))
		return row.session.event_name(row.event.type);
	row.made = fmt::format("{}", row.event.type);
	return row.made;
}

Cell ring_id_cell(EventRow &row)
{
	const uint32_t ring = ring_of(row.event);

	return only_if(ring != GRTRACE_RING_NONE, ring);
}

bool is_submit(const EventRow &row)
{
	return row.event.type == GRTRACE_SUBMIT;
}

Cell where_cell(EventRow &row)
{
	const char *name = where_name(row.event.flags);

	return has_job(row) && name ? Cell(name) : Cell();
}

Cell code_cell(EventRow &row)
{
	if (row.event.type == GRTRACE_ERROR)
		return row.event.code;
	// 0 may be a result that is not known.
	if (row.event.type == GRTRACE_SYNC_WAIT_EXIT)
		return only_if(row.event.error(), row.event.error());
	return only_if(row.event.type == GRTRACE_COMPLETE, row.event.error());
}

Cell cgroup_cell(EventRow &row)
{
	const uint64_t cgroup = row.event.type == GRTRACE_IOCTL ?
					IoctlCall(row.event).cgroup :
				row.event.type == GRTRACE_TASK ?
					load64(row.event.raw + offsetof(grtrace_rec_task, cgroup)) :
					0;

	return only_if(cgroup, cgroup);
}

bool is_error(const EventRow &row)
{
	return row.event.type == GRTRACE_ERROR;
}

Cell guilty_pid_cell(EventRow &row)
{
	const uint32_t pid = is_error(row) ? error_detail_of(row.event).pid : 0;

	return only_if(pid, pid);
}

template <auto field> Cell error_text_cell(EventRow &row)
{
	row.made = is_error(row) ? printable(error_detail_of(row.event).*field) : "";
	return only_if(!row.made.empty(), std::string_view(row.made));
}

// The message as it was written: the program that parses the line decides what is
// harmless.
Cell text_cell(EventRow &row)
{
	if (row.event.type == GRTRACE_MESSAGE)
		return message_of(row.event);
	if (row.event.is_event())
		return {};
	row.made = note_text(row.event, row.session);
	return row.made;
}

// The name of the ioctl.
Cell ioctl_name_cell(EventRow &row)
{
	if (row.event.type != GRTRACE_IOCTL)
		return {};
	row.made = IoctlCall(row.event).name();
	return row.made;
}

// A number with a value that means "not known".
template <auto field, auto unknown> Cell known_cell(EventRow &row)
{
	const Cell cell = ioctl_cell<field>(row);

	return cell.value == Cell(unknown).value ? Cell() : cell;
}

Cell fence_name_cell(EventRow &row, size_t field, size_t size)
{
	if (!is_fence_name(row))
		return {};
	row.made = printable(text_field(row.event.raw + field, size));
	return row.made;
}

Cell client_cell(EventRow &row)
{
	const uint64_t client = is_submit(row) ? client_of(row.event) :
				is_queue(row)  ? queue_of(row.event).client :
						 0;

	return client ? Cell(client) : Cell();
}

Cell driver_cell(EventRow &row)
{
	const Cell cell = is_fence_name(row) ?
				  fence_name_cell(row, offsetof(grtrace_rec_fence_name, driver),
						  GRTRACE_DRIVER_LEN) :
				  ioctl_cell<&IoctlCall::driver>(row);

	return cell.value.index() ? cell : ring_cell<&Ring::driver>(row);
}

using Sample = grtrace_rec_sample;

const EventColumn columns[] = {
	{"capture", "text", "name of the capture", [](EventRow &r) { return Cell(r.capture); }},
	{"cpu", "number", "CPU that recorded it", event_cell<&Event::cpu>},
	{"gseq", "number", "sequence number in the session; NA for LOST",
	 [](EventRow &r) { return only_if(r.event.sequenced, r.event.gseq); }},
	{"cseq", "number", "sequence number on its CPU; for LOST that of the first lost record",
	 event_cell<&Event::cseq>},
	{"ts", "number", "time, ns of the session's clock", event_cell<&Event::ts>},
	{"type", "text", "name of the type, else from METADATA, else its number", type_cell},
	{"letter", "text", "type by letter",
	 [](EventRow &r) { return only_if(is_named(r), r.session.event_letter(r.event.type)); }},
	{"pid", "number", "thread that was running; for TASK the one it describes",
	 [](EventRow &r) { return only_if(r.event.sequenced, r.event.pid); }},
	{"tgid", "number", "its process",
	 [](EventRow &r) { return r.task ? Cell(r.task->tgid) : Cell(); }},
	{"comm", "text", "its name",
	 [](EventRow &r) { return r.task ? Cell(r.task->name()) : Cell(); }},
	{"ctx", "id", "context of the job or fence",
	 [](EventRow &r) { return only_if(has_job(r) || is_fence_name(r), r.event.ctx); }},
	{"seqno", "id", "number in that context, the low 32 bits", job_cell<&Event::seqno>},
	{"ring", "number", "id of the ring; for RING the one it describes", ring_id_cell},
	{"ring_name", "text", "its name", ring_cell<&Ring::name>},
	{"dev", "text", "its device", ring_cell<&Ring::device_name>},
	{"engine", "text", "its engine class",
	 [](EventRow &r) {
		 return only_if(r.ring.known, r.session.class_name(r.ring.engine_class));
	 }},
	{"fence_ctx", "id", "context of the second fence", fence_cell<&Event::fence_ctx>},
	{"fence_seqno", "id", "its number there", fence_cell<&Event::fence_seqno>},
	{"kind", "number", "kind of an ERROR",
	 [](EventRow &r) { return only_if(r.event.type == GRTRACE_ERROR, r.event.kind); }},
	{"code", "number", "code of an ERROR; for COMPLETE 0 or -errno; for wait_exit -errno",
	 code_cell},
	{"arg", "number", "argument; for SUBMIT the priority + 1, for PICK the credits",
	 job_cell<&Event::arg>},
	{"flags", "number", "flags as recorded", job_cell<&Event::flags>},
	{"time_source", "text", "origin of ts: software, interrupt, hardware, inferred",
	 [](EventRow &r) { return only_if(has_job(r), time_source_name(r.event.flags)); }},
	{"weight", "number", "events that it represents, if jobs were sampled",
	 [](EventRow &r) { return only_if(r.event.is_event(), r.event.weight); }},
	{"text", "text", "a message, or the content of another note", text_cell},
	{"events", "number", "for LOST: events lost", lost_cell<&Lost::events>},
	{"notes", "number", "for LOST: notes lost", lost_cell<&Lost::notes>},
	{"first_ts", "number", "for LOST: when the first was lost", lost_cell<&Lost::first_ts>},
	{"last_ts", "number", "for LOST: when the last was lost", lost_cell<&Lost::last_ts>},
	{"limited", "number", "lost events that the rate limit refused", lost_cell<&Lost::limited>},
	{"pressure", "number", "lost events that backpressure refused", lost_cell<&Lost::pressure>},
	{"time", "number", "ts since the start of the session, ns",
	 [](EventRow &r) { return Cell(static_cast<int64_t>(r.event.ts - r.session.start_ts)); }},
	{"where", "text", "context of the CPU: task, softirq or hardirq (pid then unrelated)",
	 where_cell},
	{"kind_name", "text", "kind by name",
	 [](EventRow &r) {
		 return only_if(r.event.type == GRTRACE_ERROR, error_kind_name(r.event.kind));
	 }},
	{"sample", "number", "for SAMPLE: from here on, 1 job of this many is recorded",
	 sample_cell<offsetof(Sample, sample)>},
	{"previous", "number", "for SAMPLE: before it, 1 job of this many was recorded",
	 sample_cell<offsetof(Sample, previous)>},
	{"driver", "text", "driver of the ring's device, the ioctl's, or the fences'", driver_cell},
	{"elapsed", "number", "with -t: ns since the step before, see -t",
	 [](EventRow &r) { return only_if(r.elapsed != Job::none, r.elapsed); }},
	{"ioctl", "text", "for IOCTL: its name, or a number", ioctl_name_cell},
	{"duration", "number", "for IOCTL: ns from entry to return",
	 ioctl_cell<&IoctlCall::duration>},
	{"result", "number", "for IOCTL: what it returned; -errno on failure",
	 ioctl_cell<&IoctlCall::result>},
	{"handles", "number", "for IOCTL: buffer objects it names",
	 known_cell<&IoctlCall::handles, GRTRACE_HANDLES_UNKNOWN>},
	{"cgroup", "id", "for IOCTL and TASK: id of the task's cgroup", cgroup_cell},
	{"minor", "number", "for IOCTL: minor number of the device's node",
	 ioctl_cell<&IoctlCall::minor>},
	{"cmd", "number", "for IOCTL: its number, as user space gave it",
	 ioctl_cell<&IoctlCall::cmd>},
	{"client", "id", "for SUBMIT: the DRM client; for QUEUE its owner", client_cell},
	{"priority", "number", "for SUBMIT: the job's priority, 0 is the most urgent",
	 [](EventRow &r) { return only_if(is_submit(r) && r.event.arg, r.event.arg - 1u); }},
	{"command", "number", "virtio-gpu: type of a SUBMIT's command or an END's response",
	 [](EventRow &r) { return is_answered(r.event) ? Cell(command_of(r.event)) : Cell(); }},
	{"state", "text", "for QUEUE: on or off",
	 [](EventRow &r) {
		 return only_if(is_queue(r),
				queue_state_name(is_queue(r) ? queue_of(r.event).state : 0));
	 }},
	{"reason", "text", "for QUEUE: why",
	 [](EventRow &r) {
		 return only_if(is_queue(r),
				queue_reason_name(is_queue(r) ? queue_of(r.event).reason : 0));
	 }},
	{"timeline", "text", "for FENCE_NAME: the timeline, as its driver calls it",
	 [](EventRow &r) {
		 return fence_name_cell(r, offsetof(grtrace_rec_fence_name, timeline),
					GRTRACE_NAME_LEN);
	 }},
	{"guilty_pid", "number", "for ERROR: the thread to blame", guilty_pid_cell},
	{"guilty_comm", "text", "its name", error_text_cell<&ErrorDetail::comm>},
	{"error_text", "text", "for ERROR: what the driver says",
	 error_text_cell<&ErrorDetail::text>},
};

} // namespace

EventRow::EventRow(const Event &from, Session &of, std::string_view name, uint64_t since)
	: event(from), session(of), capture(name), kind(record_kind(from.type)),
	  ring(of.rings.find(ring_of(from))),
	  task(from.sequenced ? of.tasks.find(from.pid) : nullptr), elapsed(since)
{
}

std::span<const EventColumn> event_columns()
{
	return columns;
}

std::string describe_event_columns()
{
	return describe_columns(event_columns());
}

} // namespace grtrace
