// SPDX-License-Identifier: GPL-2.0
//
// The state of a ring at each time.
#include <gtest/gtest.h>

#include <string>

#include "words/activity/ring_activity.h"

namespace grtrace {

using enum RingPlace;

static constexpr RingSteps all_steps = {true, true, true};

// A ring with all that it reports.
struct WatchedRing : RingActivityWatcher {
	explicit WatchedRing(uint64_t start) : ring(start, *this) {}

	void busy(uint64_t from, uint64_t to) override { busy_ns += to - from; }
	void idle(const IdleGap &gap, const GapEnd *end) override
	{
		gaps.push_back(gap);
		ends.push_back(end ? end->seqno : 0);
	}
	void gaps_void() override
	{
		gaps.clear();
		ends.clear();
	}

	// In which state the ring was, by name: times that are not 0.
	std::string states(const RingSteps &steps = all_steps) const
	{
		const StateTimes times = ring.times().resolve(steps);
		std::string text;

		for (size_t i = 0; i < nr_ring_states; i++)
			if (times[i])
				text += std::string(text.empty() ? "" : ", ") +
					ring_state_name(RingState(i)) + " " +
					std::to_string(times[i]);
		return text;
	}

	// From one place to the other at the times.
	void walk(std::initializer_list<std::pair<RingPlace, uint64_t>> steps, uint64_t gone)
	{
		RingPlace at = none;

		for (const auto &[place, ts] : steps) {
			ring.move(at, place, 1, ts);
			at = place;
		}
		ring.move(at, none, 1, gone);
		ring.settle({gone, 9, 8, 7});
	}
	void execute(uint64_t from, uint64_t to, uint64_t seqno = 1)
	{
		ring.begin_execution({from, 9, seqno, 7});
		ring.end_execution(to);
	}

	RingActivity ring;
	uint64_t busy_ns = 0;
	std::vector<IdleGap> gaps;
	std::vector<uint64_t> ends;
};

TEST(RingActivity, has_a_cause_for_each_idle_stretch)
{
	WatchedRing r(100);

	r.walk({{queued, 110}, {blocked, 111}, {picked, 131}, {handed_over, 132}}, 152);
	r.execute(137, 152);
	r.ring.finish(160);
	EXPECT_EQ(r.states(), "busy 15, waiting for the host 5, scheduler 2, "
			      "blocked by a dependency 20, no work submitted "
			      "18");
	EXPECT_EQ(r.busy_ns, 15u);
	EXPECT_EQ(r.ring.max_depth(), 1u);
	EXPECT_DOUBLE_EQ(r.ring.average_depth(), 42 / 60.0);
	EXPECT_DOUBLE_EQ(r.ring.average_hardware(all_steps), 20 / 60.0);
}

// Clocks of CPUs differ: by its time the record of the later step is the older.
TEST(RingActivity, a_job_may_leave_a_place_before_it_came_there)
{
	WatchedRing r(0);

	r.ring.move(none, queued, 1, 12);
	r.ring.move(queued, blocked, 1, 10);
	r.ring.move(blocked, none, 1, 20);
	r.ring.finish(40);
	EXPECT_EQ(r.states(), "blocked by a dependency 10, no work submitted "
			      "30");
	EXPECT_EQ(r.ring.max_depth(), 1u);
	EXPECT_DOUBLE_EQ(r.ring.average_depth(), 8 / 40.0);
}

// Only at the end it is known whether a ring records COMMIT.
TEST(RingActivity, picked_is_handed_over_on_a_ring_without_commit)
{
	WatchedRing r(0);

	r.walk({{queued, 10}, {picked, 20}}, 60);
	r.execute(50, 60);
	r.ring.finish(60);
	EXPECT_EQ(r.states(), "busy 10, scheduler 40, no work submitted 10");
	EXPECT_EQ(r.states({true, false, true}), "busy 10, waiting for the host 30, scheduler 10, "
						 "no work submitted 10");
	EXPECT_DOUBLE_EQ(r.ring.average_hardware(all_steps), 0);
	EXPECT_DOUBLE_EQ(r.ring.average_hardware({true, false, true}), 40 / 60.0);
	EXPECT_EQ(r.ring.max_hardware({true, false, true}), 1u);
}

TEST(RingActivity, a_ring_that_records_nothing_more_is_the_hosts)
{
	WatchedRing r(0);

	r.walk({{queued, 10}}, 30);
	r.ring.finish(40);
	EXPECT_EQ(r.states({}), "waiting for the host 20, no work submitted 20");
}

TEST(RingActivity, blames_another_process_if_one_of_the_jobs_waits_for_it)
{
	WatchedRing r(0);

	r.ring.move(none, blocked, 1, 0);
	r.walk({{queued, 10}, {blocked_by_other, 10}}, 30);
	r.ring.finish(40);
	EXPECT_EQ(r.states(), "blocked by another process 20, "
			      "blocked by a dependency 20");
}

TEST(RingActivity, is_busy_once_with_two_jobs)
{
	WatchedRing r(0);

	r.walk({{queued, 0}, {handed_over, 0}}, 10);
	r.walk({{queued, 5}, {handed_over, 5}}, 20);
	r.execute(0, 10);
	r.execute(5, 20);
	r.ring.finish(20);
	EXPECT_EQ(r.states(), "busy 20");
	EXPECT_EQ(r.busy_ns, 20u);
	EXPECT_EQ(r.ring.max_hardware(all_steps), 2u);
}

// COMMIT may be recorded after END, and START is inferred with the END.
TEST(RingActivity, takes_changes_that_come_late)
{
	WatchedRing r(0);

	r.walk({{queued, 50}, {handed_over, 51}}, 60);
	r.execute(51, 60);
	r.ring.pass(10);
	r.walk({{queued, 20}, {handed_over, 21}}, 30);
	r.execute(21, 30);
	r.ring.finish(60);
	EXPECT_EQ(r.states(), "busy 18, scheduler 2, no work submitted 40");
}

TEST(RingActivity, what_comes_too_late_counts_from_there_on)
{
	WatchedRing r(100);

	r.ring.move(none, queued, 1, 50);
	r.ring.pass(120);
	r.ring.move(none, queued, 1, 130);
	r.ring.pass(130);
	r.execute(110, 140);
	r.ring.finish(140);
	EXPECT_EQ(r.states(), "busy 10, scheduler 30");
}

TEST(RingActivity, reports_gaps_and_what_ended_them)
{
	WatchedRing r(0);

	r.walk({{queued, 30}, {handed_over, 40}}, 50);
	r.execute(40, 50, 3);
	r.walk({{queued, 50}, {handed_over, 50}}, 55);
	r.execute(50, 55, 4); // at once: no gap
	r.ring.finish(60);
	ASSERT_EQ(r.gaps.size(), 2u);
	EXPECT_EQ(r.gaps[0].from, 0u);
	EXPECT_EQ(r.gaps[0].to, 40u);
	EXPECT_EQ(r.gaps[0].held_up(), 10u);
	EXPECT_EQ(IdleGap::cause(r.gaps[0].times.resolve(all_steps)), RingState::scheduler);
	EXPECT_EQ(r.ends[0], 3u);
	EXPECT_EQ(r.gaps[1].from, 55u);
	EXPECT_EQ(r.gaps[1].to, 60u);
	EXPECT_EQ(r.ends[1], 0u);
}

TEST(RingActivity, the_cause_of_a_gap_is_what_held_jobs_up_if_anything_did)
{
	EXPECT_EQ(IdleGap::cause({0, 0, 10, 0, 20, 70, 0}), RingState::dependency);
	EXPECT_EQ(IdleGap::cause({0, 0, 0, 0, 0, 70, 30}), RingState::no_work);
}

// It may have been queued, or on the hardware, until its first record.
TEST(RingActivity, takes_back_idle_time_when_a_job_from_before_is_seen)
{
	WatchedRing r(0);

	r.walk({{queued, 10}, {handed_over, 20}}, 30);
	r.execute(20, 30);
	r.ring.know_nothing_before(50);
	r.walk({{handed_over, 50}}, 60);
	r.ring.finish(80);
	EXPECT_EQ(r.states(), "busy 10, waiting for the host 10, "
			      "no work submitted 20, not known 40");
	// Only what is idle since is a gap for certain.
	ASSERT_EQ(r.gaps.size(), 1u);
	EXPECT_EQ(r.gaps[0].to, 80u);
	EXPECT_EQ(r.gaps[0].held_up(), 10u);
}

TEST(RingActivity, knows_nothing_after_a_loss_until_a_new_job_is_through)
{
	WatchedRing r(0);

	r.ring.begin_execution({0, 9, 1, 7});
	r.ring.lose(10);
	r.walk({{queued, 20}, {handed_over, 30}}, 40);
	r.execute(30, 40);
	r.ring.finish(50);
	EXPECT_EQ(r.states(), "busy 10, no work submitted 10, not known 30");
	EXPECT_EQ(r.busy_ns, 10u);
}

// A job that begins while nothing is known ends no gap.
TEST(RingActivity, a_gap_after_a_loss_is_ended_by_the_job_that_is_through)
{
	WatchedRing r(0);

	r.ring.lose(10);
	r.execute(35, 60, 2);
	r.walk({{queued, 20}, {handed_over, 30}}, 40);
	r.ring.finish(60);
	ASSERT_EQ(r.gaps.size(), 1u);
	EXPECT_EQ(r.gaps[0].to, 40u);
	EXPECT_EQ(r.ends[0], 8u);

	WatchedRing other(0);
	other.ring.lose(10);
	other.execute(40, 60, 2);
	other.walk({{queued, 20}, {handed_over, 30}}, 40);
	other.ring.finish(60);
	EXPECT_EQ(other.ends[0], 2u);
}

TEST(RingActivity, counts_what_a_sampled_job_stands_for)
{
	WatchedRing r(0);

	r.ring.move(none, queued, 4, 0);
	r.ring.move(queued, none, 4, 10);
	r.ring.finish(20);
	EXPECT_EQ(r.ring.max_depth(), 4u);
	EXPECT_DOUBLE_EQ(r.ring.average_depth(), 2.0);
}

// A job that came and went at one time was never there.
TEST(RingActivity, depth_is_what_it_was_for_some_time)
{
	WatchedRing r(0);

	r.walk({{queued, 5}}, 5);
	r.ring.move(none, queued, 1, 6);
	r.ring.move(queued, none, 1, 8);
	r.ring.finish(10);
	EXPECT_EQ(r.ring.max_depth(), 1u);
	EXPECT_DOUBLE_EQ(r.ring.average_depth(), 0.2);
}

} // namespace grtrace
