// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace grtrace {

// The names of tasks. They are read when a task is seen first: from /proc, or, if the task
// has exited by then, from the list that tracefs keeps. Memory grows with tasks.
class TaskNames {
public:
	struct Task {
		uint32_t tgid = 0; // 0: not known
		std::string comm;
	};

	// @tracing: tracefs's directory
	TaskNames(std::string proc, std::string tracing)
		: proc_(std::move(proc)), tracing_(std::move(tracing))
	{
	}

	const Task &find(uint32_t pid);

	// The event of a file names the task. Returns whether the name is new.
	bool learn(uint32_t pid, uint32_t tgid, std::string_view comm);

	// The names in tracefs may have changed.
	void refresh() { remembered_ = false; }

private:
	bool read_proc(uint32_t pid, Task *task) const;
	void read_tracing();

	const std::string proc_;
	const std::string tracing_;
	std::unordered_map<uint32_t, Task> tasks_;
	std::unordered_map<uint32_t, Task> gone_; // the names that tracefs has
	bool remembered_ = false;
};

} // namespace grtrace
