// SPDX-License-Identifier: GPL-2.0
//
// What a ring did at each time.
#include <gtest/gtest.h>

#include "ring_activity.h"

namespace grtrace {

using enum JobPhase;

// In which state the ring was, by name: times that are not 0.
static std::string states(const RingActivity &ring)
{
	std::string text;

	for (size_t i = 0; i < nr_ring_states; i++)
		if (ring.times()[i])
			text += std::string(text.empty() ? "" : ", ") +
				ring_state_name(RingState(i)) + " " +
				std::to_string(ring.times()[i]);
	return text;
}

// One job walks through phases; the last one is at its end.
struct Walk {
	RingActivity &ring;
	JobPhase phase = unseen;

	Walk &to(JobPhase next, uint64_t ts)
	{
		ring.move({phase}, {next}, 1, ts);
		phase = next;
		return *this;
	}
};

TEST(RingActivity, has_a_cause_for_each_idle_stretch)
{
	RingActivity ring(100);

	Walk{ring}
		.to(queued, 110)
		.to(blocked, 111)
		.to(picked, 131)
		.to(committed, 132)
		.to(ended, 152)
		.to(over, 153);
	ring.finish(160);
	// It did not tell COMMIT yet when the first job was picked.
	EXPECT_EQ(states(ring), "busy 21, scheduler 1, blocked by a dependency "
				"20, no work submitted 18");
	EXPECT_EQ(ring.max_depth(), 1u);
	EXPECT_DOUBLE_EQ(ring.average_depth(), 42 / 60.0);
	EXPECT_DOUBLE_EQ(ring.average_hardware(), 21 / 60.0);
}

TEST(RingActivity, is_busy_from_commit_where_that_is_told)
{
	RingActivity ring(0);

	Walk{ring}.to(queued, 0).to(committed, 0).to(over, 0);
	Walk{ring}.to(queued, 10).to(picked, 20).to(committed, 25).to(over, 65);
	ring.finish(65);
	EXPECT_EQ(states(ring), "busy 40, scheduler 15, no work submitted 10");
}

TEST(RingActivity, waits_for_the_host_where_start_is_told)
{
	RingActivity ring(0);

	Walk{ring}.to(queued, 0).to(started, 0).to(over, 0);
	Walk{ring}.to(queued, 10).to(committed, 20).to(started, 50).to(over,
								      60);
	ring.finish(60);
	EXPECT_EQ(states(ring), "busy 10, waiting for the host 30, scheduler "
				"10, no work submitted 10");
}

TEST(RingActivity, blames_another_process_if_one_of_the_jobs_waits_for_it)
{
	RingActivity ring(0);

	Walk{ring}.to(queued, 0).to(blocked, 0);
	ring.move({unseen}, {queued}, 1, 10);
	ring.move({queued}, {blocked, true}, 1, 10);
	ring.move({blocked, true}, {over}, 1, 30);
	ring.finish(40);
	EXPECT_EQ(states(ring), "blocked by another process 20, "
				"blocked by a dependency 20");
}

// The scheduler cannot take what stands behind a blocked job.
TEST(RingActivity, is_blocked_while_all_that_is_queued_is_held)
{
	RingActivity ring(0);
	Walk head{ring};

	head.to(queued, 0);
	ring.move({unseen}, {queued}, 3, 0);
	head.phase = blocked;
	ring.move({queued}, {blocked}, 1, 0, true, {.caught = 3});
	ring.move({unseen}, {queued}, 1, 10, true, {.is_held = true});
	// Of another context, and that one waits for the scheduler indeed.
	Walk other{ring};
	other.to(queued, 20).to(over, 25);
	ring.move({blocked}, {picked}, 1, 40, true, {.freed = 4});
	ring.move({picked}, {over}, 1, 50);
	ring.finish(60);
	EXPECT_EQ(states(ring), "busy 10, scheduler 15, "
				"blocked by a dependency 35");
	EXPECT_EQ(ring.max_depth(), 6u);
}

TEST(RingActivity, is_busy_once_with_two_jobs)
{
	RingActivity ring(0);
	Walk a{ring}, b{ring};

	a.to(queued, 0).to(committed, 0);
	b.to(queued, 5).to(committed, 5);
	a.to(over, 10);
	b.to(over, 20);
	ring.finish(20);
	EXPECT_EQ(states(ring), "busy 20");
	EXPECT_EQ(ring.max_hardware(), 2u);
}

TEST(RingActivity, tells_gaps)
{
	RingActivity ring(0);

	EXPECT_EQ(ring.ended_gap(), nullptr);
	Walk job{ring};
	job.to(queued, 30);
	EXPECT_EQ(ring.ended_gap(), nullptr);
	job.to(committed, 40);
	ASSERT_NE(ring.ended_gap(), nullptr);
	EXPECT_EQ(ring.ended_gap()->from, 0u);
	EXPECT_EQ(ring.ended_gap()->to, 40u);
	EXPECT_EQ(ring.ended_gap()->held_up(), 10u);
	EXPECT_EQ(ring.ended_gap()->cause(), RingState::scheduler);
	job.to(over, 50);
	EXPECT_EQ(ring.ended_gap(), nullptr);
	ring.finish(60);
	ASSERT_NE(ring.ended_gap(), nullptr);
	EXPECT_EQ(ring.ended_gap()->from, 50u);
}

TEST(RingActivity, takes_back_idle_time_when_a_job_from_before_ends)
{
	RingActivity ring(0);

	ring.move({unseen}, {ended}, 1, 50);
	EXPECT_TRUE(ring.gaps_void());
	Walk{ring}.to(queued, 60).to(committed, 60).to(over, 70);
	// From here on a stray changes nothing.
	ring.move({unseen}, {over}, 1, 80);
	EXPECT_FALSE(ring.gaps_void());
	ring.finish(80);
	EXPECT_EQ(states(ring), "busy 10, no work submitted 20, not known 50");
}

// It was queued before, and the ring was not without work.
TEST(RingActivity, takes_back_idle_time_for_a_job_that_waited_long)
{
	RingActivity ring(0);

	Walk{ring}.to(queued, 60).to(committed, 60).to(over, 70);
	ring.move({unseen}, {committed}, 1, 80, false);
	ring.move({committed}, {over}, 1, 95, false);
	ring.finish(100);
	EXPECT_EQ(states(ring), "busy 25, no work submitted 5, not known 70");
}

// What was known before it stays known.
TEST(RingActivity, a_stray_after_a_loss_takes_nothing_back)
{
	RingActivity ring(0);

	Walk{ring}.to(queued, 60).to(committed, 60).to(over, 70);
	ring.lose(80);
	ring.move({unseen}, {over}, 1, 90);
	ring.finish(100);
	EXPECT_EQ(states(ring), "busy 10, no work submitted 70, not known 20");
}

TEST(RingActivity, knows_nothing_after_a_loss_until_a_new_job_is_through)
{
	RingActivity ring(0);
	Walk a{ring}, b{ring};

	a.to(queued, 0).to(committed, 0);
	ring.lose(10);
	a.phase = unseen;
	a.to(ended, 20);
	b.to(queued, 20).to(committed, 30).to(ended, 40);
	ring.finish(50);
	EXPECT_EQ(states(ring), "busy 10, no work submitted 10, not known 30");
}

TEST(RingActivity, takes_a_ring_that_tells_nothing_more_as_the_hosts)
{
	RingActivity ring(0);

	Walk{ring}.to(queued, 10).to(ended, 30);
	ring.finish(40);
	EXPECT_EQ(states(ring), "waiting for the host 20, no work submitted "
				"20");
	EXPECT_DOUBLE_EQ(ring.average_hardware(), 0.5);
}

TEST(RingActivity, learns_from_the_first_pick_what_the_time_before_was)
{
	RingActivity ring(0);

	Walk{ring}.to(queued, 10).to(picked, 30).to(ended, 40);
	ring.finish(40);
	EXPECT_EQ(states(ring), "busy 10, scheduler 20, no work submitted 10");
	EXPECT_DOUBLE_EQ(ring.average_hardware(), 0.25);
	EXPECT_DOUBLE_EQ(ring.average_depth(), 0.75);
	EXPECT_EQ(ring.max_hardware(), 1u);
}

TEST(RingActivity, ranks_a_gap_by_what_was_held_up)
{
	IdleGap gap = {0, 100, {0, 0, 10, 0, 20, 70, 0}};

	EXPECT_EQ(gap.held_up(), 30u);
	EXPECT_EQ(gap.cause(), RingState::dependency);
	gap.times = {0, 0, 0, 0, 0, 70, 30};
	EXPECT_EQ(gap.held_up(), 0u);
	EXPECT_EQ(gap.cause(), RingState::no_work);
}

TEST(RingActivity, time_does_not_run_backwards)
{
	RingActivity ring(100);

	Walk{ring}.to(queued, 50).to(committed, 120).to(over, 110);
	ring.finish(90);
	EXPECT_EQ(states(ring), "scheduler 20");
}

TEST(RingActivity, counts_what_a_sampled_job_stands_for)
{
	RingActivity ring(0);

	ring.move({unseen}, {queued}, 4, 0);
	ring.move({queued}, {over}, 4, 10);
	ring.finish(20);
	EXPECT_EQ(ring.max_depth(), 4u);
	EXPECT_DOUBLE_EQ(ring.average_depth(), 2.0);
}

} // namespace grtrace
