// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/perfetto_trace.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "words/translate/marker.h"

namespace grtrace {

namespace {

// Numbers of fields in Perfetto's messages: Trace, TracePacket, FtraceEventBundle and its
// GenericEventDescriptor, DescriptorProto and FieldDescriptorProto, FtraceEvent,
// PrintFtraceEvent, and GenericFtraceEvent with its Field.
constexpr uint32_t trace_packet = 1;
constexpr uint32_t packet_bundle = 1, packet_tree = 2, packet_ts = 8, packet_sequence = 10,
		   packet_drops = 42, packet_zlib = 50, packet_zstd = 133;
constexpr uint32_t bundle_cpu = 1, bundle_event = 2, bundle_lost = 3, bundle_error = 8,
		   bundle_description = 11;
constexpr uint32_t description_number = 1, description_message = 2;
constexpr uint32_t message_name = 1, message_field = 2;
constexpr uint32_t part_name = 1, part_number = 3, part_type = 5;
constexpr uint32_t event_ts = 1, event_pid = 2, event_print = 3, event_generic = 327;
constexpr uint32_t event_first_described = 65536;
constexpr uint32_t print_text = 2;
constexpr uint32_t generic_name = 1, generic_field = 2;
constexpr uint32_t field_name = 1, field_text = 3, field_int = 4, field_uint = 5;

// Types of FieldDescriptorProto that are written as a text or as a plain number.
constexpr uint32_t type_int64 = 3, type_uint64 = 4, type_int32 = 5, type_bool = 8, type_string = 9,
		   type_uint32 = 13;

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
constexpr WireField new_job[] = {{1, Field::ring},
				 {4, Field::device},
				 {5, Field::ctx},
				 {6, Field::seqno},
				 {7, Field::client}};
constexpr WireField new_dep[] = {
	{1, Field::ctx}, {2, Field::seqno}, {3, Field::fence_ctx}, {4, Field::fence_seqno}};
constexpr WireField virtio[] = {{2, Field::device}, {3, Field::fence_seqno}, {4, Field::flags},
				{5, Field::ring},   {7, Field::seqno},       {8, Field::type}};
constexpr WireField vblank[] = {{1, Field::crtc}, {3, Field::seqno}};
constexpr WireField task_switch[] = {{2, Field::pid}, {4, Field::state}, {6, Field::next_pid}};
constexpr WireField wakeup[] = {{2, Field::pid}};

constexpr WireEvent wire_events[] = {
	{4, "sched_switch", task_switch},
	{17, "sched_wakeup", wakeup},
	{316, "fence_init", fence},
	{319, "fence_signaled", fence},
	{409, "drm_vblank_event", vblank},
	{411, "drm_sched_job", job},
	{412, "drm_run_job", job},
	{413, "drm_sched_process_job", done},
	{414, "dma_fence_init", fence},
	{415, "dma_fence_emit", fence},
	{416, "dma_fence_signaled", fence},
	{417, "dma_fence_wait_start", fence},
	{418, "dma_fence_wait_end", fence},
	{468, "virtio_gpu_cmd_queue", virtio},
	{469, "virtio_gpu_cmd_response", virtio},
	{591, "drm_sched_job_add_dep", new_dep},
	{592, "drm_sched_job_done", new_dep},
	{593, "drm_sched_job_queue", new_job},
	{594, "drm_sched_job_run", new_job},
	{595, "drm_sched_job_unschedulable", new_dep},
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

// A number of 4 or 8 bytes is none that an event of the kernel has.
bool is_plain(const WireReader::Field &value)
{
	return value.is_bytes || value.bytes.empty();
}

// A state is a text in some of Perfetto's messages and a number in others.
void set(FieldValues *fields, Field field, const WireReader::Field &value)
{
	if (value.is_bytes)
		fields->set(field, value.bytes);
	else if (is_plain(value))
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

// The first event of a loss, or of what could not be read, is not known: it happened before
// what comes next.
void PerfettoTrace::note(What what)
{
	items_.push_back({last_ts_, 0, 0, last_cpu_, what, false});
}

// A field of FtraceEvent that is the event itself. Most events of a trace are not the GPU's; they
// are not even indexed. The description may come behind the event.
bool PerfettoTrace::wants(const WireReader::Field &field) const
{
	if (!field.is_bytes)
		return false;
	if (field.number < event_first_described)
		return field.number == event_print || field.number == event_generic ||
		       find_wire_event(field.number);
	const auto known = described_.find(field.number);
	return known == described_.end() || known->second.forms;
}

void PerfettoTrace::index_event(std::string_view bytes, uint16_t cpu)
{
	WireReader reader(bytes);
	WireReader::Field field;
	Item item = {0, 0, uint32_t(bytes.size()), cpu, What::event, is_packed_};
	bool wanted = false;
	std::string_view name;

	while (reader.next(&field)) {
		if (field.number == event_ts && !field.is_bytes && !item.ts)
			item.ts = field.value;
		wanted |= wants(field);
		if (const auto known = described_.find(field.number);
		    field.is_bytes && known != described_.end())
			name = known->second.name;
	}
	last_ts_ = item.ts;
	capture_.reach(item.ts);
	if (reader.is_damaged())
		return note(What::damage);
	if (!wanted)
		return capture_.leave_out(name);
	if (is_packed_) {
		item.at = kept_.size();
		kept_ += bytes;
	} else {
		item.at = uint64_t(bytes.data() - bytes_.data());
	}
	items_.push_back(item);
}

// The name of an event, and those of the fields of its message by number. The first description
// counts, as for Perfetto itself.
void PerfettoTrace::describe(std::string_view descriptor)
{
	WireReader outer(descriptor);
	WireReader::Field field, part;
	std::string_view message;
	Description description;
	uint32_t number = 0;

	while (outer.next(&field)) {
		if (field.number == description_number && !field.is_bytes)
			number = uint32_t(field.value);
		else if (field.number == description_message && field.is_bytes)
			message = field.bytes;
	}
	if (number < event_first_described || described_.size() >= descriptions_max ||
	    described_.count(number))
		return;
	for (WireReader fields(message); fields.next(&field);) {
		if (field.number == message_name && field.is_bytes)
			description.name = field.bytes;
		if (field.number != message_field || !field.is_bytes ||
		    description.parts.size() >= parts_max)
			continue;
		Description::Part one = {};
		uint64_t type = 0;
		for (WireReader parts(field.bytes); parts.next(&part);) {
			if (part.number == part_name && part.is_bytes)
				one.name = part.bytes;
			else if (part.number == part_number && !part.is_bytes)
				one.number = uint32_t(part.value);
			else if (part.number == part_type && !part.is_bytes)
				type = part.value;
		}
		if (type == type_int64 || type == type_uint64 || type == type_int32 ||
		    type == type_bool || type == type_string || type == type_uint32)
			description.parts.push_back(std::move(one));
	}
	if (description.name.empty())
		return;
	description.forms = known_.find(description.name);
	if (!description.forms)
		description.parts.clear();
	described_.emplace(number, std::move(description));
}

void PerfettoTrace::index_bundle(std::string_view bundle, bool lost)
{
	WireReader reader(bundle);
	WireReader::Field field;
	uint64_t cpu = 0, lost_events = 0, errors = 0;

	while (reader.next(&field)) {
		if (field.number == bundle_cpu && !field.is_bytes)
			cpu = field.value;
		else if (field.number == bundle_lost && !field.is_bytes)
			lost_events = field.value;
		else if (field.number == bundle_error && field.is_bytes)
			errors++; // the recorder left out the rest of a page
		else if (field.number == bundle_description && field.is_bytes)
			describe(field.bytes);
	}
	last_cpu_ = uint16_t(std::min<uint64_t>(cpu, UINT16_MAX));
	lost |= lost_events != 0;
	for (WireReader events(bundle); events.next(&field);) {
		if (field.number != bundle_event || !field.is_bytes)
			continue;
		const size_t before = items_.size();
		if (lost)
			note(What::loss);
		index_event(field.bytes, last_cpu_);
		if (lost)
			items_[before].ts = last_ts_;
		lost = false;
	}
	if (lost)
		note(What::loss);
	for (; errors; errors--)
		note(What::loss);
	if (reader.is_damaged())
		note(What::damage);
}

// A packed packet has packets, none of which may be packed itself.
void PerfettoTrace::index_packed(PacketUnpacker::Packer packer, std::string_view packed)
{
	if (unpacker_.is_full())
		return;
	const std::string why = is_packed_ ? "it is in one that was packed itself" :
					     unpacker_.unpack(packer, packed);

	if (!is_packed_) {
		is_packed_ = true;
		if (!index_packets(unpacker_.bytes()) && why.empty() && !unpacker_.is_full())
			note(What::damage);
		is_packed_ = false;
	}
	if (why.empty())
		return;
	note(What::bad_pack);
	if (why_.empty())
		why_ = why;
}

void PerfettoTrace::index_packet(std::string_view packet)
{
	WireReader reader(packet);
	WireReader::Field field;
	uint64_t ts = 0, sequence = 0, drops = 0;

	while (reader.next(&field)) {
		if (field.is_bytes)
			continue;
		if (field.number == packet_ts)
			ts = field.value;
		else if (field.number == packet_sequence)
			sequence = field.value;
		else if (field.number == packet_drops)
			drops = field.value;
	}
	// The first packet of a sequence also has the mark.
	const bool is_first = !sequences_.count(sequence);
	if (is_first && sequences_.size() < sequences_max)
		sequences_.insert(sequence);
	for (WireReader parts(packet); parts.next(&field);) {
		if (!field.is_bytes)
			continue;
		if (field.number == packet_bundle)
			index_bundle(field.bytes, drops && !is_first);
		else if (field.number == packet_tree)
			names_.take_tree(ts, field.bytes);
		else if (field.number == packet_zlib)
			index_packed(PacketUnpacker::Packer::zlib, field.bytes);
		else if (field.number == packet_zstd)
			index_packed(PacketUnpacker::Packer::zstd, field.bytes);
	}
	if (reader.is_damaged())
		note(What::damage);
}

// Returns whether there is nothing else.
bool PerfettoTrace::index_packets(std::string_view bytes)
{
	WireReader packets(bytes);
	WireReader::Field packet;

	while (packets.next(&packet))
		if (packet.number == trace_packet && packet.is_bytes)
			index_packet(packet.bytes);
	return !packets.is_damaged();
}

// The process is named first.
void PerfettoTrace::name_task(uint32_t pid, uint64_t ts)
{
	const PerfettoNames::Name *name = pid ? names_.find(pid, ts) : nullptr;
	const auto [told, is_new] = named_.try_emplace(pid, nullptr);

	if (!pid || (!is_new && told->second == name))
		return;
	told->second = name;
	if (!name)
		return capture_.name_task(pid, 0, {});
	if (name->tgid && name->tgid != pid)
		name_task(name->tgid, ts);
	capture_.name_task(pid, name->tgid, name->name);
}

void PerfettoTrace::take_switch(uint64_t ts, std::string_view from, std::string_view to)
{
	const uint32_t pids[] = {uint32_t(fields_.number(Field::pid)),
				 uint32_t(fields_.number(Field::next_pid))};

	capture_.name_task(pids[0], 0, from);
	capture_.name_task(pids[1], 0, to);
	for (const uint32_t pid : pids)
		name_task(pid, ts);
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
	const ForeignEvent &from = known_.find(known.name)->front()->event();
	event.kind = from.kind;
	if (!is_whole(from, fields_))
		return capture_.cannot_read(from, event.cpu);
	if (from.kind == TraceKind::task_switch)
		take_switch(event.ts, names[1], names[5]);
	capture_.take(from, event);
}

// The first form of the event whose fields are all there, as kernels differ.
void PerfettoTrace::take_values(const EventForms::Forms &forms, KernelEvent &event)
{
	for (const EventText *form : forms) {
		const ForeignEvent &from = form->event();

		fields_.clear();
		for (const FieldSpec &spec : from.fields)
			for (const Value &value : values_)
				if (value.name == spec.name)
					set(&fields_, spec.field, value.field);
		if (!is_whole(from, fields_))
			continue;
		event.kind = from.kind;
		return capture_.take(from, event);
	}
	capture_.cannot_read(forms.front()->event(), event.cpu);
}

// Before v53 Perfetto copied the names into each event that it has no message for.
void PerfettoTrace::take_generic(std::string_view message, KernelEvent &event)
{
	WireReader::Field field, part;
	const EventForms::Forms *forms = nullptr;
	std::string_view name;

	values_.clear();
	for (WireReader reader(message); reader.next(&field);) {
		if (field.number == generic_name && field.is_bytes)
			name = field.bytes;
		if (field.number != generic_field || !field.is_bytes || values_.size() >= parts_max)
			continue;
		Value value;
		for (WireReader parts(field.bytes); parts.next(&part);) {
			if (part.number == field_name && part.is_bytes)
				value.name = part.bytes;
			else if (part.number == field_text || part.number == field_int ||
				 part.number == field_uint)
				value.field = part;
		}
		if (value.field.number)
			values_.push_back(value);
	}
	forms = known_.find(name);
	return forms ? take_values(*forms, event) : capture_.leave_out(name);
}

// Since v53 it describes such an event once.
void PerfettoTrace::take_described(uint32_t number, std::string_view message, KernelEvent &event)
{
	const auto known = described_.find(number);
	WireReader::Field field;

	if (known == described_.end())
		return capture_.miss(ForeignCapture::Miss::undescribed, event.cpu);
	if (!known->second.forms)
		return capture_.leave_out(known->second.name);
	values_.clear();
	for (WireReader reader(message); reader.next(&field) && values_.size() < parts_max;)
		for (const Description::Part &part : known->second.parts)
			if (part.number == field.number)
				values_.push_back({part.name, field});
	take_values(*known->second.forms, event);
}

void PerfettoTrace::take_event(std::string_view bytes, KernelEvent &event)
{
	WireReader::Field field, message;

	for (WireReader reader(bytes); reader.next(&field);) {
		if (field.number == event_pid && !field.is_bytes)
			event.pid = uint32_t(field.value);
		else if (field.is_bytes && (wants(field) || field.number >= event_first_described))
			message = field;
	}
	name_task(event.pid, event.ts);
	if (message.number >= event_first_described)
		return take_described(message.number, message.bytes, event);
	if (message.number == event_generic)
		return take_generic(message.bytes, event);
	if (message.number != event_print)
		return take_known(message.number, message.bytes, event);
	for (WireReader parts(message.bytes); parts.next(&field);)
		if (field.number == print_text && field.is_bytes)
			capture_.marker(event, field.bytes);
}

void PerfettoTrace::take(const Item &item)
{
	KernelEvent event = {item.ts, item.cpu, 0, 0, TraceKind::vblank, &fields_};

	switch (item.what) {
	case What::loss:
		return capture_.lose(item.cpu, 1);
	case What::bad_pack:
		return capture_.miss(ForeignCapture::Miss::unpacked, item.cpu, why_);
	case What::damage:
		return capture_.miss(ForeignCapture::Miss::damaged, item.cpu);
	case What::event:
		return take_event((item.is_kept ? std::string_view(kept_) : bytes_)
					  .substr(item.at, item.size),
				  event);
	}
}

std::string PerfettoTrace::read()
{
	const bool is_whole_file = index_packets(bytes_);

	std::stable_sort(items_.begin(), items_.end(),
			 [](const Item &a, const Item &b) { return a.ts < b.ts; });
	for (const Item &item : items_) {
		if (capture_.failed())
			break;
		take(item);
	}
	if (unpacker_.is_full())
		return fmt::format("the rest is missing: its packets become more than {} MiB, {} "
				   "times its size or more (--no-limit unpacks them)",
				   unpacked_most_ >> 20,
				   unpacked_most_ / std::max<size_t>(bytes_.size(), 1));
	return is_whole_file ? std::string() : "its end is cut off";
}

} // namespace grtrace
