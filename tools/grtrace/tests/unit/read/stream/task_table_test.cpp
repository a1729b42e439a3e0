// SPDX-License-Identifier: GPL-2.0
#include "read/stream/task_table.h"

#include <cstring>

#include <gtest/gtest.h>

#include "format/byte_order.h"

using namespace grtrace;

namespace {

void learn(TaskTable &tasks, uint32_t pid, uint32_t tgid, const char *comm)
{
	uint8_t record[sizeof(grtrace_rec_task)] = {};

	store32(record + offsetof(grtrace_rec_seq, pid), pid);
	store32(record + offsetof(grtrace_rec_task, tgid), tgid);
	strncpy(reinterpret_cast<char *>(record) + offsetof(grtrace_rec_task, comm), comm,
		GRTRACE_COMM_LEN);
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

// However many of its bytes are no letter.
TEST(TaskTable, a_name_is_utf8)
{
	TaskTable tasks;

	learn(tasks, 1, 1, "Spiel_\xc3\xa4\xc3\xb6\xc3\xbc\xe6\x97\xa5\xe6");
	EXPECT_EQ(tasks.find(1)->name(), "Spiel_\xc3\xa4\xc3\xb6\xc3\xbc\xe6\x97\xa5\xef\xbf\xbd");
	learn(tasks, 2, 2, "a\nb\x7f");
	EXPECT_EQ(tasks.find(2)->name(), "a?b?");

	std::string all;
	for (size_t i = 0; i < GRTRACE_COMM_LEN; i++)
		all += "\xef\xbf\xbd";
	learn(tasks, 3, 3, std::string(GRTRACE_COMM_LEN, '\xff').c_str());
	EXPECT_EQ(tasks.find(3)->name(), all);
}

} // namespace
