// SPDX-License-Identifier: GPL-2.0
/*
 * Time of day, which is what clock=tai counts, is set while a session runs.  For a
 * moment it is two hours off, and every timer of the machine that waits for a time of
 * day sees that.
 */
#include "../../kselftest_harness.h"

#include "../grtrace_session.h"

GRTRACE_FIXTURE(clock, "")

TEST_F(clock, limit_goes_on_when_put_back)
{
	static const char * const modes[] = { "rate_limiter_mode=0",
					      "rate_limiter_mode=1" };
	struct timespec was, later;
	unsigned int i, tries;
	uint64_t before;

	CONFIG("clock=tai max_events_per_sec=1");
	for (i = 0; i < 2; i++) {
		CONFIG(modes[i]);
		CONTROL("start");
		ASSERT_EQ(0, clock_gettime(CLOCK_REALTIME, &was));
		later = was;
		later.tv_sec += 7200;
		if (clock_settime(CLOCK_REALTIME, &later))
			SKIP(return, "the time of day cannot be set");
		EXPECT_EQ(0, grtrace_write("emit", "submit 1 1 5 1"));
		clock_settime(CLOCK_REALTIME, &was);
		before = grtrace_stat("written");
		for (tries = 0; tries < 50 && grtrace_stat("written") == before; tries++) {
			EXPECT_EQ(0, grtrace_write("emit", "submit 1 1 5 2"));
			usleep(100000);
		}
		EXPECT_LT(before, grtrace_stat("written")) TH_LOG("%s", modes[i]);
		CONTROL("stop");
		EXPECT_EQ(0, grtrace_unaccounted());
	}
}

TEST_F(clock, times_of_rules_stay_when_set)
{
	static const int seconds[] = { 7200, -7200 };
	struct timespec was, now;
	unsigned int i;

	CONFIG("clock=tai slow_queue_us=600000000 slow_exec_us=600000000");
	CONTROL("start");
	for (i = 0; i < 2; i++) {
		EMIT("submit 1 1 5 1\nsubmit 1 1 5 2\npick 1 1 5 2");
		ASSERT_EQ(0, clock_gettime(CLOCK_REALTIME, &was));
		now = was;
		now.tv_sec += seconds[i];
		if (clock_settime(CLOCK_REALTIME, &now))
			SKIP(return, "the time of day cannot be set");
		EXPECT_EQ(0, grtrace_write("emit", "pick 1 1 5 1\nend 1 1 5 2\nend 1 1 5 1"));
		clock_settime(CLOCK_REALTIME, &was);
	}
	CONTROL("stop");
	EXPECT_EQ(0, grtrace_stat("slow_queue"));
	EXPECT_EQ(0, grtrace_stat("slow_exec"));
}

TEST_HARNESS_MAIN
