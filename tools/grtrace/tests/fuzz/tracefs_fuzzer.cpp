// SPDX-License-Identifier: GPL-2.0
//
// Any events of tracefs, with the formats of a kernel since 6.17 or before, through
// the translation to what is recorded. A first byte chooses the formats; an event is
// its CPU, the time since the one before, its size and its bytes, the first of which
// is its number.
#include "fuzz/fuzz_bytes.h"
#include "fuzz/fuzz_stream.h"
#include "trace_format.h"
#include "words/tracefs/raw_events.h"
#include "words/tracefs/trace_events_found.h"
#include "words/translate/device_names.h"
#include "words/translate/packet_writer.h"
#include "words/translate/task_names.h"
#include "words/translate/translator.h"

using namespace grtrace;

namespace {

constexpr uint32_t cpus = 2;

// The events of one kernel or the other; both have most of them.
bool is_of(const TraceEventSpec &spec, bool old)
{
	switch (spec.kind) {
	case TraceKind::old_queue:
	case TraceKind::old_wait:
	case TraceKind::old_run:
	case TraceKind::old_done:
		return old;
	case TraceKind::sched_queue:
	case TraceKind::sched_dep:
	case TraceKind::sched_blocked:
	case TraceKind::sched_run:
	case TraceKind::sched_done:
		return !old;
	default:
		return true;
	}
}

bool is_text(Field field)
{
	return field == Field::ring || field == Field::device || field == Field::driver ||
	       field == Field::timeline;
}

// Text is dynamic and numbers have 8 bytes, one behind the other.
std::string format_of(const TraceEventSpec &spec, size_t id)
{
	size_t at = trace_common_bytes;
	std::vector<TraceField> fields;

	for (const FieldSpec &field : spec.fields) {
		const bool dynamic = is_text(field.field);
		const size_t size = dynamic ? 4 : 8;

		fields.push_back({"u64", field.name, at, size, dynamic});
		at += size;
	}
	return trace_format(spec.name, id, fields);
}

struct Kernel {
	explicit Kernel(bool old)
	{
		std::vector<std::string> remarks;
		size_t id = 1;

		for (const TraceEventSpec &spec : trace_event_specs())
			if (is_of(spec, old))
				found.parse(spec, format_of(spec, id++), &remarks);
	}

	FoundEvents found;
};

// The kernel's have all that is common.
std::vector<uint8_t> event_of(FuzzBytes &from, size_t kinds)
{
	std::vector<uint8_t> bytes = from.bytes();

	bytes.resize(std::max(bytes.size(), trace_common_bytes));
	bytes[0] %= kinds + 2;
	bytes[1] = 0;
	return bytes;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static Kernel since(false), before(true);

	FuzzBytes from(data, size);
	const FoundEvents &found = (from.byte() % 2 ? before : since).found;
	std::vector<std::vector<uint8_t>> streams(cpus);
	DeviceNames devices("/nonexistent");
	TaskNames tasks("/nonexistent", "/nonexistent");
	PacketWriter writer(1, cpus, [&](uint32_t cpu, const uint8_t *bytes, size_t n) {
		streams[cpu].insert(streams[cpu].end(), bytes, bytes + n);
	});
	Translator translator({}, devices, tasks, writer);
	RawEvents raw(found.tep(), translator);

	for (const TraceEvent &event : found.events())
		raw.add(event);
	for (uint64_t ts = 0; !from.empty();) {
		const uint32_t cpu = from.byte() % cpus;

		ts += from.take<uint32_t>();
		const std::vector<uint8_t> bytes = event_of(from, found.events().size());
		raw.take({ts, cpu, bytes});
	}
	writer.stop(0);
	check_readable(streams, true);
	return 0;
}
