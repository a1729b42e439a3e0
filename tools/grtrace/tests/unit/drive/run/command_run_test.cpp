// SPDX-License-Identifier: GPL-2.0
#include "drive/run/command_run.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace grtrace {

// A run changes what signals do: the other tests have theirs back.
class CommandRunTest : public testing::Test {
protected:
	void SetUp() override { sigprocmask(SIG_SETMASK, nullptr, &mask_); }
	void TearDown() override
	{
		sigprocmask(SIG_SETMASK, &mask_, nullptr);
		signal(SIGPIPE, SIG_DFL);
		signal(SIGXFSZ, SIG_DFL);
	}

	// Starts the run and returns how often it went on.
	static int follow(CommandRun &run)
	{
		int ticks = 0;

		EXPECT_TRUE(run.prepare().ok());
		EXPECT_TRUE(run.start().ok());
		while (run.goes_on(-1, 10))
			ticks++;
		return ticks;
	}

	sigset_t mask_;
};

TEST_F(CommandRunTest, ends_with_its_command)
{
	const std::vector<std::string> words = {"sh", "-c", "exit 7"};
	CommandRun run(words, 0);

	follow(run);
	EXPECT_EQ(run.command().exit_code(), 7);
	EXPECT_TRUE(run.wait_for_command());
}

TEST_F(CommandRunTest, stopwatch_ends_it_before_the_command)
{
	const std::vector<std::string> words = {"sh", "-c", "sleep 1.3; exit 5"};
	CommandRun run(words, 1);

	EXPECT_GT(follow(run), 10);
	EXPECT_TRUE(run.command().is_running());
	EXPECT_TRUE(run.wait_for_command());
	EXPECT_EQ(run.command().exit_code(), 5);
}

TEST_F(CommandRunTest, signal_ends_it_and_goes_to_the_command)
{
	const std::vector<std::string> words = {"sleep", "60"};
	CommandRun run(words, 0);

	ASSERT_TRUE(run.prepare().ok());
	ASSERT_TRUE(run.start().ok());
	kill(getpid(), SIGTERM);
	while (run.goes_on(-1, 10))
		;
	EXPECT_TRUE(run.wait_for_command());
	EXPECT_EQ(run.command().exit_code(), 128 + SIGTERM);
}

TEST_F(CommandRunTest, nothing_is_prepared_for_a_command_that_is_not_there)
{
	const std::vector<std::string> words = {"/none/such"};

	EXPECT_EQ(CommandRun(words, 0).prepare().sentence(),
		  "cannot run the command: /none/such: No such file or directory");
}

TEST_F(CommandRunTest, without_a_command_there_is_none_to_wait_for)
{
	const std::vector<std::string> none;
	CommandRun run(none, 1);

	EXPECT_GT(follow(run), 10);
	EXPECT_TRUE(run.wait_for_command());
	EXPECT_EQ(run.command().exit_code(), 0);
}

} // namespace grtrace
