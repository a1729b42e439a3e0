// SPDX-License-Identifier: GPL-2.0
//
// Any events for each monitor, and its tables in all forms. The first byte chooses
// the monitor; an event is its probe, its thread, its time, a byte whose bits say
// which fields there are, and these.
#include "fuzz/fuzz_bytes.h"
#include "words/monitor/monitor.h"

#include <array>

using namespace grtrace;

namespace {

// Everybody is wanted, and called as a number says.
struct AnyTask : MonitorFilter {
	bool wants_task(uint32_t) const override { return true; }
	bool wants_ring(std::string_view) const override { return true; }
	uint32_t process_of(uint32_t pid) const override { return pid & ~3u; }
	std::string name_of(uint32_t pid) const override { return fmt::format("task{}", pid); }
};

// A field is a number or a text, whichever is asked for.
struct AnyFields : EventFields {
	AnyFields(FuzzBytes &from, size_t count) : there(from.byte())
	{
		for (size_t i = 0; i < std::min(count, values.size()); i++) {
			if (!has(i))
				continue;
			values[i] = from.take<uint64_t>();
			texts[i] = from.text();
		}
	}

	bool has(size_t field) const override
	{
		return field < values.size() && there >> field & 1;
	}
	uint64_t number(size_t field) const override { return has(field) ? values[field] : 0; }
	std::string_view text(size_t field) const override
	{
		return has(field) ? texts[field] : std::string_view();
	}

	uint8_t there;
	std::array<uint64_t, 8> values = {};
	std::array<std::string, 8> texts;
};

void print(const std::vector<MonitorTable> &tables)
{
	fmt::memory_buffer out;

	for (const MonitorTable &table : tables) {
		for (const auto &row : table.rows)
			if (row.size() != table.columns.size())
				abort();
		print_table(out, table);
		print_table_csv(out, table, 1.5, true);
		print_table_json(out, table, 1.5);
	}
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const AnyTask tasks;

	FuzzBytes from(data, size);
	const std::span<const MonitorKind> kinds = monitor_kinds();
	const MonitorKind &kind = kinds[from.byte() % kinds.size()];
	const std::unique_ptr<Monitor> monitor = kind.make(tasks);
	uint64_t ts = 0;

	while (!from.empty()) {
		MonitorEvent event;
		EventDetails details;
		const uint8_t probe = from.byte();

		if (probe == UINT8_MAX) {
			print(monitor->interval(from.take<uint16_t>() / 10.0));
			continue;
		}
		event.probe = probe % kind.probes.size();
		event.pid = from.take<uint16_t>();
		event.ts = ts += from.take<uint64_t>();
		const AnyFields fields(from, kind.probes[event.probe].fields.size());
		event.fields = &fields;
		monitor->take(event, &details);
		for (const auto &[name, cell] : details)
			cell.shown();
	}
	print(monitor->summary(1));
	return 0;
}
