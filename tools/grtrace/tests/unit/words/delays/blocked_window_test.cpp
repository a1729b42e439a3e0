// SPDX-License-Identifier: GPL-2.0
#include "words/delays/blocked_window.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace grtrace {

namespace {

Job job_of(uint64_t ctx, uint64_t seqno, uint64_t submit = 0)
{
	Job job;

	job.ctx = ctx;
	job.seqno = seqno;
	job.submit_ts = submit;
	return job;
}

// "from-to" of what held the job.
std::string held(const BlockedWindow &window, const Job &job)
{
	std::vector<BlockedSpan> spans;
	std::string text;
	const size_t number = window.find(job, spans);

	EXPECT_EQ(number, spans.size());
	for (const BlockedSpan &span : spans)
		text += (text.empty() ? "" : " ") + std::to_string(span.from) + "-" +
			std::to_string(span.to);
	return text;
}

} // namespace

TEST(BlockedWindow, a_moment_that_two_fences_block_counts_once)
{
	BlockedWindow window;

	window.add(job_of(5, 1), {.from = 100, .to = 200});
	window.add(job_of(5, 2), {.from = 150, .to = 260});
	// All of it is in the one before, and its record came late.
	window.add(job_of(5, 3), {.from = 110, .to = 190});
	EXPECT_EQ(held(window, job_of(5, 3)), "110-190 190-200 200-260");
	EXPECT_EQ(held(window, job_of(5, 2)), "100-200 200-260");
}

TEST(BlockedWindow, only_what_is_before_it_in_its_queue_holds_a_job)
{
	BlockedWindow window;

	window.add(job_of(6, 1), {.from = 10, .to = 90});
	window.add(job_of(5, 1), {.from = 10, .to = 100});
	window.add(job_of(5, 2), {.from = 100, .to = 200});
	window.add(job_of(5, 3), {.from = 200, .to = 300});
	EXPECT_EQ(held(window, job_of(5, 2)), "10-100 100-200");
	// Since its SUBMIT.
	EXPECT_EQ(held(window, job_of(5, 3, 100)), "100-200 200-300");
	EXPECT_EQ(held(window, job_of(7, 1)), "");
	// Only 32 bits are known of a job from before the capture.
	EXPECT_EQ(held(window, job_of(5, (1ull << 32) + 1)), "10-100");
}

TEST(BlockedWindow, what_it_forgot_is_said)
{
	BlockedWindow window;

	for (uint64_t i = 0; i <= BlockedWindow::limit; i++)
		window.add(job_of(5, 1), {.from = 10 * i, .to = 10 * i + 5});
	EXPECT_EQ(window.forgot_until(), 10 * (BlockedWindow::limit / 2 - 1) + 5);
	window.forget_until(10 * BlockedWindow::limit + 4);
	EXPECT_EQ(held(window, job_of(5, 1)), "40960-40965");
}

} // namespace grtrace
