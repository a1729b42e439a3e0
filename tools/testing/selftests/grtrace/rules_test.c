// SPDX-License-Identifier: GPL-2.0
/*
 * Rules: which records are marked as the end of a time too long, and that as
 * many are counted. Delays are real, and guests stand still: so what must be
 * slow waits long, and what must not be is emitted in one write under a
 * threshold of minutes, which may change from write to write.
 */
#include "../kselftest_harness.h"

#include "grtrace_session.h"

#define SLOW_US	200000

GRTRACE_FIXTURE(rules, "")

/* Returns the marks of a job's record of a type; -1 if there is none. */
static int marks_of(struct stream *s, uint64_t ctx, uint32_t seqno, uint16_t type)
{
	struct stream_record r;
	int marks = -1;

	stream_rewind(s);
	while (stream_next(s, &r))
		if (r.type == type && r.ctx == ctx && r.seqno == seqno)
			marks = r.flags & (GRTRACE_SLOW_QUEUE | GRTRACE_SLOW_EXEC);
	return marks;
}

#define EXPECT_MARKS(marks, ctx, seqno, type) \
	EXPECT_EQ(marks, marks_of(&self->stream, ctx, seqno, GRTRACE_##type))

TEST_F(rules, marks_stand_where_the_time_ends)
{
	CONFIG("slow_queue_us=100000 slow_exec_us=600000000");
	CONTROL("start");
	/* job 1 is slow in the queue, job 2 on the hardware, job 3 in both */
	EMIT("submit 1 1 5 1\nsubmit 1 1 5 3");
	usleep(SLOW_US);
	EMIT("pick 1 1 5 1\ncommit 1 1 5 1 fence=9:1\nstart 1 1 5 1\n"
	     "end 1 1 5 1\ncomplete 1 1 5 1\npick 1 1 5 3\nstart 1 1 5 3");
	CONFIG("slow_queue_us=600000000");
	EMIT("submit 1 1 5 2\npick 1 1 5 2\nstart 1 1 5 2");
	CONFIG("slow_exec_us=100000");
	usleep(SLOW_US);
	EMIT("end 1 1 5 2\ncomplete 1 1 5 2\nend 1 1 5 3\ncomplete 1 1 5 3");
	CONTROL("stop");
	ASSERT_LT(0, stream_take(&self->stream, 0));

	EXPECT_MARKS(GRTRACE_SLOW_QUEUE, 1, 1, PICK);
	EXPECT_MARKS(0, 1, 1, SUBMIT);
	EXPECT_MARKS(0, 1, 1, COMMIT);
	EXPECT_MARKS(0, 1, 1, START);
	EXPECT_MARKS(0, 1, 1, END);
	EXPECT_MARKS(0, 1, 1, COMPLETE);
	EXPECT_MARKS(0, 1, 2, PICK);
	EXPECT_MARKS(0, 1, 2, START);
	EXPECT_MARKS(GRTRACE_SLOW_EXEC, 1, 2, END);
	EXPECT_MARKS(0, 1, 2, COMPLETE);
	EXPECT_MARKS(GRTRACE_SLOW_QUEUE, 1, 3, PICK);
	EXPECT_MARKS(GRTRACE_SLOW_EXEC, 1, 3, END);
	EXPECT_EQ(2, grtrace_stat("slow_queue"));
	EXPECT_EQ(2, grtrace_stat("slow_exec"));
	EXPECT_EQ(NULL, self->stream.fault);
	EXPECT_EQ(0, grtrace_unaccounted());
}

/* Not all drivers report all events, so the existing ones must be enough. */
TEST_F(rules, jobs_of_few_events)
{
	CONFIG("slow_queue_us=100000 slow_exec_us=100000");
	CONTROL("start");
	EMIT("submit 1 1 5 1\nsubmit 1 1 5 2\nsubmit 1 1 5 3\nsubmit 1 1 5 4");
	usleep(SLOW_US);
	EMIT("commit 1 1 5 1 fence=9:1\nstart 1 1 5 2\ncomplete 1 1 5 4");
	usleep(SLOW_US);
	EMIT("complete 1 1 5 1\nend 1 1 5 2\ncomplete 1 1 5 2\n"
	     "end 2 1 5 9\ncomplete 2 1 5 9\npick 2 1 5 10");
	CONTROL("stop");
	ASSERT_LT(0, stream_take(&self->stream, 0));
	EXPECT_MARKS(GRTRACE_SLOW_QUEUE, 1, 1, COMMIT);
	EXPECT_MARKS(GRTRACE_SLOW_QUEUE, 1, 2, START);
	EXPECT_MARKS(GRTRACE_SLOW_EXEC, 1, 1, COMPLETE);
	EXPECT_MARKS(GRTRACE_SLOW_EXEC, 1, 2, END);
	/* never on the hardware, or without a recorded beginning */
	EXPECT_EQ(0, marks_of(&self->stream, 1, 4, GRTRACE_COMPLETE) & GRTRACE_SLOW_EXEC);
	EXPECT_MARKS(0, 2, 9, END);
	EXPECT_MARKS(0, 2, 10, PICK);
	EXPECT_EQ(2, grtrace_stat("slow_exec"));
}

TEST_F(rules, changed_while_running)
{
	CONTROL("start");
	CONFIG("slow_queue_us=100000");
	EMIT("submit 1 1 5 1\nsubmit 1 1 5 2");
	/* a change of another key does not forget the jobs */
	CONFIG("filter_ring_id=5");
	usleep(SLOW_US);
	EMIT("pick 1 1 5 1");
	EXPECT_EQ(1, grtrace_stat("slow_queue"));
	CONFIG("slow_queue_us=0");
	EMIT("pick 1 1 5 2");
	EXPECT_EQ(1, grtrace_stat("slow_queue"));
	EXPECT_EQ(0, grtrace_stat("rules_forgotten"));
}

/* Many jobs: all are marked, and forgotten ones are counted. */
TEST_F_TIMEOUT(rules, many_jobs, 600)
{
	unsigned int i, marked = 0, picks = 0;
	struct stream_record r;

	CONFIG("n_subbufs=16 slow_queue_us=100000");
	CONTROL("start");
	for (i = 0; i < 30000; i++)
		grtrace_lines_add(self->lines, "submit %u 1 5 %u", 1 + i % 50, i);
	ASSERT_EQ(0, grtrace_lines_write(self->lines));
	usleep(SLOW_US);
	for (i = 0; i < 30000; i++)
		grtrace_lines_add(self->lines, "pick %u 1 5 %u", 1 + i % 50, i);
	ASSERT_EQ(0, grtrace_lines_write(self->lines));
	CONTROL("stop");
	ASSERT_LT(0, stream_take(&self->stream, 0));
	while (stream_next(&self->stream, &r)) {
		picks += r.type == GRTRACE_PICK;
		marked += !!(r.flags & GRTRACE_SLOW_QUEUE);
	}
	EXPECT_EQ(30000, picks);
	EXPECT_EQ(marked, grtrace_stat("slow_queue"));
	EXPECT_EQ(30000, marked + grtrace_stat("rules_forgotten"));
	EXPECT_LT(14000, marked);	/* of 16384 places; KUnit has the bounds */
	TH_LOG("%u marked, %llu forgotten", marked,
	       (unsigned long long)grtrace_stat("rules_forgotten"));
}

TEST_HARNESS_MAIN
