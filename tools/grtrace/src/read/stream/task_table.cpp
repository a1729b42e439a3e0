// SPDX-License-Identifier: GPL-2.0
#include "read/stream/task_table.h"

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
	memcpy(task.comm, comm.c_str(), comm.size() + 1);
}

} // namespace grtrace
