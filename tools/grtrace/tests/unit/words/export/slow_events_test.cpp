// SPDX-License-Identifier: GPL-2.0
#include "words/export/slow_events.h"

#include <gtest/gtest.h>

namespace grtrace {
namespace {

struct SlowEventsTest : testing::Test {
	void take(uint8_t type, uint32_t seqno, char row)
	{
		Event event;

		event.type = type;
		event.ctx = 9;
		event.seqno = seqno;
		events.place(event, out).push_back(row);
	}
	void settle(uint32_t seqno, JobLabel label)
	{
		Job job;

		job.ctx = 9;
		job.seqno = seqno;
		events.settle(job, label, out);
	}
	std::string text() const { return fmt::to_string(out); }

	fmt::memory_buffer out;
	uint64_t dropped = 0;
	SlowEvents events{dropped};
};

TEST_F(SlowEventsTest, RowsWaitForTheVerdict)
{
	take(GRTRACE_SUBMIT, 1, 'a');
	take(GRTRACE_SUBMIT, 2, 'b');
	take(GRTRACE_END, 1, 'c');
	EXPECT_EQ(text(), "");
	settle(2, JobLabel::ok);
	settle(1, JobLabel::failed);
	EXPECT_EQ(text(), "ac");
	// A task may wait for a job that is over.
	take(GRTRACE_SYNC_WAIT_EXIT, 1, 'd');
	take(GRTRACE_SYNC_WAIT_EXIT, 2, 'e');
	EXPECT_EQ(text(), "acd");
	EXPECT_EQ(dropped, 0u);
}

TEST_F(SlowEventsTest, TheSameKeyAgainIsAnotherJob)
{
	take(GRTRACE_SUBMIT, 1, 'a');
	settle(1, JobLabel::failed);
	take(GRTRACE_SUBMIT, 1, 'b');
	take(GRTRACE_END, 1, 'c');
	settle(1, JobLabel::ok);
	EXPECT_EQ(text(), "a");
	take(GRTRACE_SUBMIT, 1, 'd');
	settle(1, JobLabel::failed);
	EXPECT_EQ(text(), "ad");
}

TEST_F(SlowEventsTest, WhatIsDroppedIsCounted)
{
	take(GRTRACE_SUBMIT, 0, 'a');
	take(GRTRACE_PICK, 0, 'b');
	for (uint32_t seqno = 1; seqno < SlowEvents::max_held; seqno++)
		take(GRTRACE_SUBMIT, seqno, 'c');
	EXPECT_EQ(dropped, 0u);
	take(GRTRACE_SUBMIT, SlowEvents::max_held, 'd');
	EXPECT_EQ(dropped, 2u);
	settle(0, JobLabel::failed);
	EXPECT_EQ(text(), "");
	settle(SlowEvents::max_held, JobLabel::failed);
	EXPECT_EQ(text(), "d");
	EXPECT_EQ(dropped, 2u);
}

} // namespace
} // namespace grtrace
