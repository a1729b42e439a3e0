// SPDX-License-Identifier: GPL-2.0
//
// The jobs behind a blocked job of their context.
#include <gtest/gtest.h>

#include "words/activity/held_jobs.h"

namespace grtrace {

using enum JobPhase;

namespace {

// A job that reports its steps.
struct Walk {
	Walk(HeldJobs &held, uint64_t ctx, uint32_t slot, uint32_t ring = 0) : held(held)
	{
		job.ctx = ctx;
		job.slot = slot;
		job.ring = ring;
	}

	HeldJobs::Step to(JobPhase next)
	{
		const JobPhase from = job.phase;

		job.phase = next;
		return held.move(job, from);
	}

	HeldJobs &held;
	Job job;
};

} // namespace

TEST(HeldJobs, the_jobs_behind_a_blocked_one_are_held_with_it)
{
	HeldJobs held;
	Walk head(held, 7, 0), second(held, 7, 1), third(held, 7, 2);

	second.job.weight = 5;
	head.to(queued);
	EXPECT_FALSE(second.to(queued).is_held);

	HeldJobs::Step step = head.to(blocked);
	EXPECT_EQ(step.caught, 5u);
	EXPECT_FALSE(step.is_held);
	// By another fence: they were held all the time.
	step = head.to(blocked);
	EXPECT_EQ(step.caught, 0u);
	EXPECT_EQ(step.freed, 0u);
	EXPECT_TRUE(third.to(queued).is_held);

	step = head.to(picked);
	EXPECT_EQ(step.freed, 6u);
	EXPECT_FALSE(second.to(picked).was_held);
}

TEST(HeldJobs, a_job_that_leaves_while_it_is_held_was_held)
{
	HeldJobs held;
	Walk head(held, 7, 0), second(held, 7, 1);

	head.to(queued);
	head.to(blocked);
	second.to(queued);
	EXPECT_TRUE(second.to(over).was_held);
	EXPECT_EQ(head.to(over).freed, 0u);
}

// A held job is blocked for itself once it is the first.
TEST(HeldJobs, the_next_one_is_blocked_in_its_turn)
{
	HeldJobs held;
	Walk head(held, 7, 0), second(held, 7, 1), third(held, 7, 2);

	for (Walk *walk : {&head, &second, &third})
		walk->to(queued);
	head.to(blocked);
	EXPECT_EQ(head.to(picked).freed, 2u);

	HeldJobs::Step step = second.to(blocked);
	EXPECT_FALSE(step.was_held);
	EXPECT_EQ(step.caught, 1u);
}

TEST(HeldJobs, other_contexts_and_rings_go_on)
{
	HeldJobs held;
	Walk head(held, 7, 0), other(held, 8, 1), elsewhere(held, 7, 2, 1);

	head.to(queued);
	other.to(queued);
	EXPECT_EQ(head.to(blocked).caught, 0u);
	EXPECT_FALSE(elsewhere.to(queued).is_held);
	EXPECT_FALSE(other.to(picked).was_held);
}

TEST(HeldJobs, nothing_is_known_after_a_loss)
{
	HeldJobs held;
	Walk head(held, 7, 0), second(held, 7, 1);

	head.to(queued);
	head.to(blocked);
	held.forget();
	EXPECT_FALSE(second.to(queued).is_held);
	// It was reported again, from nowhere.
	head.job.phase = unseen;
	EXPECT_EQ(head.to(blocked).caught, 1u);
}

// Two queues that would have one place: no number of jobs is wrong for it.
TEST(HeldJobs, a_context_of_a_strange_number_holds_nobody)
{
	HeldJobs held;
	Walk head(held, 7, 0), strange(held, 7 | 1ull << 40, 1, 1);
	Walk later(held, 7, 2);

	head.to(queued);
	strange.to(queued);
	EXPECT_EQ(strange.to(blocked).caught, 0u);
	EXPECT_FALSE(later.to(queued).is_held);
	strange.to(picked);
	EXPECT_EQ(head.to(blocked).caught, 1u);
}

// Contexts come and go: their queues' places are used again.
TEST(HeldJobs, many_contexts_one_after_the_other)
{
	HeldJobs held;
	Walk head(held, 1, 0), second(held, 1, 1);

	head.to(queued);
	head.to(blocked);
	second.to(queued);
	for (uint64_t ctx = 2; ctx < 10000; ctx++) {
		Walk walk(held, ctx, 2), behind(held, ctx, 3);

		ASSERT_FALSE(walk.to(queued).is_held);
		ASSERT_EQ(walk.to(blocked).caught, 0u);
		ASSERT_TRUE(behind.to(queued).is_held);
		ASSERT_EQ(walk.to(picked).freed, 1u);
		ASSERT_FALSE(behind.to(picked).was_held);
	}
	EXPECT_EQ(head.to(picked).freed, 1u);
}

} // namespace grtrace
