// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/monitor.h"

#include <array>
#include <map>
#include <unordered_map>

namespace grtrace {

// Counts the actions of processes in columns, for monitors whose events belong to the
// running task. Memory grows with processes.
class ProcessTable {
public:
	static constexpr size_t most_columns = 16;
	using Row = std::array<uint64_t, most_columns>;

	ProcessTable(const char *name, std::vector<const char *> columns)
		: name_(name), columns_(std::move(columns))
	{
	}

	void add(const MonitorFilter &filter, uint32_t pid, size_t column, uint64_t much = 1);
	MonitorTable table(bool all) const;
	// Returns the sum of the columns since the start.
	MonitorTable total() const;
	void next_interval();

private:
	struct Process {
		std::string name;
		Row now = {};
		Row all = {};
	};

	const char *const name_; // name of the table
	const std::vector<const char *> columns_;
	std::map<uint32_t, Process> processes_;
};

} // namespace grtrace
