// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/monitor.h"
#include "words/translate/task_names.h"

#include <algorithm>
#include <string>
#include <vector>

namespace grtrace {

// Knows the names of tasks, and which tasks and rings are wanted. Memory grows with tasks.
class MonitorTasks : public MonitorFilter {
public:
	MonitorTasks(const std::vector<uint32_t> &pids, const std::vector<std::string> &rings)
		: pids_(pids), rings_(rings), names_("/proc", "/sys/kernel/tracing")
	{
	}

	bool wants_task(uint32_t pid) const override
	{
		return pids_.empty() || is_named(pid) || is_named(names_.find(pid).tgid);
	}
	bool wants_ring(std::string_view name) const override
	{
		return rings_.empty() ||
		       std::find(rings_.begin(), rings_.end(), name) != rings_.end();
	}

	uint32_t process_of(uint32_t pid) const override
	{
		const uint32_t tgid = names_.find(pid).tgid;

		return tgid ? tgid : pid;
	}
	std::string name_of(uint32_t pid) const override { return names_.find(pid).comm; }
	void refresh() { names_.refresh(); }

private:
	bool is_named(uint32_t pid) const
	{
		return std::find(pids_.begin(), pids_.end(), pid) != pids_.end();
	}

	const std::vector<uint32_t> pids_;
	const std::vector<std::string> rings_;
	mutable TaskNames names_;
};

} // namespace grtrace
