// SPDX-License-Identifier: GPL-2.0
#include "task_table.h"

#include <cstring>

#include <gtest/gtest.h>

#include "byte_order.h"

using namespace grtrace;

namespace {

void learn(TaskTable &tasks, uint32_t pid, uint32_t tgid, const char *comm)
{
	uint8_t record[sizeof(grtrace_rec_task)] = {};

	store32(record + offsetof(grtrace_rec_seq, pid), pid);
	store32(record + offsetof(grtrace_rec_task, tgid), tgid);
	strncpy(reinterpret_cast<char *>(record) +
			offsetof(grtrace_rec_task, comm),
		comm, GRTRACE_COMM_LEN);
	tasks.learn(record);
}

TEST(TaskTable, a_process_is_called_as_its_leader)
{
	TaskTable tasks;

	EXPECT_EQ(tasks.leader(11), nullptr);
	learn(tasks, 11, 10, "queue");
	EXPECT_EQ(tasks.leader(11)->name(), "queue");
	learn(tasks, 10, 10, "game");
	EXPECT_EQ(tasks.find(11)->name(), "queue");
	EXPECT_EQ(tasks.leader(11)->name(), "game");
	EXPECT_EQ(tasks.leader(10)->name(), "game");
}

TEST(TaskTable, a_leader_that_is_gone_names_nobody)
{
	TaskTable tasks;

	learn(tasks, 10, 10, "game");
	learn(tasks, 11, 10, "queue");
	learn(tasks, 10, 9, "thread of 9");
	EXPECT_EQ(tasks.leader(11)->name(), "queue");
	EXPECT_EQ(tasks.leader(10)->name(), "thread of 9");
}

} // namespace
