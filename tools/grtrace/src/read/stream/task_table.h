// SPDX-License-Identifier: GPL-2.0
//
// TaskTable: the task behind a pid.
#pragma once

#include <cstdint>
#include <string_view>

#include "lib/data/id_map.h"
#include "read/stream/event.h"

namespace grtrace {

struct Task {
	uint32_t tgid = 0;
	// As printable() makes it, which may be three bytes of one.
	char comm[3 * GRTRACE_COMM_LEN + 1] = {};

	std::string_view name() const { return comm; }
};

// Learns from TASK records in the order of the trace: a pid may be used again
// or change its name, and the last record of it is valid. Memory
// grows with pids seen.
class TaskTable {
public:
	// record points to a whole TASK record.
	void learn(const uint8_t *record);

	// nullptr when no TASK record has named the pid.
	const Task *find(uint32_t pid) { return tasks_.find(pid); }

	// The thread that gives the pid's process its name: its leader, or, where no record
	// named that, the pid itself. nullptr as find().
	const Task *leader(uint32_t pid)
	{
		const Task *task = find(pid);
		const Task *leader = task ? find(task->tgid) : nullptr;

		// The leader's pid may be another's by now.
		return leader && leader->tgid == task->tgid ? leader : task;
	}

	// Records so far: as long as it is the same, so are all answers.
	uint64_t learned() const { return learned_; }

private:
	IdMap<Task> tasks_;
	uint64_t learned_ = 0;
};

} // namespace grtrace
