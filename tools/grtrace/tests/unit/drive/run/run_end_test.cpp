// SPDX-License-Identifier: GPL-2.0
#include "drive/run/run_end.h"

#include "drive/run/command_run.h"

#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace grtrace {

TEST(RunEnd, a_directory_is_made_one_level_deep)
{
	char folder[] = "/tmp/grtrace-XXXXXX";

	ASSERT_NE(mkdtemp(folder), nullptr);
	const std::string inner = std::string(folder) + "/d";
	EXPECT_TRUE(make_output_directory("").ok());
	EXPECT_TRUE(make_output_directory(inner).ok());
	EXPECT_TRUE(make_output_directory(inner).ok());
	EXPECT_EQ(make_output_directory(inner + "/e/f").sentence(),
		  "cannot create the directory " + inner + "/e/f: No such file or directory");
	rmdir(inner.c_str());
	rmdir(folder);
}

TEST(RunEnd, losses_matter_to_the_strict)
{
	const std::vector<std::string> none;
	const CommandRun run(none, 0);

	EXPECT_EQ(recording_exit_code(run, false, true), 0);
	EXPECT_EQ(recording_exit_code(run, true, false), 0);
	EXPECT_EQ(recording_exit_code(run, true, true), 3);
}

TEST(RunEnd, a_capture_is_nothing_for_a_terminal)
{
	const int saved = dup(STDOUT_FILENO);
	const int terminal = posix_openpt(O_RDWR | O_NOCTTY);

	ASSERT_GE(terminal, 0);
	testing::internal::CaptureStderr();
	fflush(stdout);
	dup2(terminal, STDOUT_FILENO);
	const bool refused = is_for_terminal("-");
	const bool named = is_for_terminal("file");
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(terminal);
	EXPECT_TRUE(refused);
	EXPECT_FALSE(named);
	EXPECT_EQ(testing::internal::GetCapturedStderr().find("grtrace: -o -: a capture is"), 0u);
}

} // namespace grtrace
