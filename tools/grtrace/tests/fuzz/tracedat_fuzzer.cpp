// SPDX-License-Identifier: GPL-2.0
//
// Any events of a trace.dat, with the formats that its head has for them. A first byte is the
// size of numbers and the kind of texts; an event is its kind, its CPU, the time since the one
// before, its size and its bytes.
#include "fuzz/fuzz_bytes.h"
#include "fuzz/fuzz_import.h"
#include "trace_format.h"
#include "words/tracedat/dat_event.h"

#include <memory>

using namespace grtrace;

namespace {

constexpr uint32_t cpus = 3;

bool is_text(Field field)
{
	return field == Field::ring || field == Field::device || field == Field::driver ||
	       field == Field::timeline;
}

// The events of the table, as a kernel would describe them.
struct Formats {
	Formats(size_t number_size, bool has_texts) : tep(tep_alloc())
	{
		int id = 1;

		for (const ForeignEvent &from : foreign_events()) {
			const std::string text = format_of(from, id, number_size, has_texts);

			tep_parse_event(tep, text.data(), text.size(), from.system);
			struct tep_event *event = tep_find_event(tep, id);
			if (!event)
				abort();
			events.emplace_back(from, event);
			if (!events.back().is_usable())
				abort();
			id++;
		}
	}
	Formats(const Formats &) = delete;
	Formats &operator=(const Formats &) = delete;

	// Texts are dynamic, or addresses as in old kernels.
	static std::string format_of(const ForeignEvent &from, int id, size_t size, bool has_texts)
	{
		size_t at = trace_common_bytes;
		std::vector<TraceField> fields;

		for (const FieldSpec &field : from.fields) {
			const bool dynamic = has_texts && is_text(field.field);

			fields.push_back({"u64", field.name, at, dynamic ? 4 : size, dynamic});
			at += dynamic ? 4 : size;
		}
		return trace_format(from.name, static_cast<size_t>(id), fields);
	}

	struct tep_handle *tep;
	std::vector<DatEvent> events;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static Formats formats[] = {{8, true}, {8, false}, {4, true}, {2, false}};
	FuzzBytes from(data, size);
	const Formats &kernel = formats[from.byte() % std::size(formats)];
	AddressNames names;
	FieldValues fields;

	check_import("trace.dat", [&](ForeignCapture &capture) {
		for (uint64_t ts = 1; !from.empty();) {
			const DatEvent &event = kernel.events[from.byte() % kernel.events.size()];
			const uint32_t cpu = from.byte() % cpus;

			ts += from.take<uint32_t>();
			const std::vector<uint8_t> bytes = from.bytes();
			event.read(bytes, names, &fields);
			if (bytes.empty())
				capture.lose(cpu, 1);
			capture.name_task(cpu, 0, "");
			capture.take(event.from(), {ts, cpu, cpu, 0, event.from().kind, &fields});
		}
	});
	return 0;
}
