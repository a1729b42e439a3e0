// SPDX-License-Identifier: GPL-2.0
#include "drive/run/ending.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace grtrace {

using Event = Ending::Event;

// It changes what signals do: the other tests have theirs back.
class EndingTest : public testing::Test {
protected:
	void SetUp() override
	{
		sigprocmask(SIG_SETMASK, nullptr, &mask_);
		ASSERT_TRUE(ending_.prepare().ok());
		ending_.start(0);
	}
	void TearDown() override
	{
		sigprocmask(SIG_SETMASK, &mask_, nullptr);
		signal(SIGPIPE, SIG_DFL);
		signal(SIGXFSZ, SIG_DFL);
	}

	Ending ending_;
	sigset_t mask_;
};

TEST_F(EndingTest, nothing_is_a_tick)
{
	EXPECT_EQ(ending_.wait(-1, 1), Event::tick);
	EXPECT_GE(ending_.seconds_since_start(), 0.001);
}

TEST_F(EndingTest, the_stopwatch_ends_before_a_long_tick)
{
	ending_.start(1);
	EXPECT_EQ(ending_.wait(-1, 60000), Event::time);
	EXPECT_GE(ending_.seconds_since_start(), 1.0);
	EXPECT_LT(ending_.seconds_since_start(), 30.0);
}

TEST_F(EndingTest, a_signal_of_a_process_is_for_the_child_too)
{
	kill(getpid(), SIGTERM);
	EXPECT_EQ(ending_.wait(-1, 1000), Event::signal);
	EXPECT_EQ(ending_.signal_for_child(), SIGTERM);
}

TEST_F(EndingTest, a_descriptor_that_becomes_readable_is_a_failure)
{
	const Fd failed(eventfd(1, 0));

	EXPECT_EQ(ending_.wait(failed.get(), 60000), Event::failure);
	// A request to end is heard first.
	kill(getpid(), SIGINT);
	EXPECT_EQ(ending_.wait(failed.get(), 60000), Event::signal);
}

TEST_F(EndingTest, a_child_that_ended_is_told)
{
	const pid_t child = fork();

	if (!child)
		_exit(0);
	EXPECT_EQ(ending_.wait(-1, 60000), Event::child);
	EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

} // namespace grtrace
