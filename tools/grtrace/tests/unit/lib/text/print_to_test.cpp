// SPDX-License-Identifier: GPL-2.0
//
// The exit of main() where standard output does not take all. Each in a process of its own,
// because that is remembered to the end.
#include "lib/text/print_to.h"

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace grtrace {

// Prints to what standard output is then, and ends as main() does.
[[noreturn]] static void print_and_exit(int fd, int code)
{
	signal(SIGPIPE, SIG_IGN);
	dup2(fd, STDOUT_FILENO);
	print_to(stdout, "{} {}\n", "a", 1);
	exit(stdout_taken("tool", code));
}

TEST(PrintTo, the_code_stays_where_all_was_taken)
{
	EXPECT_EXIT(print_and_exit(open("/dev/null", O_WRONLY), 3), testing::ExitedWithCode(3), "");
}

TEST(PrintTo, a_full_disk_is_said_and_is_a_failure)
{
	EXPECT_EXIT(print_and_exit(open("/dev/full", O_WRONLY), 0), testing::ExitedWithCode(1),
		    "tool: standard output: cannot write: No space left on device: make room, or "
		    "write elsewhere");
	EXPECT_EXIT(print_and_exit(open("/dev/full", O_WRONLY), 3), testing::ExitedWithCode(3),
		    "cannot write");
}

TEST(PrintTo, a_reader_that_went_away_ends_us_as_it_does_others)
{
	int ends[2];

	ASSERT_EQ(pipe(ends), 0);
	close(ends[0]);
	EXPECT_EXIT(print_and_exit(ends[1], 0), testing::KilledBySignal(SIGPIPE), "^$");
	// A failure of our own is what counts.
	EXPECT_EXIT(print_and_exit(ends[1], 2), testing::ExitedWithCode(2), "^$");
	close(ends[1]);
}

} // namespace grtrace
