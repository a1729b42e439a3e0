// SPDX-License-Identifier: GPL-2.0
/*
 * Writers that never rest, in all contexts of all CPUs, and a reader for each
 * CPU at the same time: each record is whole, there once and in order, or it is
 * counted lost. Contents are known, see drivers/gpu/grtrace/torture.c.
 *
 * GRTRACE_TORTURE_SECONDS says how long each test takes; a few seconds if not set.
 */
#include <pthread.h>
#include <sys/mman.h>

#include "../kselftest_harness.h"

#include "grtrace_session.h"

#define TORTURE_DIR	"../grtrace_torture/"
#define TORTURE_CTX	0x70000000u
#define SECONDS		2
#define SECONDS_MAX	100000	/* who asks for so many has a timeout himself */
#define KINDS		3	/* writers of a CPU */
#define STEPS		4	/* events of a job */
#define GSEQ_MAX	68719476736ull	/* 8 GiB of bits, few of them touched */

/* As in torture.c. */
static uint64_t mix_of(unsigned int cpu, unsigned int kind, uint64_t event)
{
	uint64_t x = (uint64_t)cpu << 48 ^ (uint64_t)kind << 44 ^ event;

	x += 0x9e3779b97f4a7c15ull;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

struct reader {
	unsigned int cpu;
	unsigned int cpus;
	size_t chunk;
	const bool *stop;
	uint8_t *gseqs;			/* bit n: gseq n was seen */
	pthread_t thread;
	struct stream stream;
	uint64_t last_ts;
	uint64_t next[KINDS];
	uint64_t missing;		/* of the writers' events */
	uint64_t gseq_end;
	const char *fault;
	struct stream_record at;	/* the record with the fault */
};

static int step_of(uint16_t type)
{
	switch (type) {
	case GRTRACE_SUBMIT:
		return 0;
	case GRTRACE_COMMIT:
		return 1;
	case GRTRACE_END:
	case GRTRACE_ERROR:
		return 2;
	case GRTRACE_COMPLETE:
		return 3;
	}
	return -1;
}

/* What is wrong with the contents of an event, or NULL. */
static const char *contents_fault(const struct stream_record *r, uint64_t mix)
{
	const struct grtrace_rec_job_fence *fence = (const void *)r->rec;
	const struct grtrace_rec_error *error = (const void *)r->rec;
	const struct grtrace_rec_job *job = (const void *)r->rec;

	if (le16toh(job->arg) != mix >> 48)
		return "arg";
	if (step_of(r->type) == 2 &&
	    r->type != (r->seqno % 64 ? GRTRACE_END : GRTRACE_ERROR))
		return "type";
	if (r->ctx >> 32 != r->seqno / 4096 % 2)
		return "upper half of ctx";
	if (!r->ring)
		return "ring";
	if (r->type == GRTRACE_COMMIT &&
	    (le32toh(fence->fence_ctx) != (uint32_t)mix ||
	     le32toh(fence->fence_seqno) != mix >> 32))
		return "fence";
	if (r->type == GRTRACE_ERROR &&
	    (le32toh(error->code) != (uint32_t)mix || error->kind))
		return "code";
	return NULL;
}

static const char *event_fault(struct reader *reader,
			       const struct stream_record *r)
{
	unsigned int kind = r->ctx & 0xff, cpu = (uint32_t)r->ctx >> 8 & 0xfffff;
	int step = step_of(r->type);
	uint64_t event = (uint64_t)r->seqno * STEPS + step;

	if (step < 0 || ((uint32_t)r->ctx & 0xf0000000u) != TORTURE_CTX ||
	    kind >= KINDS)
		return "not a writer's";
	if (cpu != reader->cpu)
		return "another CPU's";
	if ((r->flags & GRTRACE_IN_MASK) != kind * GRTRACE_IN_SOFTIRQ)
		return "context";
	if (event < reader->next[kind])
		return "twice, or out of order";
	reader->missing += event - reader->next[kind];
	reader->next[kind] = event + 1;
	return contents_fault(r, mix_of(cpu, kind, event));
}

static const char *record_fault(struct reader *reader,
				const struct stream_record *r)
{
	uint8_t bit = 1 << r->gseq % 8;

	if (r->ts < reader->last_ts)
		return "time goes back";
	reader->last_ts = r->ts;
	if (reader->gseqs) {
		if (r->gseq >= GSEQ_MAX)
			return "gseq too large";
		if (__atomic_fetch_or(&reader->gseqs[r->gseq / 8], bit,
				      __ATOMIC_RELAXED) & bit)
			return "gseq twice";
		if (r->gseq >= reader->gseq_end)
			reader->gseq_end = r->gseq + 1;
	}
	return r->type < GRTRACE_TYPE_LIMIT ? event_fault(reader, r) : NULL;
}

static void *reader_run(void *arg)
{
	struct reader *reader = arg;
	struct stream *s = &reader->stream;
	struct stream_record r;
	int fd = stream_open(reader->cpu);
	bool stop;
	ssize_t n;

	if (fd < 0) {
		reader->fault = "cannot open";
		return NULL;
	}
	/* not where it is written, if there is a choice */
	run_on((reader->cpu + 1) % reader->cpus);
	s->live = true;
	do {
		stop = __atomic_load_n(reader->stop, __ATOMIC_ACQUIRE);
		n = stream_fill_once(s, fd, reader->chunk);
		while (!reader->fault && stream_next(s, &r)) {
			reader->fault = record_fault(reader, &r);
			reader->at = r;
		}
		if (n < 0)
			reader->fault = "cannot read";
		if (s->fault)
			reader->fault = s->fault;
		stream_forget(s);
		if (!n && !stop)
			usleep(1000);
	} while (!reader->fault && (n || !stop));
	if (!reader->fault && s->size)
		reader->fault = "ends in mid-record";
	close(fd);
	return NULL;
}

struct readers {
	unsigned int cpus;
	bool stop;
	uint8_t *gseqs;
	struct reader reader[CPUS_MAX];
};

FIXTURE(torture) {
	unsigned int seconds;
	struct readers readers;
};

/* A channel, and how it is read. */
struct shape {
	const char *config;
	size_t subbuf_size;
	size_t n_subbufs;
	size_t chunk;
	bool overwrite;
	bool clock;
};

FIXTURE_VARIANT(torture) {
	struct shape shape;
	const char *pause_us;
};

FIXTURE_VARIANT_ADD(torture, stop_small) {
	.shape = {
		.config = "mode=stop",
		.subbuf_size = 1 << 12,
		.n_subbufs = 4,
		.chunk = 1 << 12,
	},
	.pause_us = "0",
};

FIXTURE_VARIANT_ADD(torture, stop_large) {
	.shape = {
		.config = "mode=stop",
		.subbuf_size = 1 << 20,
		.n_subbufs = 4,
		.chunk = 1 << 20,
	},
	.pause_us = "0",
};

/* Slow enough that nothing is lost, as a rule; read in bits. */
FIXTURE_VARIANT_ADD(torture, stop_slow) {
	.shape = {
		.config = "mode=stop",
		.subbuf_size = 1 << 13,
		.n_subbufs = 64,
		.chunk = 1000,
	},
	.pause_us = "10000",
};

FIXTURE_VARIANT_ADD(torture, stop_clock) {
	.shape = {
		.config = "mode=stop order=clock",
		.subbuf_size = 1 << 16,
		.n_subbufs = 8,
		.chunk = 1 << 16,
		.clock = true,
	},
	.pause_us = "0",
};

FIXTURE_VARIANT_ADD(torture, overwrite_small) {
	.shape = {
		.config = "mode=overwrite",
		.subbuf_size = 1 << 12,
		.n_subbufs = 3,
		.chunk = 1 << 12,
		.overwrite = true,
	},
	.pause_us = "0",
};

FIXTURE_VARIANT_ADD(torture, overwrite_large) {
	.shape = {
		.config = "mode=overwrite",
		.subbuf_size = 1 << 20,
		.n_subbufs = 4,
		.chunk = 1 << 20,
		.overwrite = true,
	},
	.pause_us = "0",
};

/* Read more slowly than it turns, in bits smaller than a sub-buffer. */
FIXTURE_VARIANT_ADD(torture, overwrite_bits) {
	.shape = {
		.config = "mode=overwrite",
		.subbuf_size = 1 << 14,
		.n_subbufs = 4,
		.chunk = 2000,
		.overwrite = true,
	},
	.pause_us = "0",
};

FIXTURE_SETUP(torture)
{
	const char *seconds = getenv("GRTRACE_TORTURE_SECONDS");
	char sizes[64];

	if (access(GRTRACE_DIR "control", W_OK))
		SKIP(return, "module grtrace is not loaded");
	if (access(GRTRACE_DIR TORTURE_DIR "run", W_OK) &&
	    system(". ./modules.sh && module_load grtrace_torture"))
		SKIP(return, "module grtrace_torture cannot be loaded");
	ASSERT_EQ(0, grtrace_reset());
	ASSERT_EQ(0, grtrace_write("config", variant->shape.config));
	snprintf(sizes, sizeof(sizes), "subbuf_size=%zu n_subbufs=%zu",
		 variant->shape.subbuf_size, variant->shape.n_subbufs);
	ASSERT_EQ(0, grtrace_write("config", sizes));
	self->seconds = seconds ? atoi(seconds) : SECONDS;
	self->readers.cpus = sysconf(_SC_NPROCESSORS_ONLN);
	ASSERT_GE(CPUS_MAX, self->readers.cpus);
	if (!variant->shape.clock) {
		self->readers.gseqs = mmap(NULL, GSEQ_MAX / 8,
					   PROT_READ | PROT_WRITE,
					   MAP_PRIVATE | MAP_ANONYMOUS |
					   MAP_NORESERVE, -1, 0);
		ASSERT_NE(MAP_FAILED, self->readers.gseqs);
	}
	grtrace_write(TORTURE_DIR "run", "0");
	ASSERT_EQ(0, grtrace_write(TORTURE_DIR "pause_us", variant->pause_us));
}

FIXTURE_TEARDOWN(torture)
{
	grtrace_write(TORTURE_DIR "run", "0");
	grtrace_reset();
	/* so that the other tests find what they expect */
	if (system("rmmod grtrace_torture"))
		TH_LOG("grtrace_torture stays loaded");
}

static void readers_start(struct __test_metadata *_metadata,
			  struct readers *readers, size_t chunk)
{
	unsigned int i;

	for (i = 0; i < readers->cpus; i++) {
		struct reader *reader = &readers->reader[i];

		*reader = (struct reader) {
			.cpu = i,
			.cpus = readers->cpus,
			.chunk = chunk,
			.stop = &readers->stop,
			.gseqs = readers->gseqs,
		};
		ASSERT_EQ(0, pthread_create(&reader->thread, NULL, reader_run,
					    reader));
	}
}

/* Let all end, and see that no reader found a fault. */
static void readers_end(struct __test_metadata *_metadata,
			struct readers *readers)
{
	unsigned int i;

	EXPECT_EQ(0, grtrace_write(TORTURE_DIR "run", "0"));
	EXPECT_EQ(0, grtrace_write("control", "stop"));
	__atomic_store_n(&readers->stop, true, __ATOMIC_RELEASE);
	for (i = 0; i < readers->cpus; i++) {
		struct reader *reader = &readers->reader[i];

		pthread_join(reader->thread, NULL);
		EXPECT_EQ(NULL, reader->fault)
			TH_LOG("cpu %u: %s: type %u ctx %llx seqno %u gseq %llu cseq %llu",
			       i, reader->fault ?: "", reader->at.type,
			       (unsigned long long)reader->at.ctx,
			       reader->at.seqno,
			       (unsigned long long)reader->at.gseq,
			       (unsigned long long)reader->at.cseq);
	}
}

/*
 * Events the writers offered, all CPUs; those after the last that a reader has
 * seen are added to what it misses.
 */
static uint64_t writers_offered(struct __test_metadata *_metadata,
				struct readers *readers)
{
	static const char * const names[] = { "task", "softirq", "hardirq" };
	unsigned long long events;
	uint64_t offered = 0;
	char text[16384], line[64], *found;
	unsigned int i, kind;

	ASSERT_LT(0, grtrace_read(TORTURE_DIR "writers", text, sizeof(text)));
	for (i = 0; i < readers->cpus; i++) {
		struct reader *reader = &readers->reader[i];

		for (kind = 0; kind < KINDS; kind++) {
			snprintf(line, sizeof(line), "\n%u,%s,", i, names[kind]);
			found = strstr(text, line);
			ASSERT_NE(NULL, found);
			events = strtoull(found + strlen(line), NULL, 10);
			EXPECT_LT(0, events) TH_LOG("%s", line + 1);
			EXPECT_LE(reader->next[kind], events);
			reader->missing += events - reader->next[kind];
			offered += events;
		}
	}
	return offered;
}

static uint64_t ones(const uint8_t *bits, uint64_t end)
{
	uint64_t i, n = 0;

	for (i = 0; i < (end + 7) / 8; i++)
		n += __builtin_popcount(bits[i]);
	return n;
}

TEST_F_TIMEOUT(torture, exactly_once_or_counted_lost, SECONDS_MAX)
{
	uint64_t offered, events = 0, lost = 0, missing = 0, notes = 0;
	uint64_t gseq_end = 0;
	unsigned int i;

	ASSERT_EQ(0, grtrace_write("control", "start"));
	readers_start(_metadata, &self->readers, variant->shape.chunk);
	ASSERT_EQ(0, grtrace_write(TORTURE_DIR "run", "1"));
	sleep(self->seconds);
	readers_end(_metadata, &self->readers);
	offered = writers_offered(_metadata, &self->readers);

	for (i = 0; i < self->readers.cpus; i++) {
		const struct reader *reader = &self->readers.reader[i];
		const struct stream *s = &reader->stream;

		if (variant->shape.overwrite) {
			/* also notes are overwritten, never events unseen */
			EXPECT_LE(reader->missing, s->gaps + s->first_cseq);
			EXPECT_EQ(0, s->lost_events);
		} else {
			EXPECT_EQ(reader->missing, s->lost_events);
			EXPECT_EQ(0, s->gaps);
			EXPECT_EQ(0, s->first_cseq);
		}
		EXPECT_EQ(0, s->lost_limited + s->lost_pressure);
		/* what the last packet says was lost before it */
		EXPECT_GE(s->lost_events + s->lost_notes, s->lost);
		events += s->events;
		notes += s->notes;
		lost += s->lost_events;
		missing += reader->missing;
		if (reader->gseq_end > gseq_end)
			gseq_end = reader->gseq_end;
	}
	TH_LOG("%llu offered, %llu read, %llu lost, %llu overwritten",
	       (unsigned long long)offered, (unsigned long long)events,
	       (unsigned long long)lost,
	       (unsigned long long)grtrace_stat("overwritten"));
	EXPECT_EQ(offered, events + missing);
	EXPECT_EQ(offered, grtrace_stat("offered"));
	EXPECT_EQ(lost, grtrace_stat("lost"));
	EXPECT_EQ(events + (variant->shape.overwrite ? missing : 0),
		  grtrace_stat("written"));
	EXPECT_EQ(0, grtrace_unaccounted());
	if (self->readers.gseqs && !variant->shape.overwrite) {
		/* none left out */
		EXPECT_EQ(events + notes, gseq_end);
		EXPECT_EQ(events + notes, ones(self->readers.gseqs, gseq_end));
	}
}

/* ---------------------------------------------------------------- storms */

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

static void *storm_snapshots(void *arg)
{
	struct storm *storm = arg;
	struct stream s = {};
	int fd;

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
		if (stream_fill(&s, fd, 1 << 16) >= 0) {
			struct stream_record r;

			while (stream_next(&s, &r))
				;
			storm->fault = s.fault;
			storm->done++;
		}
		close(fd);
		if (rand_r(&storm->seed) % 2)
			grtrace_write("control", "discard");
	}
	stream_free(&s);
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

static void storm_test(struct __test_metadata *_metadata,
		       struct readers *readers, const struct shape *shape,
		       unsigned int seconds, bool resets)
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

	ASSERT_EQ(0, grtrace_write("control", "start"));
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
	sleep(seconds);
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

TEST_F_TIMEOUT(torture, storm_of_changes, SECONDS_MAX)
{
	storm_test(_metadata, &self->readers, &variant->shape,
		   self->seconds, false);
}

TEST_F_TIMEOUT(torture, storm_of_changes_and_resets, SECONDS_MAX)
{
	storm_test(_metadata, &self->readers, &variant->shape,
		   self->seconds, true);
}

TEST_HARNESS_MAIN
