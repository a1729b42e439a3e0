// SPDX-License-Identifier: GPL-2.0
//
// A column is a line of the table, with its name, its meaning and where its value comes from:
// CSV, JSON, SQLite and the manual cannot disagree.
#include "read/rows/event_columns.h"

#include <iterator>

#include <fmt/format.h>

#include "read/stream/ioctl_call.h"
#include "read/stream/note_text.h"

namespace grtrace {

namespace {

// Has the fields of a job's record.
bool has_job(const EventRow &row)
{
	return row.event.is_event() && row.kind && row.event.type != GRTRACE_IOCTL;
}

bool is_ioctl(const EventRow &row)
{
	return row.event.type == GRTRACE_IOCTL;
}

bool is_lost(const EventRow &row)
{
	return row.event.type == GRTRACE_LOST;
}

uint32_t ring_of(const Event &event)
{
	if (event.type == GRTRACE_RING)
		return load32(event.raw + offsetof(grtrace_rec_ring, ring));
	return event.ring;
}

Cell type_cell(EventRow &row)
{
	if (row.kind)
		return Cell::of(row.kind->name);
	if (row.session.event_names.contains(row.event.type))
		return Cell::of(row.session.event_name(row.event.type));
	row.made = fmt::format("{}", row.event.type);
	return Cell::of(row.made);
}

Cell where(uint16_t flags)
{
	const char *name = where_name(flags);

	return name ? Cell::of(name) : Cell::na();
}

Cell code_cell(EventRow &row)
{
	if (row.event.type == GRTRACE_ERROR)
		return Cell::of_signed(row.event.code);
	if (row.event.type == GRTRACE_COMPLETE)
		return Cell::of_signed(row.event.error());
	return Cell::na();
}

// A message as it was written: whoever takes the line apart decides what is
// harmless.
Cell text_cell(EventRow &row)
{
	if (row.event.type == GRTRACE_MESSAGE)
		return Cell::of(message_of(row.event));
	if (row.event.is_event())
		return Cell::na();
	row.made = note_text(row.event, row.session);
	return Cell::of(row.made);
}

// The name of what was called.
Cell ioctl_cell(EventRow &row)
{
	if (!is_ioctl(row))
		return Cell::na();
	row.made = IoctlCall(row.event).name();
	return Cell::of(row.made);
}

Cell handles_cell(EventRow &row)
{
	if (!is_ioctl(row))
		return Cell::na();

	const uint32_t handles = IoctlCall(row.event).handles;
	return handles == GRTRACE_HANDLES_UNKNOWN ? Cell::na() : Cell::of(handles);
}

Cell sample_cell(EventRow &row, size_t field)
{
	if (row.event.type != GRTRACE_SAMPLE)
		return Cell::na();
	return Cell::of(load32(row.event.raw + field));
}

const EventColumn columns[] = {
	{"capture", "text", "name of the capture", [](EventRow &r) { return Cell::of(r.capture); }},
	{"cpu", "number", "CPU that recorded it",
	 [](EventRow &r) { return Cell::of(r.event.cpu); }},
	{"gseq", "number", "number in the session; NA of LOST and with order=clock",
	 [](EventRow &r) {
		 return r.event.sequenced && !r.session.order_clock() ? Cell::of(r.event.gseq) :
									Cell::na();
	 }},
	{"cseq", "number", "number on its CPU; of LOST that of the first lost record",
	 [](EventRow &r) { return Cell::of(r.event.cseq); }},
	{"ts", "number", "time, ns of the session's clock",
	 [](EventRow &r) { return Cell::of(r.event.ts); }},
	{"type", "text", "type by name, if need be by that of METADATA; a number without one",
	 type_cell},
	{"letter", "text", "type by letter",
	 [](EventRow &r) {
		 return r.kind || r.session.event_names.contains(r.event.type) ?
				Cell::of(r.session.event_letter(r.event.type)) :
				Cell::na();
	 }},
	{"pid", "number", "thread that was running; of TASK the one it describes",
	 [](EventRow &r) { return r.event.sequenced ? Cell::of(r.event.pid) : Cell::na(); }},
	{"tgid", "number", "its process",
	 [](EventRow &r) { return r.task ? Cell::of(r.task->tgid) : Cell::na(); }},
	{"comm", "text", "its name",
	 [](EventRow &r) { return r.task ? Cell::of(r.task->name()) : Cell::na(); }},
	{"ctx", "id", "context of the job or fence",
	 [](EventRow &r) { return has_job(r) ? Cell::of(r.event.ctx) : Cell::na(); }},
	{"seqno", "id", "its number there, the low 32 bits",
	 [](EventRow &r) { return has_job(r) ? Cell::of(r.event.seqno) : Cell::na(); }},
	{"ring", "number", "id of the ring; of RING the one it describes",
	 [](EventRow &r) {
		 const uint32_t ring = ring_of(r.event);

		 return ring == GRTRACE_RING_NONE ? Cell::na() : Cell::of(ring);
	 }},
	{"ring_name", "text", "its name",
	 [](EventRow &r) { return r.ring.known ? Cell::of(r.ring.name) : Cell::na(); }},
	{"dev", "text", "its device",
	 [](EventRow &r) { return r.ring.known ? Cell::of(r.ring.device_name) : Cell::na(); }},
	{"engine", "text", "its engine class",
	 [](EventRow &r) {
		 return r.ring.known ? Cell::of(r.session.class_name(r.ring.engine_class)) :
				       Cell::na();
	 }},
	{"fence_ctx", "id", "context of the second fence",
	 [](EventRow &r) { return r.event.has_fence ? Cell::of(r.event.fence_ctx) : Cell::na(); }},
	{"fence_seqno", "id", "its number there",
	 [](EventRow &r) {
		 return r.event.has_fence ? Cell::of(r.event.fence_seqno) : Cell::na();
	 }},
	{"kind", "number", "kind of an ERROR",
	 [](EventRow &r) {
		 return r.event.type == GRTRACE_ERROR ? Cell::of(r.event.kind) : Cell::na();
	 }},
	{"code", "number", "code of an ERROR; of COMPLETE 0 or -errno", code_cell},
	{"arg", "number", "argument; of SUBMIT and PICK the credits",
	 [](EventRow &r) { return has_job(r) ? Cell::of(r.event.arg) : Cell::na(); }},
	{"flags", "number", "flags as recorded",
	 [](EventRow &r) { return has_job(r) ? Cell::of(r.event.flags) : Cell::na(); }},
	{"time_source", "text", "where ts comes from: software, interrupt, hardware, inferred",
	 [](EventRow &r) {
		 return has_job(r) ? Cell::of(time_source_name(r.event.flags)) : Cell::na();
	 }},
	{"weight", "number", "events it stands for, where jobs were sampled",
	 [](EventRow &r) { return r.event.is_event() ? Cell::of(r.event.weight) : Cell::na(); }},
	{"text", "text", "a message, or what another note says", text_cell},
	{"events", "number", "of LOST: events lost",
	 [](EventRow &r) { return is_lost(r) ? Cell::of(lost_of(r.event).events) : Cell::na(); }},
	{"notes", "number", "of LOST: notes lost",
	 [](EventRow &r) { return is_lost(r) ? Cell::of(lost_of(r.event).notes) : Cell::na(); }},
	{"first_ts", "number", "of LOST: when the first was lost",
	 [](EventRow &r) { return is_lost(r) ? Cell::of(lost_of(r.event).first_ts) : Cell::na(); }},
	{"last_ts", "number", "of LOST: when the last was lost",
	 [](EventRow &r) { return is_lost(r) ? Cell::of(lost_of(r.event).last_ts) : Cell::na(); }},
	{"limited", "number", "lost events that the rate limit refused",
	 [](EventRow &r) { return is_lost(r) ? Cell::of(lost_of(r.event).limited) : Cell::na(); }},
	{"pressure", "number", "lost events that backpressure refused",
	 [](EventRow &r) { return is_lost(r) ? Cell::of(lost_of(r.event).pressure) : Cell::na(); }},
	{"time", "number", "ts since the start of the session, ns",
	 [](EventRow &r) {
		 return Cell::of_signed(static_cast<int64_t>(r.event.ts - r.session.start_ts));
	 }},
	{"where", "text", "what recorded it: task, softirq or hardirq (pid is a bystander's)",
	 [](EventRow &r) { return has_job(r) ? where(r.event.flags) : Cell::na(); }},
	{"kind_name", "text", "kind by name",
	 [](EventRow &r) {
		 return r.event.type == GRTRACE_ERROR ? Cell::of(error_kind_name(r.event.kind)) :
							Cell::na();
	 }},
	{"sample", "number", "of SAMPLE: from here 1 job of so many",
	 [](EventRow &r) { return sample_cell(r, offsetof(grtrace_rec_sample, sample)); }},
	{"previous", "number", "of SAMPLE: before it 1 job of so many",
	 [](EventRow &r) { return sample_cell(r, offsetof(grtrace_rec_sample, previous)); }},
	{"driver", "text", "driver of the ring's device, or of the ioctl's",
	 [](EventRow &r) {
		 if (is_ioctl(r))
			 return Cell::of(IoctlCall(r.event).driver);
		 return r.ring.known ? Cell::of(r.ring.driver) : Cell::na();
	 }},
	{"elapsed", "number", "with -t: ns since the step before, see -t",
	 [](EventRow &r) { return r.elapsed == Job::none ? Cell::na() : Cell::of(r.elapsed); }},
	{"ioctl", "text", "of IOCTL: its name, or a number", ioctl_cell},
	{"duration", "number", "of IOCTL: ns from entry to return",
	 [](EventRow &r) {
		 return is_ioctl(r) ? Cell::of(IoctlCall(r.event).duration) : Cell::na();
	 }},
	{"result", "number", "of IOCTL: what it returned; -errno on failure",
	 [](EventRow &r) {
		 return is_ioctl(r) ? Cell::of_signed(IoctlCall(r.event).result) : Cell::na();
	 }},
	{"handles", "number", "of IOCTL: buffer objects it names", handles_cell},
	{"cgroup", "id", "of IOCTL: id of the task's cgroup",
	 [](EventRow &r) {
		 return is_ioctl(r) && IoctlCall(r.event).cgroup ?
				Cell::of(IoctlCall(r.event).cgroup) :
				Cell::na();
	 }},
	{"minor", "number", "of IOCTL: minor number of the device's node",
	 [](EventRow &r) { return is_ioctl(r) ? Cell::of(IoctlCall(r.event).minor) : Cell::na(); }},
	{"cmd", "number", "of IOCTL: its number, as user space gave it",
	 [](EventRow &r) { return is_ioctl(r) ? Cell::of(IoctlCall(r.event).cmd) : Cell::na(); }},
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
