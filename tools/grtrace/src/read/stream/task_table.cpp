// SPDX-License-Identifier: GPL-2.0
#include "read/stream/task_table.h"

#include <fmt/format.h>

#include "lib/text/utf8_text.h"

namespace grtrace {

void TaskTable::learn(const uint8_t *record)
{
	uint32_t pid = load32(record + offsetof(grtrace_rec_seq, pid));
	Task &task = tasks_[pid];
	std::string comm =
		printable(text_field(record + offsetof(grtrace_rec_task, comm), GRTRACE_COMM_LEN));

	learned_++;
	task.tgid = load32(record + offsetof(grtrace_rec_task, tgid));
	task.cgroup = load64(record + offsetof(grtrace_rec_task, cgroup));
	memcpy(task.comm, comm.c_str(), comm.size() + 1);
}

void TaskTable::learn_guilty(const uint8_t *record)
{
	using Error = grtrace_rec_error;

	const uint32_t pid = load32(record + offsetof(Error, pid));
	const std::string_view comm = text_field(record + offsetof(Error, comm), GRTRACE_COMM_LEN);

	if (pid && !comm.empty())
		guilty_[pid] = printable(comm);
}

std::string TaskTable::guilty(uint32_t pid) const
{
	const auto known = guilty_.find(pid);
	const Task *task = find(pid);

	return fmt::format("{}:{}",
			   known != guilty_.end() ? known->second :
			   task                   ? task->name() :
						    std::string_view("?"),
			   pid);
}

} // namespace grtrace
