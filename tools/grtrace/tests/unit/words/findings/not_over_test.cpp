// SPDX-License-Identifier: GPL-2.0
//
// Jobs, commands and tasks that stood still when a capture ended.
#include "words/findings/not_over.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace grtrace {

namespace {

constexpr uint64_t ms = 1000000;
constexpr uint64_t end = 5000 * ms;

Job in_flight(uint64_t ctx, uint64_t seqno, uint32_t ring, uint64_t submit)
{
	Job job;

	job.ctx = ctx;
	job.seqno = seqno;
	job.ring = ring;
	job.submit_ts = submit;
	job.at_end = true;
	return job;
}

Job on_ring(uint64_t ctx, uint64_t seqno, uint32_t ring, uint64_t since)
{
	Job job = in_flight(ctx, seqno, ring, since);

	job.pick_ts = job.start_ts = job.has_ring_since = since;
	return job;
}

Job blocked(uint64_t ctx, uint64_t seqno, uint32_t ring, uint64_t since, uint64_t fence_ctx)
{
	Job job = in_flight(ctx, seqno, ring, since);

	job.blocked_ts = job.blocker_since = since;
	job.blocker_ctx = fence_ctx;
	job.blocker_seqno = 1;
	return job;
}

// Returns what stands still, such as "1 5:1 since 100: 1 jobs, 2 behind, 0 tasks".
std::vector<std::string> found(NotOver &not_over, NotOver::RingFacts facts = {})
{
	std::vector<std::string> lines;

	not_over.finish(end, [&](uint32_t) { return facts; });
	for (const Standstill &one : not_over.all())
		lines.push_back(fmt::format("{} {}:{} since {}: {} jobs, {} behind, {} tasks",
					    int(one.kind), one.job.ctx, one.job.seqno,
					    one.since / ms, one.jobs, one.behind, one.tasks));
	return lines;
}

using Lines = std::vector<std::string>;

} // namespace

TEST(NotOver, a_limit_is_beyond_what_is_usual_on_the_ring)
{
	EXPECT_EQ(NotOver::limit_of(0), 1000 * ms);
	EXPECT_EQ(NotOver::limit_of(1 * ms), 100 * ms);
	EXPECT_EQ(NotOver::limit_of(20 * ms), 200 * ms);
	EXPECT_EQ(NotOver::limit_of(200 * ms), 1000 * ms);
	EXPECT_EQ(NotOver::limit_of(2000 * ms), 4000 * ms);
	EXPECT_EQ(NotOver::limit_of(UINT64_MAX), UINT64_MAX);
}

TEST(NotOver, the_job_on_the_ring_is_what_those_behind_it_wait_for)
{
	NotOver not_over;
	const Job picked = [] {
		Job job = in_flight(6, 1, 1, 210 * ms);

		job.pick_ts = 211 * ms;
		return job;
	}();

	not_over.add(on_ring(5, 1, 1, 200 * ms), 3, true);
	not_over.add(picked, 4, true);
	not_over.add(in_flight(6, 2, 1, 220 * ms), 4, true);
	not_over.add(blocked(7, 1, 2, 230 * ms, 6), 5, true); // by 6:1
	not_over.add(in_flight(7, 2, 2, 240 * ms), 5, true);
	not_over.add_wait(&picked, 6, 1, 4, 250 * ms);
	EXPECT_EQ(found(not_over), (Lines{"0 5:1 since 200: 1 jobs, 4 behind, 1 tasks"}));
	ASSERT_NE(not_over.of({7, 2, 2}), nullptr);
	EXPECT_EQ(not_over.of({7, 2, 2})->job, (JobName{5, 1, 1}));
	EXPECT_EQ(not_over.of({7, 2, 1}), nullptr);
	EXPECT_EQ(not_over.all()[0].rings.size(), 2u);
}

TEST(NotOver, a_fence_of_no_job_blocks_by_itself)
{
	NotOver not_over;

	not_over.add(blocked(7, 1, 2, 230 * ms, 999), 5, true);
	not_over.add(in_flight(7, 2, 2, 240 * ms), 5, true);
	not_over.add_wait(nullptr, 888, 1, 5, 250 * ms);
	not_over.add_wait(nullptr, 889, 1, 5, 4500 * ms); // for half a second
	EXPECT_EQ(found(not_over), (Lines{"2 7:1 since 230: 1 jobs, 1 behind, 0 tasks",
					  "4 0:0 since 250: 0 jobs, 0 behind, 0 tasks"}));
}

TEST(NotOver, commands_without_a_response_are_one_standstill)
{
	NotOver not_over;

	not_over.add(in_flight(9, 20, 1, 300 * ms), 5, true);
	not_over.add(in_flight(9, 21, 1, 310 * ms), 5, true);
	not_over.add(in_flight(9, 22, 1, 320 * ms), 5, true);
	EXPECT_EQ(found(not_over, {.is_virtual = true}),
		  (Lines{"1 9:20 since 300: 3 jobs, 0 behind, 0 tasks"}));
	EXPECT_EQ(not_over.never_began(), 3u);
}

TEST(NotOver, jobs_in_flight_for_a_moment_stand_not_still)
{
	NotOver not_over;

	not_over.add(on_ring(5, 1, 1, end - 90 * ms), 3, true);
	not_over.add(in_flight(5, 2, 1, end - 80 * ms), 3, true);
	EXPECT_EQ(found(not_over, {.ended = true, .longest = 2 * ms}), Lines());
	EXPECT_EQ(not_over.of({5, 2, 1}), nullptr);
	EXPECT_EQ(not_over.never_began(), 0u);
}

TEST(NotOver, of_a_ring_with_lost_records_nothing_is_said)
{
	NotOver not_over;
	Job touched = on_ring(5, 1, 1, 200 * ms);

	touched.touched = true;
	not_over.add(touched, 3, true);
	not_over.add(in_flight(6, 1, 1, 210 * ms), 3, true);
	EXPECT_EQ(found(not_over), Lines());
}

TEST(NotOver, on_a_ring_of_several_gpus_a_job_may_wait_for_none_of_the_others)
{
	NotOver not_over;

	not_over.add(on_ring(5, 1, 1, 200 * ms), 3, true);
	not_over.add(in_flight(6, 1, 1, 210 * ms), 4, true);
	EXPECT_EQ(found(not_over, {.is_mixed = true}).size(), 1u);
	EXPECT_TRUE(not_over.all()[0].out_of_order);
}

// Each waits for the other: it does not matter which one is named.
TEST(NotOver, a_circle_of_fences_has_an_end)
{
	NotOver not_over;

	not_over.add(blocked(5, 1, 1, 200 * ms, 6), 3, true);
	not_over.add(blocked(6, 1, 1, 210 * ms, 5), 3, true);
	EXPECT_EQ(found(not_over).size(), 1u);
}

} // namespace grtrace
