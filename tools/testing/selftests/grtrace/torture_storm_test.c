// SPDX-License-Identifier: GPL-2.0
/*
 * Writers that never rest, and at the same time storms of all that user space
 * can do: change the configuration, reset the counters, look at all views, take
 * snapshots, map the channel. The readers still find each record whole and in
 * order, and the counters add up.
 *
 * GRTRACE_TORTURE_SECONDS says how long each test takes; a few seconds if not set.
 */
#include "../kselftest_harness.h"

#include "grtrace_torture.h"

FIXTURE(storm) {
	struct readers readers;
};

FIXTURE_VARIANT(storm) {
	const struct shape *shape;
};

FIXTURE_VARIANT_ADD(storm, stop_small) { .shape = &shapes[STOP_SMALL] };
FIXTURE_VARIANT_ADD(storm, stop_large) { .shape = &shapes[STOP_LARGE] };
FIXTURE_VARIANT_ADD(storm, stop_slow) { .shape = &shapes[STOP_SLOW] };
FIXTURE_VARIANT_ADD(storm, stop_clock) { .shape = &shapes[STOP_CLOCK] };
FIXTURE_VARIANT_ADD(storm, overwrite_small) { .shape = &shapes[OVERWRITE_SMALL] };
FIXTURE_VARIANT_ADD(storm, overwrite_large) { .shape = &shapes[OVERWRITE_LARGE] };
FIXTURE_VARIANT_ADD(storm, overwrite_bits) { .shape = &shapes[OVERWRITE_BITS] };

FIXTURE_SETUP(storm)
{
	NEEDS_MODULE("grtrace_torture");
	readers_setup(_metadata, &self->readers, variant->shape);
}

FIXTURE_TEARDOWN(storm)
{
	readers_teardown();
}

struct storm {
	unsigned int cpus;
	size_t channel_size;
	size_t subbuf_size;
	const bool *stop;
	bool resets;
	unsigned int seed;
	uint64_t done;
	const char *fault;
};

static bool storm_blows(const struct storm *storm)
{
	return !storm->fault &&
	       !__atomic_load_n(storm->stop, __ATOMIC_ACQUIRE);
}

/* What may change while a session runs; a kernel may not know some of it. */
static void *storm_config(void *arg)
{
	static const char * const words[] = {
		"level=normal", "level=verbose", "level=off",
		"filter_type_mask=0x1ff", "filter_type_mask=0x20",
		"filter_engine_mask=0x40", "filter_engine_mask=0",
		"filter_ring_mask=0xffff", "filter_ring_id=1",
		"filter_device=?", "filter_device=all",
		"watch_ctx_add=1879048192,1879048449", "watch_ctx_clear=1",
		"watch_pid_add=1", "watch_pid_clear=1", "watch_ring_add=5",
		"watch_ring_clear=1", "watch_combine=and watch_allow_mode=0",
		"watch_combine=or watch_allow_mode=1",
		"sample=7", "sample=1", "sample=1000",
		"adaptive_sampling=1", "adaptive_sampling=0",
		"max_events_per_sec=100000", "max_events_per_sec=1000 burst=50",
		"rate_limiter_mode=0", "rate_limiter_mode=1",
		"max_events_per_sec=0", "backpressure_threshold=50",
		"backpressure_threshold=0", "slow_queue_us=10 slow_exec_us=10",
		"slow_queue_us=0 slow_exec_us=0", "snapshot_on=slow_exec,error",
		"snapshot_on=none", "profile=1", "profile=0",
		"filter_type_mask=0xffffffffffffffff filter_engine_mask=0xffffffffffffffff filter_ring_id=0",
	};
	struct storm *storm = arg;

	while (storm_blows(storm)) {
		size_t i = rand_r(&storm->seed) % ARRAY_SIZE(words);

		if (!grtrace_write("config", words[i]))
			storm->done++;
		if (storm->resets && !(rand_r(&storm->seed) % 4))
			grtrace_write("config", "reset_stats=1");
	}
	return NULL;
}

/* All there is to see, at any moment. */
static void *storm_views(void *arg)
{
	static const char * const views[] = {
		"stats", "pc_stats", "pc_cseq", "events_by_type", "rings",
		"latency_hist", "size_hist", "result_hist", "sec_stats",
		"config", "control", "metadata",
	};
	struct storm *storm = arg;
	char *text = malloc(1 << 20);
	size_t i;

	while (text && storm_blows(storm))
		for (i = 0; i < ARRAY_SIZE(views); i++)
			storm->done += grtrace_read(views[i], text, 1 << 20) > 0;
	free(text);
	return NULL;
}

/* A snapshot's records are whole and in order as well. */
static const char *snapshot_fault(struct stream *s, struct reader *readers)
{
	struct stream_record r;
	const char *fault;

	memset(readers, 0, CPUS_MAX * sizeof(*readers));
	while (stream_next(s, &r)) {
		if (r.type >= GRTRACE_TYPE_LIMIT)
			continue;
		if (s->cpu >= CPUS_MAX)
			return "a CPU that is not there";
		readers[s->cpu].cpu = s->cpu;
		fault = record_fault(&readers[s->cpu], &r);
		if (fault)
			return fault;
	}
	return s->fault;
}

static void *storm_snapshots(void *arg)
{
	struct reader *readers = calloc(CPUS_MAX, sizeof(*readers));
	struct storm *storm = arg;
	struct stream s = {};
	int fd;

	if (!readers)
		storm->fault = "no memory";

	while (storm_blows(storm)) {
		if (grtrace_write("control", "snapshot")) {
			usleep(10000);
			continue;
		}
		fd = grtrace_open("snapshot", O_RDONLY);
		if (fd < 0)
			continue;
		stream_free(&s);
		s.mixed = true;
		if (stream_fill(&s, fd, 1 << 16) > 0) {
			storm->fault = snapshot_fault(&s, readers);
			storm->done++;
		}
		close(fd);
		if (rand_r(&storm->seed) % 2)
			grtrace_write("control", "discard");
	}
	stream_free(&s);
	free(readers);
	return NULL;
}

/* A sub-buffer begins with a packet, or was never used. */
static void *storm_mmap(void *arg)
{
	struct storm *storm = arg;
	const uint8_t *map;
	unsigned int cpu;
	uint64_t sum = 0;
	size_t at;
	int fd;

	for (cpu = 0; storm_blows(storm); cpu = (cpu + 1) % storm->cpus) {
		fd = stream_open(cpu);
		if (fd < 0)
			continue;
		map = mmap(NULL, storm->channel_size, PROT_READ, MAP_SHARED,
			   fd, 0);
		close(fd);
		if (map == MAP_FAILED) {
			storm->fault = "cannot map";
			break;
		}
		for (at = 0; at < storm->channel_size; at += 64) {
			uint32_t word = __atomic_load_n((const uint32_t *)(map + at + 4),
							__ATOMIC_RELAXED);

			sum += word;
			if (at % storm->subbuf_size == 0 && word &&
			    le32toh(word) != GRTRACE_MAGIC)
				storm->fault = "a sub-buffer without a packet";
		}
		munmap((void *)map, storm->channel_size);
		storm->done++;
	}
	return (void *)(uintptr_t)(sum & 1);
}

/* Until all have done something, a minute at most: the writers take their time. */
static void storms_wait(const struct storm *storms, size_t n)
{
	double end = now() + 60;
	size_t i;

	for (i = 0; i < n; i++)
		while (!__atomic_load_n(&storms[i].done, __ATOMIC_RELAXED) &&
		       now() < end)
			usleep(10000);
}

static void storm_test(struct __test_metadata *_metadata,
		       struct readers *readers, const struct shape *shape,
		       bool resets)
{
	static void *(* const runs[])(void *) = {
		storm_config, storm_config, storm_views, storm_snapshots,
		storm_mmap,
	};
	struct storm storms[ARRAY_SIZE(runs)];
	pthread_t threads[ARRAY_SIZE(runs)];
	uint64_t events = 0, lost = 0, limited = 0, pressure = 0, offered;
	bool stop = false;
	unsigned int i;

	CONTROL("start");
	readers_start(_metadata, readers, shape->chunk);
	ASSERT_EQ(0, grtrace_write(TORTURE_DIR "run", "1"));
	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		storms[i] = (struct storm) {
			.cpus = readers->cpus,
			.channel_size = shape->subbuf_size *
					shape->n_subbufs,
			.subbuf_size = shape->subbuf_size,
			.stop = &stop,
			.resets = resets,
			.seed = i + 1,
		};
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, runs[i],
					    &storms[i]));
	}
	sleep(readers->seconds);
	storms_wait(storms, ARRAY_SIZE(storms));
	writers_wait(_metadata, readers);
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		pthread_join(threads[i], NULL);
		EXPECT_EQ(NULL, storms[i].fault)
			TH_LOG("storm %u: %s", i, storms[i].fault ?: "");
		EXPECT_LT(0, storms[i].done) TH_LOG("storm %u", i);
	}
	readers_end(_metadata, readers);
	offered = writers_offered(_metadata, readers);

	for (i = 0; i < readers->cpus; i++) {
		const struct reader *reader = &readers->reader[i];
		const struct stream *s = &reader->stream;

		/* what was refused by a filter takes no number */
		if (!shape->overwrite) {
			EXPECT_EQ(0, s->gaps);
			EXPECT_EQ(0, s->first_cseq);
		}
		EXPECT_GE(reader->missing, s->lost_events);
		events += s->events;
		lost += s->lost_events;
		limited += s->lost_limited;
		pressure += s->lost_pressure;
	}
	TH_LOG("%llu offered, %llu read, %llu lost (%llu, %llu), %llu changes, %llu snapshots",
	       (unsigned long long)offered, (unsigned long long)events,
	       (unsigned long long)lost, (unsigned long long)limited,
	       (unsigned long long)pressure,
	       (unsigned long long)(storms[0].done + storms[1].done),
	       (unsigned long long)storms[3].done);
	EXPECT_EQ(0, grtrace_unaccounted());
	/* LOST records are overwritten too */
	if (resets || shape->overwrite)
		return;
	EXPECT_EQ(offered, grtrace_stat("offered"));
	EXPECT_EQ(events, grtrace_stat("written"));
	EXPECT_EQ(lost, grtrace_stat("lost"));
	EXPECT_EQ(limited, grtrace_stat("rate_limited_drops"));
	EXPECT_EQ(pressure, grtrace_stat("backpressure_drops"));
}

TEST_F_TIMEOUT(storm, of_changes, SECONDS_MAX)
{
	storm_test(_metadata, &self->readers, variant->shape, false);
}

TEST_F_TIMEOUT(storm, of_changes_and_resets, SECONDS_MAX)
{
	storm_test(_metadata, &self->readers, variant->shape, true);
}

TEST_HARNESS_MAIN
