// SPDX-License-Identifier: GPL-2.0
#include "event_columns.h"

#include <iterator>

#include <fmt/format.h>

#include "note_text.h"

namespace grtrace {

namespace {

Cell na()
{
	return {};
}

Cell number(uint64_t value)
{
	return {Cell::Kind::number, value};
}

Cell signed_number(int64_t value)
{
	return {Cell::Kind::signed_number, static_cast<uint64_t>(value)};
}

Cell text(std::string_view value)
{
	return {Cell::Kind::text, 0, value};
}

// Has the fields of a job's record.
bool has_job(const EventRow &row)
{
	return row.event.is_event() && row.kind;
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
		return text(row.kind->name);
	row.made = fmt::format("{}", row.event.type);
	return text(row.made);
}

Cell time_source(uint16_t flags)
{
	static constexpr const char *names[] = {"software", "interrupt",
						"hardware", "inferred"};

	return text(names[flags & GRTRACE_TIME_MASK]);
}

Cell where(uint16_t flags)
{
	switch (flags & GRTRACE_IN_MASK) {
	case GRTRACE_IN_TASK:
		return text("task");
	case GRTRACE_IN_SOFTIRQ:
		return text("softirq");
	case GRTRACE_IN_HARDIRQ:
		return text("hardirq");
	}
	return na();
}

Cell code_cell(EventRow &row)
{
	if (row.event.type == GRTRACE_ERROR)
		return signed_number(row.event.code);
	if (row.event.type == GRTRACE_COMPLETE)
		return signed_number(row.event.error());
	return na();
}

// A message as it was written: whoever takes the line apart decides what is
// harmless.
Cell text_cell(EventRow &row)
{
	if (row.event.type == GRTRACE_MESSAGE)
		return text(message_of(row.event));
	if (row.event.is_event())
		return na();
	row.made = note_text(row.event, row.session);
	return text(row.made);
}

Cell sample_cell(EventRow &row, size_t field)
{
	if (row.event.type != GRTRACE_SAMPLE)
		return na();
	return number(load32(row.event.raw + field));
}

const EventColumn columns[] = {
	{"capture", "text", "name of the capture",
	 [](EventRow &r) { return text(r.capture); }},
	{"cpu", "number", "CPU that recorded it",
	 [](EventRow &r) { return number(r.event.cpu); }},
	{"gseq", "number",
	 "number in the session; NA of LOST and with order=clock",
	 [](EventRow &r) {
		 return r.event.sequenced && !r.session.order_clock() ?
				number(r.event.gseq) :
				na();
	 }},
	{"cseq", "number",
	 "number on its CPU; of LOST that of the first lost record",
	 [](EventRow &r) { return number(r.event.cseq); }},
	{"ts", "number", "time, ns of the session's clock",
	 [](EventRow &r) { return number(r.event.ts); }},
	{"type", "text", "type by name; a number if it is not known",
	 type_cell},
	{"letter", "text", "type by letter",
	 [](EventRow &r) { return r.kind ? text(r.kind->letter) : na(); }},
	{"pid", "number",
	 "thread that was running; of TASK the one it describes",
	 [](EventRow &r) {
		 return r.event.sequenced ? number(r.event.pid) : na();
	 }},
	{"tgid", "number", "its process",
	 [](EventRow &r) { return r.task ? number(r.task->tgid) : na(); }},
	{"comm", "text", "its name",
	 [](EventRow &r) { return r.task ? text(r.task->name()) : na(); }},
	{"ctx", "number", "context of the job or fence",
	 [](EventRow &r) { return has_job(r) ? number(r.event.ctx) : na(); }},
	{"seqno", "number", "its number there, the low 32 bits",
	 [](EventRow &r) { return has_job(r) ? number(r.event.seqno) : na(); }},
	{"ring", "number", "id of the ring; of RING the one it describes",
	 [](EventRow &r) {
		 const uint32_t ring = ring_of(r.event);

		 return ring == GRTRACE_RING_NONE ? na() : number(ring);
	 }},
	{"ring_name", "text", "its name",
	 [](EventRow &r) { return r.ring.known ? text(r.ring.name) : na(); }},
	{"dev", "text", "its device",
	 [](EventRow &r) {
		 return r.ring.known ? text(r.ring.device_name) : na();
	 }},
	{"engine", "text", "its engine class",
	 [](EventRow &r) {
		 return r.ring.known ? text(engine_name(r.ring.engine_class)) :
				       na();
	 }},
	{"fence_ctx", "number", "context of the second fence",
	 [](EventRow &r) {
		 return r.event.has_fence ? number(r.event.fence_ctx) : na();
	 }},
	{"fence_seqno", "number", "its number there",
	 [](EventRow &r) {
		 return r.event.has_fence ? number(r.event.fence_seqno) : na();
	 }},
	{"kind", "number", "kind of an ERROR",
	 [](EventRow &r) {
		 return r.event.type == GRTRACE_ERROR ? number(r.event.kind) :
							na();
	 }},
	{"code", "number", "code of an ERROR; of COMPLETE 0 or -errno",
	 code_cell},
	{"arg", "number", "argument; of SUBMIT and PICK the credits",
	 [](EventRow &r) { return has_job(r) ? number(r.event.arg) : na(); }},
	{"flags", "number", "flags as recorded",
	 [](EventRow &r) { return has_job(r) ? number(r.event.flags) : na(); }},
	{"time_source", "text",
	 "where ts comes from: software, interrupt, hardware, inferred",
	 [](EventRow &r) {
		 return has_job(r) ? time_source(r.event.flags) : na();
	 }},
	{"weight", "number", "events it stands for, where jobs were sampled",
	 [](EventRow &r) {
		 return r.event.is_event() ? number(r.event.weight) : na();
	 }},
	{"text", "text", "a message, or what another note says", text_cell},
	{"events", "number", "of LOST: events lost",
	 [](EventRow &r) {
		 return is_lost(r) ? number(lost_of(r.event).events) : na();
	 }},
	{"notes", "number", "of LOST: notes lost",
	 [](EventRow &r) {
		 return is_lost(r) ? number(lost_of(r.event).notes) : na();
	 }},
	{"first_ts", "number", "of LOST: when the first was lost",
	 [](EventRow &r) {
		 return is_lost(r) ? number(lost_of(r.event).first_ts) : na();
	 }},
	{"last_ts", "number", "of LOST: when the last was lost",
	 [](EventRow &r) {
		 return is_lost(r) ? number(lost_of(r.event).last_ts) : na();
	 }},
	{"limited", "number", "of events: refused by the rate limit",
	 [](EventRow &r) {
		 return is_lost(r) ? number(lost_of(r.event).limited) : na();
	 }},
	{"pressure", "number", "of events: refused by backpressure",
	 [](EventRow &r) {
		 return is_lost(r) ? number(lost_of(r.event).pressure) : na();
	 }},
	{"time", "number", "ts since the start of the session, ns",
	 [](EventRow &r) {
		 return signed_number(
			 static_cast<int64_t>(r.event.ts - r.session.start_ts));
	 }},
	{"where", "text",
	 "what recorded it: task, softirq or hardirq (pid is a bystander's)",
	 [](EventRow &r) { return has_job(r) ? where(r.event.flags) : na(); }},
	{"kind_name", "text", "kind by name",
	 [](EventRow &r) {
		 return r.event.type == GRTRACE_ERROR ?
				text(error_kind_name(r.event.kind)) :
				na();
	 }},
	{"sample", "number", "of SAMPLE: from here 1 job of so many",
	 [](EventRow &r) {
		 return sample_cell(r, offsetof(grtrace_rec_sample, sample));
	 }},
	{"previous", "number", "of SAMPLE: before it 1 job of so many",
	 [](EventRow &r) {
		 return sample_cell(r, offsetof(grtrace_rec_sample, previous));
	 }},
	{"driver", "text", "driver of the ring's device",
	 [](EventRow &r) { return r.ring.known ? text(r.ring.driver) : na(); }},
	{"elapsed", "number", "with -t: ns since the step before, see -t",
	 [](EventRow &r) {
		 return r.elapsed == Job::none ? na() : number(r.elapsed);
	 }},
};

} // namespace

EventRow::EventRow(const Event &from, Session &of, std::string_view name,
		   uint64_t since)
	: event(from), session(of), capture(name), kind(record_kind(from.type)),
	  ring(of.rings.find(ring_of(from))),
	  task(from.sequenced ? of.tasks.find(from.pid) : nullptr),
	  elapsed(since)
{
}

std::span<const EventColumn> event_columns()
{
	return columns;
}

std::string describe_event_columns()
{
	std::string out;

	for (const EventColumn &column : columns)
		fmt::format_to(std::back_inserter(out), "  {:<12} {:<7} {}\n",
			       column.name, column.type, column.help);
	return out;
}

} // namespace grtrace
