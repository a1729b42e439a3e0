// SPDX-License-Identifier: GPL-2.0
#include "drive/run/command_run.h"

#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

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

	// Starts the run and waits until something ends it.
	static void follow(CommandRun &run)
	{
		EXPECT_TRUE(run.prepare().ok());
		run.start_stopwatch();
		EXPECT_TRUE(run.start_command().ok());
		while (run.goes_on(-1, 10))
			;
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

TEST_F(CommandRunTest, starts_with_a_full_second_of_the_wall_clock)
{
	const std::vector<std::string> words;
	CommandRun run(words, 0);
	// time() may be behind by some ms.
	const auto second = [] {
		return std::chrono::system_clock::now().time_since_epoch() /
		       std::chrono::seconds(1);
	};
	const auto before = second();

	ASSERT_TRUE(run.prepare().ok());
	EXPECT_TRUE(run.wait_for_start(0).ok());
	EXPECT_TRUE(run.wait_for_start(1).ok());
	EXPECT_GT(second(), before);
	kill(getpid(), SIGTERM);
	EXPECT_EQ(run.wait_for_start(86400).sentence(),
		  "nothing was recorded: a signal came before the time of --at");
}

TEST_F(CommandRunTest, stopwatch_ends_it_before_the_command)
{
	char folder[] = "/tmp/grtrace-XXXXXX";
	ASSERT_NE(mkdtemp(folder), nullptr);
	const std::string fifo = std::string(folder) + "/fifo";
	ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
	// It ends when this test has seen that it runs, however late that is.
	const std::vector<std::string> words = {"sh", "-c", "read end <" + fifo + "; exit 5"};
	CommandRun run(words, 1);
	const auto begin = std::chrono::steady_clock::now();

	follow(run);
	EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
	EXPECT_TRUE(run.command().is_running());
	close(open(fifo.c_str(), O_WRONLY | O_CLOEXEC));
	EXPECT_TRUE(run.wait_for_command());
	unlink(fifo.c_str());
	rmdir(folder);
	EXPECT_EQ(run.command().exit_code(), 5);
}

TEST_F(CommandRunTest, signal_ends_it_and_goes_to_the_command)
{
	const std::vector<std::string> words = {"sleep", "60"};
	CommandRun run(words, 0);

	ASSERT_TRUE(run.prepare().ok());
	run.start_stopwatch();
	ASSERT_TRUE(run.start_command().ok());
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
	const auto begin = std::chrono::steady_clock::now();

	follow(run);
	EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
	EXPECT_TRUE(run.wait_for_command());
	EXPECT_EQ(run.command().exit_code(), 0);
}

} // namespace grtrace
