// SPDX-License-Identifier: GPL-2.0
#include "words/reading/next_command.h"

#include <cstdlib>

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace grtrace {

using Words = std::optional<std::string>;

static Words words(const char *directory, const char *input)
{
	return input_words(directory, input, false);
}

TEST(NextCommand, names_the_input_from_here)
{
	EXPECT_EQ(words("", "game"), Words(" game"));
	EXPECT_EQ(words(".", "game"), Words(" game"));
	EXPECT_EQ(words("a b", "game"), Words(" 'a b/game'"));
	EXPECT_EQ(words("there", "/tmp/game"), Words(" /tmp/game"));
	EXPECT_EQ(input_words("", "game", true), Words(""));
}

TEST(NextCommand, begins_no_name_with_a_dash)
{
	EXPECT_EQ(words("", "-game"), Words(" ./-game"));
	EXPECT_EQ(words("-d", "game"), Words(" ./-d/game"));
	EXPECT_EQ(words(".", "-game"), Words(" ./-game"));
}

TEST(NextCommand, has_none_for_what_can_be_read_once)
{
	char folder[] = "/tmp/next_command_XXXXXX";

	ASSERT_TRUE(mkdtemp(folder));
	const std::string pipe = std::string(folder) + "/pipe";
	const std::string of_cpu = pipe + "s.grtrace.0";

	ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
	ASSERT_EQ(mkfifo(of_cpu.c_str(), 0600), 0);
	EXPECT_EQ(words(folder, "pipe"), Words());
	EXPECT_EQ(words(folder, "pipes"), Words());
	EXPECT_EQ(words("", pipe.c_str()), Words());
	unlink(of_cpu.c_str());
	unlink(pipe.c_str());
	rmdir(folder);
	EXPECT_EQ(words("", "-"), Words());
	EXPECT_EQ(words("there", "-"), Words());
	EXPECT_EQ(words("", "/dev/stdin"), Words());
	EXPECT_EQ(words("/dev", "stdin"), Words());
	EXPECT_EQ(words("/tmp/../dev/", "stdin"), Words());
	EXPECT_EQ(words("/dev/fd", "0"), Words());
	EXPECT_EQ(words("/proc/self", "fd/0"), Words());
	EXPECT_EQ(words("/dev/shm", "game"), Words(" /dev/shm/game"));
}

// A terminal would not show them, but do what they say.
TEST(NextCommand, has_none_with_control_characters)
{
	EXPECT_EQ(words("", "a\033[2Jb"), Words());
	EXPECT_EQ(words("a\nb", "game"), Words());
	EXPECT_EQ(words("", "sp\xc3\xa4t"), Words(" 'sp\xc3\xa4t'"));
}

} // namespace grtrace
