// SPDX-License-Identifier: GPL-2.0
#include "lib/run/command.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
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

TEST(Command, gives_its_status)
{
	Command command;

	ASSERT_TRUE(command.start({"sh", "-c", "exit 7"}).ok());
	EXPECT_EQ(end_of(command), 7);
}

TEST(Command, is_waited_for_whatever_failed_before)
{
	Command command;

	ASSERT_TRUE(command.start({"sh", "-c", "exit 7"}).ok());
	errno = EINTR;
	EXPECT_EQ(command.wait(), 7);
}

TEST(Command, a_signal_is_told_as_a_shell_does)
{
	Command command;

	ASSERT_TRUE(command.start({"sleep", "60"}).ok());
	command.forward(SIGTERM);
	EXPECT_EQ(end_of(command), 128 + SIGTERM);
}

// The command does not inherit the signals that the recorder blocks or ignores.
TEST(Command, has_the_usual_signals)
{
	Command command;
	sigset_t blocked, before;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	signal(SIGPIPE, SIG_IGN);
	EXPECT_TRUE(command.start({"sh", "-c", "kill -PIPE $$"}).ok());
	EXPECT_EQ(end_of(command), 128 + SIGPIPE);
	EXPECT_TRUE(command.start({"sh", "-c", "kill -TERM $$"}).ok());
	EXPECT_EQ(end_of(command), 128 + SIGTERM);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, nullptr);
}

TEST(Command, says_what_cannot_be_executed)
{
	Command command;

	EXPECT_EQ(command.start({"/dev/null"}).sentence(),
		  "cannot run the command: Permission denied");
	EXPECT_FALSE(command.is_running());
}

TEST(Command, a_script_without_a_first_line_has_the_usual_shell)
{
	char name[] = "/tmp/grtrace-XXXXXX";
	const int script = mkstemp(name);
	Command command;

	fchmod(script, 0700);
	EXPECT_EQ(write(script, "exit $1\n", 8), 8);
	close(script);
	EXPECT_TRUE(command.start({name, "6"}).ok());
	EXPECT_EQ(end_of(command), 6);
	unlink(name);
}

} // namespace grtrace
