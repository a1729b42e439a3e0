// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/process_table.h"

namespace grtrace {

void ProcessTable::add(const MonitorFilter &filter, uint32_t pid, size_t column, uint64_t much)
{
	const uint32_t id = filter.process_of(pid);
	const auto [found, is_new] = processes_.try_emplace(id);
	Process &process = found->second;

	if (is_new)
		process.name = filter.process_name(pid);
	process.now[column] += much;
	process.all[column] += much;
}

MonitorTable ProcessTable::table(bool all) const
{
	MonitorTable table = {name_, {"pid", "comm"}, {}};

	table.columns.insert(table.columns.end(), columns_.begin(), columns_.end());
	for (const auto &[pid, process] : processes_) {
		auto &row = table.rows.emplace_back();

		row.push_back(pid);
		row.push_back(process.name);
		for (size_t i = 0; i < columns_.size(); i++)
			row.push_back((all ? process.all : process.now)[i]);
	}
	return table;
}

MonitorTable ProcessTable::total() const
{
	MonitorTable table = {"total", {columns_.begin(), columns_.end()}, {}};
	Row sums = {};

	for (const auto &[pid, process] : processes_)
		for (size_t i = 0; i < columns_.size(); i++)
			sums[i] += process.all[i];
	table.rows.emplace_back(sums.begin(), sums.begin() + columns_.size());
	return table;
}

void ProcessTable::next_interval()
{
	for (auto &[pid, process] : processes_)
		process.now = {};
}

} // namespace grtrace
