// SPDX-License-Identifier: GPL-2.0
#include "words/tracker/early_errors.h"

#include <gtest/gtest.h>

namespace grtrace {

static uint8_t record[sizeof(grtrace_rec_error)]; // of the last event

static Event event_of(uint16_t type, uint64_t ctx, int code = 0, uint32_t guilty_pid = 0)
{
	Event event = {};

	store32(record + offsetof(grtrace_rec_error, pid), guilty_pid);
	event.raw = record;
	event.type = type;
	event.ctx = ctx;
	event.seqno = 1;
	event.ring = 2;
	event.kind = 3;
	event.code = code;
	event.ts = 1000 - static_cast<uint64_t>(code);
	return event;
}

TEST(EarlyErrors, go_to_the_next_record_of_their_job_once)
{
	EarlyErrors early;
	Job job, again;

	early.keep(event_of(GRTRACE_ERROR, 5, 0));
	early.keep(event_of(GRTRACE_ERROR, 5, -62, 71));
	early.keep(event_of(GRTRACE_ERROR, 5, -5, 72));
	early.give(job, event_of(GRTRACE_COMMIT, 5));
	EXPECT_TRUE(job.failed);
	EXPECT_EQ(job.error, -62);
	EXPECT_EQ(job.error_kinds, 1u << 3);
	EXPECT_EQ(job.error_ts, 1000u);
	EXPECT_EQ(job.guilty_pid, 71u);
	early.give(again, event_of(GRTRACE_COMMIT, 5));
	EXPECT_FALSE(again.failed);
	EXPECT_EQ(again.error_ts, Job::none);
}

TEST(EarlyErrors, are_none_of_a_job_that_is_submitted_after_them)
{
	EarlyErrors early;
	Job fresh, late;

	early.keep(event_of(GRTRACE_ERROR, 5, -62));
	early.give(fresh, event_of(GRTRACE_SUBMIT, 5));
	early.give(late, event_of(GRTRACE_COMPLETE, 5));
	EXPECT_FALSE(fresh.failed);
	EXPECT_FALSE(late.failed);
}

TEST(EarlyErrors, of_a_kind_that_is_not_known_are_the_last)
{
	Job job;

	for (const uint32_t kind : {8u, 9u, UINT32_MAX}) {
		Event event = event_of(GRTRACE_ERROR, 5);

		event.kind = kind;
		job.error_kinds = 0;
		EarlyErrors::add(job, event);
		EXPECT_EQ(job.error_kinds, 1u << 7) << kind;
	}
}

TEST(EarlyErrors, are_the_64_newest)
{
	EarlyErrors early;
	Job oldest, newest;

	for (uint64_t ctx = 1; ctx <= 65; ctx++)
		early.keep(event_of(GRTRACE_ERROR, ctx, -1));
	early.give(oldest, event_of(GRTRACE_END, 1));
	early.give(newest, event_of(GRTRACE_END, 65));
	EXPECT_FALSE(oldest.failed);
	EXPECT_TRUE(newest.failed);
}

} // namespace grtrace
