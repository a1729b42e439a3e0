// SPDX-License-Identifier: GPL-2.0
//
// TaskTable: finds the task of a pid.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "read/stream/event.h"

namespace grtrace {

struct Task {
	uint32_t tgid = 0;
	uint64_t cgroup = 0; // 0: not known
	// printable() may need three bytes for one.
	char comm[3 * GRTRACE_COMM_LEN + 1] = {};

	std::string_view name() const { return comm; }
};

// Learns from TASK records in the order of the trace: a pid may be reused or change its
// name, and its latest record is the valid one. Memory grows with the pids seen.
class TaskTable {
public:
	// record points to a whole TASK record.
	void learn(const uint8_t *record);

	// record points to a whole ERROR record, whose driver may know a name of its own.
	void learn_guilty(const uint8_t *record);
	// Returns a task that an ERROR named, "game.exe:1234".
	std::string guilty(uint32_t pid) const;

	// Returns nullptr if no TASK record has named the pid.
	const Task *find(uint32_t pid) const
	{
		const auto found = tasks_.find(pid);

		return found == tasks_.end() ? nullptr : &found->second;
	}

	// Returns the thread whose name the process has: its leader or, if no record named
	// the leader, the pid itself. Returns nullptr like find().
	const Task *leader(uint32_t pid) const
	{
		const Task *task = find(pid);
		const Task *leader = task ? find(task->tgid) : nullptr;

		// The leader's pid may belong to another process by now.
		return leader && leader->tgid == task->tgid ? leader : task;
	}

	const std::map<uint32_t, Task> &all() const { return tasks_; }
	// Returns the number of records so far; while this number is the same, so are
	// all answers.
	uint64_t learned() const { return learned_; }

private:
	// No hash: the author of a capture may choose pids that share one.
	std::map<uint32_t, Task> tasks_;
	std::map<uint32_t, std::string> guilty_;
	uint64_t learned_ = 0;
};

} // namespace grtrace
