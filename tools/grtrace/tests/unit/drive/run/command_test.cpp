// SPDX-License-Identifier: GPL-2.0
#include "drive/run/command.h"

#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace grtrace {

static int end_of(Command &command)
{
	for (int i = 0; i < 6000 && !command.has_ended(); i++)
		usleep(10000);
	EXPECT_FALSE(command.is_running());
	return command.exit_code();
}

TEST(Command, is_looked_for_as_execvp_does)
{
	EXPECT_TRUE(Command::find({}).ok());
	EXPECT_TRUE(Command::find({"sh", "-c", "x"}).ok());
	EXPECT_TRUE(Command::find({"/bin/sh"}).ok());
	EXPECT_EQ(Command::find({"./none"}).sentence(),
		  "cannot run the command: ./none: No such file or directory");
	EXPECT_FALSE(Command::find({"grtrace-none"}).ok());
}

TEST(Command, waits_to_be_released_and_gives_its_status)
{
	char name[] = "/tmp/grtrace-XXXXXX";
	Command command;

	close(mkstemp(name));
	const std::string remove = std::string("rm ") + name + "; exit 7";
	ASSERT_TRUE(command.fork({"sh", "-c", remove}, false).ok());
	usleep(20000);
	EXPECT_EQ(access(name, F_OK), 0);
	EXPECT_FALSE(command.has_ended());
	ASSERT_TRUE(command.release().ok());
	EXPECT_EQ(end_of(command), 7);
	EXPECT_NE(access(name, F_OK), 0);
}

TEST(Command, one_that_is_never_released_never_runs)
{
	char name[] = "/tmp/grtrace-XXXXXX";

	close(mkstemp(name));
	{
		Command command;

		ASSERT_TRUE(command.fork({"rm", name}, false).ok());
	}
	EXPECT_EQ(unlink(name), 0);
}

TEST(Command, a_signal_is_told_as_a_shell_does)
{
	Command command;

	ASSERT_TRUE(command.fork({"sleep", "60"}, false).ok());
	ASSERT_TRUE(command.release().ok());
	command.forward(SIGTERM);
	EXPECT_EQ(end_of(command), 128 + SIGTERM);
}

TEST(Command, release_says_what_cannot_be_executed)
{
	Command command;

	ASSERT_TRUE(command.fork({"/dev/null"}, false).ok());
	EXPECT_EQ(command.release().sentence(), "cannot run the command: Permission denied");
	EXPECT_EQ(end_of(command), 127);
}

} // namespace grtrace
