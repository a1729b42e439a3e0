// SPDX-License-Identifier: GPL-2.0
//
// Events for monitors, made by the names that their probes have for them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "words/monitor/monitor.h"

namespace grtrace {

using MadeValue = std::variant<uint64_t, std::string>;
using MadeValues = std::map<std::string, MadeValue>;

struct MadeFields : EventFields {
	explicit MadeFields(const ProbeSpec &of, MadeValues with)
		: spec(of), values(std::move(with))
	{
	}

	const MadeValue *find(size_t field) const
	{
		if (field >= spec.fields.size())
			return nullptr;
		const auto found = values.find(spec.fields[field]);
		return found == values.end() ? nullptr : &found->second;
	}
	bool has(size_t field) const override { return find(field); }
	uint64_t number(size_t field) const override
	{
		const MadeValue *value = find(field);
		return value ? std::get<uint64_t>(*value) : 0;
	}
	std::string_view text(size_t field) const override
	{
		const MadeValue *value = find(field);
		return value ? std::get<std::string>(*value) : std::string_view();
	}

	const ProbeSpec &spec;
	MadeValues values;
};

struct MadeFilter : MonitorFilter {
	bool wants_task(uint32_t pid) const override { return pids.empty() || pids.contains(pid); }
	bool wants_ring(std::string_view name) const override
	{
		return rings.empty() || rings.contains(std::string(name));
	}

	uint32_t process_of(uint32_t pid) const override { return pid / 10 * 10; }
	std::string name_of(uint32_t pid) const override { return fmt::format("task{}", pid); }

	std::set<uint32_t> pids;
	std::set<std::string> rings;
};

// A monitor and its input.
struct MonitorBench {
	explicit MonitorBench(const char *name)
		: kind(*find_monitor(name)), monitor(kind.make(filter))
	{
	}

	bool take(std::string_view event, uint64_t ts, uint32_t pid, MadeValues values)
	{
		MonitorEvent made;

		details.clear();
		for (size_t i = 0; i < kind.probes.size(); i++) {
			const ProbeSpec &spec = kind.probes[i];
			if (event != spec.event)
				continue;
			for (const auto &[key, value] : values)
				EXPECT_TRUE(has_field(spec, key)) << key;
			const MadeFields fields(spec, std::move(values));
			made.ts = ts;
			made.pid = pid;
			made.probe = i;
			made.fields = &fields;
			return monitor->take(made, &details);
		}
		ADD_FAILURE() << "no probe " << event;
		return false;
	}

	static bool has_field(const ProbeSpec &spec, const std::string &name)
	{
		for (const char *field : spec.fields)
			if (name == field)
				return true;
		return false;
	}

	// "name=value name=value" of the last event.
	std::string told() const
	{
		std::string text;

		for (const auto &[name, cell] : details)
			text += (text.empty() ? "" : " ") + std::string(name) + "=" + cell.shown();
		return text;
	}

	// A cell of a table of the summary.
	std::string cell(std::string_view table, size_t row, std::string_view column) const
	{
		return cell_of(monitor->summary(1), table, row, column);
	}
	static std::string cell_of(const std::vector<MonitorTable> &tables, std::string_view name,
				   size_t row, std::string_view column)
	{
		for (const MonitorTable &table : tables)
			for (size_t i = 0; i < table.columns.size(); i++)
				if (table.name == name && table.columns[i] == column)
					return row < table.rows.size() ?
						       table.rows[row].at(i).shown() :
						       "no row";
		return "no column";
	}

	MadeFilter filter;
	const MonitorKind &kind;
	std::unique_ptr<Monitor> monitor;
	EventDetails details;
};

} // namespace grtrace
