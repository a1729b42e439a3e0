// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/perfetto_trace.h"

#include <algorithm>
#include <array>
#include <span>

#include "words/foreign/wire_reader.h"
#include "words/translate/marker.h"

namespace grtrace {

namespace {

// Numbers of fields in Perfetto's messages: Trace, TracePacket, FtraceEventBundle,
// FtraceEvent, PrintFtraceEvent and GenericFtraceEvent with its Field.
constexpr uint32_t trace_packet = 1;
constexpr uint32_t packet_bundle = 1;
constexpr uint32_t bundle_cpu = 1, bundle_event = 2, bundle_lost = 3;
constexpr uint32_t event_ts = 1, event_pid = 2, event_print = 3, event_generic = 327;
constexpr uint32_t print_text = 2;
constexpr uint32_t generic_name = 1, generic_field = 2;
constexpr uint32_t field_name = 1, field_text = 3, field_int = 4, field_uint = 5;

struct WireField {
	uint32_t number;
	Field field;
};

// An event that has a message of its own, by its number in FtraceEvent.
struct WireEvent {
	uint32_t number;
	const char *name;
	std::span<const WireField> fields;
};

constexpr WireField fence[] = {
	{1, Field::ctx}, {2, Field::driver}, {3, Field::seqno}, {4, Field::timeline}};
constexpr WireField job[] = {
	{1, Field::entity}, {2, Field::address}, {4, Field::id}, {6, Field::ring}};
constexpr WireField done[] = {{1, Field::address}};
constexpr WireField vblank[] = {{1, Field::crtc}, {3, Field::seqno}};
constexpr WireField task_switch[] = {{2, Field::pid}, {4, Field::state}, {6, Field::next_pid}};
constexpr WireField wakeup[] = {{2, Field::pid}};

constexpr WireEvent wire_events[] = {
	{4, "sched_switch", task_switch},   {17, "sched_wakeup", wakeup},
	{316, "fence_init", fence},         {319, "fence_signaled", fence},
	{409, "drm_vblank_event", vblank},  {411, "drm_sched_job", job},
	{412, "drm_run_job", job},          {413, "drm_sched_process_job", done},
	{414, "dma_fence_init", fence},     {415, "dma_fence_emit", fence},
	{416, "dma_fence_signaled", fence}, {417, "dma_fence_wait_start", fence},
	{418, "dma_fence_wait_end", fence},
};

const WireEvent *find_wire_event(uint32_t number)
{
	for (const WireEvent &event : wire_events)
		if (event.number == number)
			return &event;
	return nullptr;
}

bool is_whole(const ForeignEvent &from, const FieldValues &fields)
{
	return std::all_of(from.fields.begin(), from.fields.end(), [&](const FieldSpec &spec) {
		return !spec.needed || fields.has(spec.field);
	});
}

// A state is a text in some of Perfetto's messages and a number in others.
void set(FieldValues *fields, Field field, const WireReader::Field &value)
{
	if (value.is_bytes)
		fields->set(field, value.bytes);
	else
		fields->set(field, value.value);
}

} // namespace

bool PerfettoTrace::is_one(std::string_view first_bytes)
{
	WireReader reader(first_bytes);
	WireReader::Field field;

	const bool is_text = std::all_of(first_bytes.begin(), first_bytes.end(), [](char c) {
		return (c >= ' ' && c <= '~') || c == '\n' || c == '\t' || c == '\r';
	});

	// The first packet may be longer than what is there.
	return first_bytes.starts_with('\n') && !is_text &&
	       (!reader.next(&field) || (field.number == trace_packet && field.is_bytes));
}

// Most events of a trace are not the GPU's; they are not even indexed.
bool PerfettoTrace::wants(std::string_view event) const
{
	WireReader reader(event);
	WireReader::Field field;

	while (reader.next(&field))
		if (field.is_bytes &&
		    (field.number == event_print || field.number == event_generic ||
		     find_wire_event(field.number)))
			return true;
	return false;
}

void PerfettoTrace::index_bundle(std::string_view bundle)
{
	WireReader reader(bundle);
	WireReader::Field field;
	uint64_t cpu = 0;
	bool lost = false;

	while (reader.next(&field)) {
		if (field.number == bundle_cpu && !field.is_bytes)
			cpu = field.value;
		else if (field.number == bundle_lost && !field.is_bytes)
			lost = field.value;
	}
	for (WireReader events(bundle); events.next(&field);) {
		if (field.number != bundle_event || !field.is_bytes)
			continue;
		const std::string_view event = field.bytes;
		WireReader parts(event);
		Item item = {0, uint64_t(event.data() - bytes_.data()), uint32_t(event.size()),
			     uint16_t(std::min<uint64_t>(cpu, UINT16_MAX)), false};

		while (!item.ts && parts.next(&field))
			if (field.number == event_ts && !field.is_bytes)
				item.ts = field.value;
		if (lost)
			items_.push_back({item.ts, 0, 0, item.cpu, true});
		lost = false;
		if (wants(event))
			items_.push_back(item);
		else
			capture_.leave_out();
	}
}

void PerfettoTrace::take_switch(const FieldValues &fields, std::string_view from,
				std::string_view to)
{
	capture_.name_task(uint32_t(fields.number(Field::pid)), 0, from);
	capture_.name_task(uint32_t(fields.number(Field::next_pid)), 0, to);
}

void PerfettoTrace::take_known(uint32_t number, std::string_view message, KernelEvent &event)
{
	const WireEvent &known = *find_wire_event(number);
	std::array<std::string_view, 6> names; // of the tasks of a switch
	WireReader reader(message);
	WireReader::Field field;

	fields_.clear();
	while (reader.next(&field)) {
		for (const WireField &one : known.fields)
			if (one.number == field.number)
				set(&fields_, one.field, field);
		if (field.is_bytes && field.number < names.size())
			names[field.number] = field.bytes;
	}
	for (const ForeignEvent &from : foreign_events()) {
		if (std::string_view(from.name) != known.name)
			continue;
		event.kind = from.kind;
		if (from.kind == TraceKind::task_switch)
			take_switch(fields_, names[1], names[5]);
		return is_whole(from, fields_) ? capture_.take(from, event) :
						 capture_.cannot_read(from, event.cpu);
	}
}

// Perfetto has no message for the events of newer kernels: it copies the names.
void PerfettoTrace::take_generic(std::string_view message, KernelEvent &event)
{
	WireReader reader(message);
	WireReader::Field field, part;
	const ForeignEvent *from = nullptr;

	fields_.clear();
	while (reader.next(&field)) {
		for (const ForeignEvent &one : foreign_events())
			if (field.number == generic_name && field.is_bytes && !from &&
			    field.bytes == one.name)
				from = &one;
		if (!from || field.number != generic_field || !field.is_bytes)
			continue;
		WireReader parts(field.bytes);
		std::string_view name;
		WireReader::Field value;
		while (parts.next(&part)) {
			if (part.number == field_name && part.is_bytes)
				name = part.bytes;
			else if (part.number == field_text || part.number == field_int ||
				 part.number == field_uint)
				value = part;
		}
		for (const FieldSpec &spec : from->fields)
			if (value.number && name == spec.name)
				set(&fields_, spec.field, value);
	}
	if (!from)
		return capture_.leave_out();
	event.kind = from->kind;
	return is_whole(*from, fields_) ? capture_.take(*from, event) :
					  capture_.cannot_read(*from, event.cpu);
}

void PerfettoTrace::take(const Item &item)
{
	KernelEvent event = {item.ts, item.cpu, 0, 0, TraceKind::vblank, &fields_};
	WireReader reader(bytes_.substr(item.at, item.size));
	WireReader::Field field, part;
	WireReader::Field message;

	if (item.is_loss)
		return capture_.lose(item.cpu, 1);
	while (reader.next(&field)) {
		if (field.number == event_pid && !field.is_bytes)
			event.pid = uint32_t(field.value);
		else if (field.is_bytes &&
			 (field.number == event_print || field.number == event_generic ||
			  find_wire_event(field.number)))
			message = field;
	}
	if (message.number == event_generic)
		return take_generic(message.bytes, event);
	if (message.number != event_print)
		return take_known(message.number, message.bytes, event);
	WireReader parts(message.bytes);
	while (parts.next(&part))
		if (part.number == print_text && part.is_bytes)
			capture_.marker(event, part.bytes);
}

bool PerfettoTrace::read()
{
	WireReader packets(bytes_);
	WireReader::Field packet, field;

	while (packets.next(&packet)) {
		if (packet.number != trace_packet || !packet.is_bytes)
			continue;
		WireReader reader(packet.bytes);
		while (reader.next(&field))
			if (field.number == packet_bundle && field.is_bytes)
				index_bundle(field.bytes);
	}
	std::stable_sort(items_.begin(), items_.end(),
			 [](const Item &a, const Item &b) { return a.ts < b.ts; });
	for (const Item &item : items_) {
		if (capture_.failed())
			break;
		take(item);
	}
	return !packets.is_damaged();
}

} // namespace grtrace
