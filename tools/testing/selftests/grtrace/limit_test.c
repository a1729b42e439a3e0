// SPDX-License-Identifier: GPL-2.0
/*
 * max_events_per_sec: never more than it says, over all CPUs, and what is
 * refused is counted to the last unit and reported where it happened.
 *
 * Guests stand still now and then, and for long: so what may be written is
 * bounded by the time that went by, and what must be by less than half of it.
 */
#include <pthread.h>

#include "../kselftest_harness.h"

#include "grtrace_session.h"

GRTRACE_FIXTURE(limit, "subbuf_size=1048576 n_subbufs=8")

/* Events without end on one CPU, a hundred at a time. */
struct load {
	pthread_t thread;
	unsigned int cpu;
	const bool *stop;
	uint64_t events;
	int ret;
};

static void *load_run(void *arg)
{
	struct load *load = arg;
	struct grtrace_lines *lines = calloc(1, sizeof(*lines));
	unsigned int i;

	run_on(load->cpu);
	while (lines && !load->ret && !__atomic_load_n(load->stop, __ATOMIC_ACQUIRE)) {
		for (i = 0; i < 100; i++)
			grtrace_lines_add(lines, "submit %u 1 5 %llu", load->cpu + 1,
					  (unsigned long long)load->events++);
		load->ret = grtrace_lines_write(lines);
	}
	free(lines);
	return NULL;
}

static void loads_start(struct __test_metadata *_metadata, struct load *loads,
			unsigned int cpus, bool *stop)
{
	unsigned int i;

	for (i = 0; i < cpus; i++) {
		loads[i] = (struct load) { .cpu = i, .stop = stop };
		ASSERT_EQ(0, pthread_create(&loads[i].thread, NULL, load_run, &loads[i]));
	}
}

static uint64_t loads_end(struct __test_metadata *_metadata,
			  struct load *loads, unsigned int cpus, bool *stop)
{
	uint64_t events = 0;
	unsigned int i;

	__atomic_store_n(stop, true, __ATOMIC_RELEASE);
	for (i = 0; i < cpus; i++) {
		pthread_join(loads[i].thread, NULL);
		EXPECT_EQ(0, loads[i].ret);
		events += loads[i].events;
	}
	return events;
}

/* After the stop: the stream has the same numbers as the counters. */
static void check_told(struct __test_metadata *_metadata, unsigned int cpus)
{
	struct stream_sums sums = streams_sum(_metadata, cpus);

	EXPECT_EQ(sums.events, grtrace_stat("written"));
	EXPECT_EQ(sums.lost_events, grtrace_stat("lost"));
	EXPECT_EQ(sums.lost_limited, grtrace_stat("rate_limited_drops"));
	EXPECT_EQ(sums.lost_events, sums.lost_limited);
	EXPECT_EQ(0, grtrace_unaccounted());
}

/* Runs for this long, and until at least @least events are written: a guest may stand still. */
static void run_for(struct __test_metadata *_metadata, unsigned int cpus,
		    unsigned int seconds, uint64_t least)
{
	struct load loads[CPUS_MAX];
	bool stop = false;
	uint64_t events;

	loads_start(_metadata, loads, cpus, &stop);
	sleep(seconds);
	grtrace_stat_wait("written", least);
	events = loads_end(_metadata, loads, cpus, &stop);
	EXPECT_EQ(events, grtrace_stat("offered"));
}

/* How many events a limit of 2000 per second may pass: in windows without a burst, or by tokens. */
TEST_F(limit, on_all_cpus)
{
	static const char * const configs[] = {
		"max_events_per_sec=2000 burst=100000 rate_limiter_mode=0",
		"max_events_per_sec=2000 burst=500 rate_limiter_mode=1",
	};
	uint64_t written, offered;
	double begin, seconds;
	int bucket;

	for (bucket = 0; bucket < 2; bucket++) {
		begin = now();
		CONFIG(configs[bucket]);
		CONTROL("start");
		run_for(_metadata, self->cpus, 3, 2000);
		CONTROL("stop");
		seconds = now() - begin;
		written = grtrace_stat("written");
		offered = grtrace_stat("offered");
		TH_LOG("%llu of %llu events in %.3f s", (unsigned long long)written,
		       (unsigned long long)offered, seconds);
		/* windows that may have begun: one more than the seconds, which are rounded down */
		EXPECT_GE(bucket ? 500 + 2000 * seconds + 1 : 2000 * ((uint64_t)seconds + 2),
			  written);
		/* or all events if a slow kernel offered fewer */
		EXPECT_LE(offered < 2000 ? offered : 2000, written);
		check_told(_metadata, self->cpus);
	}
}

/* No interval of the bucket has more events than the burst and the rate allow. */
TEST_F(limit, bucket_at_every_moment)
{
	const uint64_t rate = 1000, burst = 200;
	uint64_t *ts, n = 0, i, oldest = 0, written;
	struct stream_record r;
	struct stream s = {};
	bool exceeded = false;

	CONFIG("max_events_per_sec=1000 burst=200");
	CONTROL("start");
	run_for(_metadata, 1, 3, 2 * burst);
	CONTROL("stop");
	ASSERT_LT(0, stream_take(&s, 0));
	written = grtrace_stat("written");
	ts = calloc(written + 1, sizeof(*ts));
	ASSERT_NE(NULL, ts);
	while (stream_next(&s, &r))
		if (r.type == GRTRACE_SUBMIT && n < written)
			ts[n++] = r.ts;
	ASSERT_LT(burst, n);
	/*
	 * For every pair: i - k + 1 events in ts[i] - ts[k]. With the slack
	 * k * 10^9 - ts[k] * rate the worst k is the one with the least.
	 */
	for (i = 0; i < n; i++) {
		double due = (ts[i] - ts[0]) * (double)rate / 1e9;
		double first = (ts[oldest] - ts[0]) * (double)rate / 1e9;

		if (i - due < oldest - first)
			oldest = i;
		first = (ts[oldest] - ts[0]) * (double)rate / 1e9;
		if (i - oldest + 1 > burst + 1 + due - first)
			exceeded = true;
	}
	EXPECT_FALSE(exceeded);
}

TEST_F(limit, a_burst_that_was_saved_up)
{
	unsigned int round;
	uint64_t before = 0;

	/* 0: as many as max_events_per_sec */
	CONFIG("max_events_per_sec=300 burst=0");
	CONTROL("start");
	for (round = 0; round < 2; round++) {
		double begin = now(), seconds;
		uint64_t written;

		ASSERT_EQ(0, emit_submits(self->lines, 0, 1000));
		written = grtrace_stat("written") - before;
		seconds = now() - begin;
		EXPECT_LE(300, written);
		EXPECT_GE(301 + 300 * seconds, written);
		before += written;
		/* full again, and no fuller */
		usleep(2500000);
	}
	CONTROL("stop");
	check_told(_metadata, self->cpus);
}

TEST_F(limit, changed_while_running)
{
	struct load loads[CPUS_MAX];
	uint64_t before, events;
	bool stop = false;

	CONFIG("max_events_per_sec=10 burst=10");
	CONTROL("start");
	loads_start(_metadata, loads, self->cpus, &stop);
	sleep(1);
	EXPECT_GT(200, grtrace_stat("written"));

	/* without a limit all events pass */
	CONFIG("max_events_per_sec=0");
	before = grtrace_stat("rate_limited_drops");
	events = grtrace_stat("offered");
	grtrace_stat_wait("offered", events + 1000);
	EXPECT_EQ(before, grtrace_stat("rate_limited_drops"));
	EXPECT_LT(900, grtrace_stat("written"));

	/* the limit is set again */
	CONFIG("max_events_per_sec=10 burst=10 rate_limiter_mode=0");
	before = grtrace_stat("written") + grtrace_stat("writes_reserve_fail");
	events = grtrace_stat("offered");
	sleep(1);
	grtrace_stat_wait("offered", events + 1000);
	EXPECT_GE(before + 500, grtrace_stat("written") + grtrace_stat("writes_reserve_fail"));
	EXPECT_LT(0, grtrace_stat("rate_limited_drops"));
	events = loads_end(_metadata, loads, self->cpus, &stop);
	CONTROL("stop");
	EXPECT_EQ(events, grtrace_stat("offered"));
	EXPECT_EQ(0, grtrace_unaccounted());
}

/* A key that does not concern the limit does not refill the bucket. */
TEST_F(limit, holds_while_other_keys_change)
{
	double begin, seconds;
	struct load loads[CPUS_MAX];
	unsigned int changes = 0;
	bool stop = false;
	uint64_t written;

	CONFIG("max_events_per_sec=500 burst=500");
	begin = now();
	CONTROL("start");
	loads_start(_metadata, loads, self->cpus, &stop);
	do {
		EXPECT_EQ(0, grtrace_write("config", changes % 2 ?
					   "filter_ring_mask=0xffffffffffffffff" :
					   "filter_ring_mask=0x7ffffffffffffff0"));
		changes++;
	} while (now() < begin + 3);
	loads_end(_metadata, loads, self->cpus, &stop);
	CONTROL("stop");
	seconds = now() - begin;
	written = grtrace_stat("written");
	TH_LOG("%llu events in %.3f s with %u changes",
	       (unsigned long long)written, seconds, changes);
	EXPECT_GE(501 + 500 * seconds, written);
	check_told(_metadata, self->cpus);
}

TEST_HARNESS_MAIN
