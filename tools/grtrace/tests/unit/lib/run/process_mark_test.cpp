// SPDX-License-Identifier: GPL-2.0
#include "lib/run/process_mark.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

namespace grtrace {

TEST(ProcessMark, is_of_a_process_that_is_gone)
{
	int ends[2];
	char mark[64] = {};

	EXPECT_FALSE(is_mark_of_gone(process_mark('.'), '.'));
	ASSERT_EQ(pipe(ends), 0);
	const pid_t child = fork();
	if (!child) {
		const std::string own = process_mark('.');

		_exit(write(ends[1], own.data(), own.size()) < 0);
	}
	ASSERT_GT(read(ends[0], mark, sizeof(mark) - 1), 0);
	ASSERT_EQ(waitpid(child, nullptr, 0), child);
	EXPECT_TRUE(is_mark_of_gone(mark, '.'));
	close(ends[0]);
	close(ends[1]);
}

// Another process has its number, now.
TEST(ProcessMark, needs_the_beginning_of_the_process)
{
	EXPECT_TRUE(is_mark_of_gone(std::to_string(getpid()) + "_1", '_'));
	EXPECT_FALSE(is_mark_of_gone(std::to_string(getpid()), '_'));
	EXPECT_FALSE(is_mark_of_gone("x_1", '_'));
	EXPECT_FALSE(is_mark_of_gone("1_2_3", '_'));
}

} // namespace grtrace
