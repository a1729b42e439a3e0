// SPDX-License-Identifier: GPL-2.0
/*
 * Writers that never rest, in all contexts of all CPUs, and a reader for each CPU at
 * the same time: each record is whole, there once and in order, or it is counted lost.
 * The same holds while CPUs come and go and in storms of all that user space can do:
 * change the configuration, reset the counters, look at all views, take snapshots,
 * map the channel.
 *
 * The module grtrace_torture writes; contents are known, see modules/torture.c.
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
#define SECONDS_MAX	100000	/* a user who sets a number as high as this also has a timeout */
#define KINDS		3	/* writers of a CPU */
#define STEPS		4	/* events of a job */
#define GSEQ_MAX	68719476736ull	/* 8 GiB of bits, few of them touched */

/* A channel, and how its reader reads. */
FIXTURE_VARIANT(torture) {
	const char *config;
	size_t subbuf_size;
	size_t n_subbufs;
	size_t chunk;
	bool overwrite;
	unsigned int pause_us;		/* pause of the writers in process context */
};

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
	uint64_t missing;		/* sums of the writers' events */
	uint64_t gseq_end;
	const char *fault;
	struct stream_record at;	/* the record in which the fault was found */
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

/* Returns what is wrong with the contents of an event, or NULL. */
static const char *contents_fault(const struct stream_record *r, uint64_t mix)
{
	const struct grtrace_rec_job_fence *fence = (const void *)r->rec;
	const struct grtrace_rec_submit *submit = (const void *)r->rec;
	const struct grtrace_rec_error *error = (const void *)r->rec;
	const struct grtrace_rec_job *job = (const void *)r->rec;

	if (le16toh(job->arg) != mix >> 48)
		return "arg";
	if (step_of(r->type) == 2 && r->type != (r->seqno % 64 ? GRTRACE_END : GRTRACE_ERROR))
		return "type";
	if (r->ctx >> 32 != r->seqno / 4096 % 2)
		return "upper half of ctx";
	if (!r->ring)
		return "ring";
	if (r->type == GRTRACE_SUBMIT && le64toh(submit->client) != mix)
		return "client";
	if (r->type == GRTRACE_COMMIT &&
	    (le32toh(fence->fence_ctx) != (uint32_t)mix ||
	     le32toh(fence->fence_seqno) != mix >> 32))
		return "fence";
	if (r->type == GRTRACE_ERROR && (le32toh(error->code) != (uint32_t)mix || error->kind))
		return "code";
	return NULL;
}

static const char *event_fault(struct reader *reader, const struct stream_record *r)
{
	unsigned int kind = r->ctx & 0xff, cpu = (uint32_t)r->ctx >> 8 & 0xfffff;
	int step = step_of(r->type);
	uint64_t event = (uint64_t)r->seqno * STEPS + step;

	if (step < 0 || ((uint32_t)r->ctx & 0xf0000000u) != TORTURE_CTX || kind >= KINDS)
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

static const char *record_fault(struct reader *reader, const struct stream_record *r)
{
	uint8_t bit = 1 << r->gseq % 8;

	if (r->ts < reader->last_ts)
		return "time goes back";
	reader->last_ts = r->ts;
	if (reader->gseqs) {
		if (r->gseq >= GSEQ_MAX)
			return "gseq too large";
		if (__atomic_fetch_or(&reader->gseqs[r->gseq / 8], bit, __ATOMIC_RELAXED) & bit)
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
	/* on another CPU than the writer's, if there is one */
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

FIXTURE(torture) {
	unsigned int cpus;
	unsigned int seconds;		/* how long a test takes */
	unsigned long complaints;
	bool stop;
	uint8_t *gseqs;
	struct reader reader[CPUS_MAX];
};

FIXTURE_VARIANT_ADD(torture, stop_small) { "mode=stop", 1 << 12, 4, 1 << 12 };
FIXTURE_VARIANT_ADD(torture, stop_large) { "mode=stop clock=boot", 1 << 20, 4, 1 << 20 };
/* slow enough that nothing is lost, as a rule; read in bits */
FIXTURE_VARIANT_ADD(torture, stop_slow) { "mode=stop", 1 << 13, 64, 1000, .pause_us = 10000 };

FIXTURE_VARIANT_ADD(torture, overwrite_small) {
	"mode=overwrite", 1 << 12, 3, 1 << 12, .overwrite = true,
};

FIXTURE_VARIANT_ADD(torture, overwrite_large) {
	"mode=overwrite clock=boot", 1 << 20, 4, 1 << 20, .overwrite = true,
};

/* read more slowly than it is overwritten, in pieces smaller than a sub-buffer */
FIXTURE_VARIANT_ADD(torture, overwrite_bits) {
	"mode=overwrite", 1 << 14, 4, 2000, .overwrite = true,
};

FIXTURE_SETUP(torture)
{
	const char *seconds = getenv("GRTRACE_TORTURE_SECONDS");
	char text[128];

	NEEDS_MODULE("grtrace_torture");
	memset(self, 0, sizeof(*self));
	self->seconds = seconds ? atoi(seconds) : SECONDS;
	self->complaints = kernel_complaints();
	self->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	ASSERT_GE(CPUS_MAX, self->cpus);
	ASSERT_EQ(0, grtrace_reset());
	CONFIGF("%s subbuf_size=%zu n_subbufs=%zu", variant->config, variant->subbuf_size,
		variant->n_subbufs);
	self->gseqs = mmap(NULL, GSEQ_MAX / 8, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	ASSERT_NE(MAP_FAILED, self->gseqs);
	snprintf(text, sizeof(text), "%u", variant->pause_us);
	ASSERT_EQ(0, grtrace_write(TORTURE_DIR "run", "0"));
	ASSERT_EQ(0, grtrace_write(TORTURE_DIR "pause_us", text));
}

/* Restores the state that other tests expect. */
FIXTURE_TEARDOWN(torture)
{
	grtrace_write(TORTURE_DIR "run", "0");
	grtrace_reset();
	if (system("rmmod grtrace_torture"))
		perror("rmmod grtrace_torture");
	EXPECT_EQ(self->complaints, kernel_complaints());
}

/* Starts the writers and their readers. */
static void begin(struct __test_metadata *_metadata, FIXTURE_DATA(torture) *self,
		  const FIXTURE_VARIANT(torture) *variant)
{
	unsigned int i;

	CONTROL("start");
	for (i = 0; i < self->cpus; i++) {
		struct reader *reader = &self->reader[i];

		*reader = (struct reader) {
			.cpu = i,
			.cpus = self->cpus,
			.chunk = variant->chunk,
			.stop = &self->stop,
			.gseqs = self->gseqs,
		};
		ASSERT_EQ(0, pthread_create(&reader->thread, NULL, reader_run, reader));
	}
	ASSERT_EQ(0, grtrace_write(TORTURE_DIR "run", "1"));
}

/* Reads how many events each writer offered so far; returns whether each has had its turn. */
static bool writers_read(uint64_t (*events)[KINDS], unsigned int cpus)
{
	static const char * const names[] = { "task", "softirq", "hardirq" };
	char text[16384], line[64], *found;
	unsigned int i, kind;
	bool all = true;

	if (grtrace_read(TORTURE_DIR "writers", text, sizeof(text)) <= 0)
		return false;
	for (i = 0; i < cpus; i++) {
		for (kind = 0; kind < KINDS; kind++) {
			snprintf(line, sizeof(line), "\n%u,%s,", i, names[kind]);
			found = strstr(text, line);
			events[i][kind] = found ? strtoull(found + strlen(line), NULL, 10) : 0;
			all = all && events[i][kind];
		}
	}
	return all;
}

/* The sums of what was read and offered, over all CPUs. */
struct sums {
	uint64_t offered, events, notes, missing, gseq_end;
	uint64_t lost, limited, pressure;
};

/*
 * Waits until each writer has had its turn, because the CPUs may be busy. Then
 * all end, and no reader may have found a fault. Events after the last one that
 * a reader saw count as missing.
 */
static struct sums end(struct __test_metadata *_metadata, FIXTURE_DATA(torture) *self,
		       const FIXTURE_VARIANT(torture) *variant)
{
	uint64_t events[CPUS_MAX][KINDS];
	struct sums sums = {};
	unsigned int i, kind;

	EXPECT_TRUE(WAIT_UNTIL(writers_read(events, self->cpus), 60));
	EXPECT_EQ(0, grtrace_write(TORTURE_DIR "run", "0"));
	EXPECT_EQ(0, grtrace_write("control", "stop"));
	__atomic_store_n(&self->stop, true, __ATOMIC_RELEASE);
	for (i = 0; i < self->cpus; i++)
		pthread_join(self->reader[i].thread, NULL);
	ASSERT_TRUE(writers_read(events, self->cpus));
	for (i = 0; i < self->cpus; i++) {
		struct reader *reader = &self->reader[i];
		const struct stream *s = &reader->stream;

		EXPECT_EQ(NULL, reader->fault)
			TH_LOG("cpu %u: %s: type %u ctx %llx seqno %u gseq %llu cseq %llu", i,
			       reader->fault ?: "", reader->at.type,
			       (unsigned long long)reader->at.ctx, reader->at.seqno,
			       (unsigned long long)reader->at.gseq,
			       (unsigned long long)reader->at.cseq);
		for (kind = 0; kind < KINDS; kind++) {
			EXPECT_LE(reader->next[kind], events[i][kind]);
			reader->missing += events[i][kind] - reader->next[kind];
			sums.offered += events[i][kind];
		}
		if (!variant->overwrite) {
			EXPECT_EQ(0, s->gaps);
			EXPECT_EQ(0, s->first_cseq);
		}
		sums.events += s->events;
		sums.notes += s->notes;
		sums.missing += reader->missing;
		sums.lost += s->lost_events;
		sums.limited += s->lost_limited;
		sums.pressure += s->lost_pressure;
		if (reader->gseq_end > sums.gseq_end)
			sums.gseq_end = reader->gseq_end;
	}
	TH_LOG("%llu offered, %llu read, %llu lost, %llu overwritten",
	       (unsigned long long)sums.offered, (unsigned long long)sums.events,
	       (unsigned long long)sums.lost, (unsigned long long)grtrace_stat("overwritten"));
	EXPECT_EQ(0, grtrace_unaccounted());
	return sums;
}

static uint64_t ones(const uint8_t *bits, uint64_t end)
{
	uint64_t i, n = 0;

	for (i = 0; i < (end + 7) / 8; i++)
		n += __builtin_popcount(bits[i]);
	return n;
}

/* Checks that the events read and those counted as lost add up to the offered ones. */
static void end_and_add_up(struct __test_metadata *_metadata, FIXTURE_DATA(torture) *self,
			   const FIXTURE_VARIANT(torture) *variant)
{
	struct sums sums = end(_metadata, self, variant);
	uint64_t unread = variant->overwrite ? sums.missing : 0;
	uint64_t overwritten = grtrace_stat("overwritten");
	unsigned int i;

	for (i = 0; i < self->cpus; i++) {
		const struct reader *reader = &self->reader[i];
		const struct stream *s = &reader->stream;

		/* notes are overwritten as well, but no event is missing without a gap */
		if (variant->overwrite)
			EXPECT_LE(reader->missing, s->gaps + s->first_cseq);
		EXPECT_EQ(variant->overwrite ? 0 : reader->missing, s->lost_events);
		/* the loss before the last packet, according to its header */
		EXPECT_GE(s->lost_events + s->lost_notes, s->lost);
	}
	EXPECT_EQ(0, sums.limited + sums.pressure);
	EXPECT_EQ(sums.offered, sums.events + sums.missing);
	EXPECT_EQ(sums.offered, grtrace_stat("offered"));
	EXPECT_EQ(sums.lost, grtrace_stat("lost"));
	EXPECT_EQ(sums.events + unread, grtrace_stat("written"));
	EXPECT_LE(unread, overwritten);
	/* read in small pieces, a sub-buffer that was begun counts as a whole */
	if (!variant->overwrite || variant->chunk >= variant->subbuf_size)
		EXPECT_EQ(unread, overwritten);
	if (!variant->overwrite) {
		/* none left out */
		EXPECT_EQ(sums.events + sums.notes, sums.gseq_end);
		EXPECT_EQ(sums.events + sums.notes, ones(self->gseqs, sums.gseq_end));
	}
}

TEST_F_TIMEOUT(torture, exactly_once_or_counted_lost, SECONDS_MAX)
{
	begin(_metadata, self, variant);
	sleep(self->seconds);
	end_and_add_up(_metadata, self, variant);
}

static bool cpu_set_online(unsigned int cpu, const char *online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	return !path_write(path, online, 1);
}

/* A CPU that goes offline stops its writers; its written records stay. */
TEST_F_TIMEOUT(torture, cpus_come_and_go, SECONDS_MAX)
{
	unsigned int cpu = self->cpus - 1, rounds = 0;
	double until = now() + self->seconds;

	if (!cpu || !cpu_set_online(cpu, "1"))
		SKIP(return, "no CPU can go offline");
	begin(_metadata, self, variant);
	do {
		usleep(100000);
		EXPECT_TRUE(cpu_set_online(cpu, "0"));
		/* either its reader or this closes its packet */
		EXPECT_EQ(0, grtrace_write("control", "snapshot"));
		usleep(100000);
		EXPECT_TRUE(cpu_set_online(cpu, "1"));
		rounds++;
	} while (now() < until);
	end_and_add_up(_metadata, self, variant);
	TH_LOG("%u times", rounds);
}

/* An event in an NMI, also in one in the midst of a hook, is only counted: as lost. */
TEST_F_TIMEOUT(torture, nmis_are_counted, SECONDS_MAX)
{
	double until = now() + self->seconds;
	unsigned int i, each = 0;
	struct sums sums;

	if (access(GRTRACE_DIR TORTURE_DIR "nmi", F_OK))
		SKIP(return, "no NMI can be sent");
	begin(_metadata, self, variant);
	for (; now() < until; each++)
		ASSERT_EQ(0, grtrace_write(TORTURE_DIR "nmi", "1"));
	sums = end(_metadata, self, variant);
	TH_LOG("%u NMIs on each CPU", each);
	EXPECT_EQ(each * self->cpus, grtrace_stat("writes_nmi"));
	EXPECT_EQ(sums.offered + each * self->cpus, grtrace_stat("offered"));
	/* LOST records are overwritten too */
	for (i = 0; i < self->cpus && !variant->overwrite; i++)
		EXPECT_EQ(self->reader[i].missing + each, self->reader[i].stream.lost_events);
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
	return !storm->fault && !__atomic_load_n(storm->stop, __ATOMIC_ACQUIRE);
}

/* Keys that may change while a session runs; a kernel may not know some of them. */
static void *storm_config(void *arg)
{
	static const char * const words[] = {
		"level=normal", "level=verbose", "level=off", "filter_type_mask=0x1ff",
		"filter_type_mask=0x20", "filter_engine_mask=0x40", "filter_engine_mask=0",
		"filter_ring_mask=0xffff", "filter_ring_id=1", "filter_device=?",
		"filter_device=all", "watch_ctx_add=1879048192,1879048449", "watch_ctx_clear=1",
		"watch_pid_add=1", "watch_pid_clear=1", "watch_ring_add=5", "watch_ring_clear=1",
		"watch_combine=and watch_allow_mode=0", "watch_combine=or watch_allow_mode=1",
		"sample=7", "sample=1", "sample=1000", "adaptive_sampling=1", "adaptive_sampling=0",
		"max_events_per_sec=100000", "max_events_per_sec=1000 burst=50",
		"rate_limiter_mode=0", "rate_limiter_mode=1", "max_events_per_sec=0",
		"backpressure_threshold=50", "backpressure_threshold=0",
		"slow_queue_us=10 slow_exec_us=10", "slow_queue_us=0 slow_exec_us=0",
		"snapshot_on=slow_exec,error", "snapshot_on=none", "profile=1", "profile=0",
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

/* Reads all files that show something, at any moment. */
static void *storm_views(void *arg)
{
	static const char * const views[] = {
		"stats", "pc_stats", "pc_cseq", "events_by_type", "rings", "latency_hist",
		"size_hist", "result_hist", "sec_stats", "config", "control", "metadata",
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

/* The records of a snapshot must also be whole and in order. */
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
		map = mmap(NULL, storm->channel_size, PROT_READ, MAP_SHARED, fd, 0);
		close(fd);
		if (map == MAP_FAILED) {
			storm->fault = "cannot map";
			break;
		}
		for (at = 0; at < storm->channel_size; at += 64) {
			uint32_t word = __atomic_load_n((const uint32_t *)(map + at + 4),
							__ATOMIC_RELAXED);

			sum += word;
			if (at % storm->subbuf_size == 0 && word && le32toh(word) != GRTRACE_MAGIC)
				storm->fault = "a sub-buffer without a packet";
		}
		munmap((void *)map, storm->channel_size);
		storm->done++;
	}
	return (void *)(uintptr_t)(sum & 1);
}

static void storm_test(struct __test_metadata *_metadata, FIXTURE_DATA(torture) *self,
		       const FIXTURE_VARIANT(torture) *variant, bool resets)
{
	static void *(* const runs[])(void *) = {
		storm_config, storm_config, storm_views, storm_snapshots, storm_mmap,
	};
	struct storm storms[ARRAY_SIZE(runs)];
	pthread_t threads[ARRAY_SIZE(runs)];
	struct sums sums;
	bool stop = false;
	unsigned int i;

	begin(_metadata, self, variant);
	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		storms[i] = (struct storm) {
			.cpus = self->cpus,
			.channel_size = variant->subbuf_size * variant->n_subbufs,
			.subbuf_size = variant->subbuf_size,
			.stop = &stop,
			.resets = resets,
			.seed = i + 1,
		};
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, runs[i], &storms[i]));
	}
	sleep(self->seconds);
	/* the writers take their time */
	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		EXPECT_TRUE(WAIT_UNTIL(__atomic_load_n(&storms[i].done, __ATOMIC_RELAXED), 60))
			TH_LOG("storm %u", i);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		pthread_join(threads[i], NULL);
		EXPECT_EQ(NULL, storms[i].fault) TH_LOG("storm %u: %s", i, storms[i].fault ?: "");
	}
	sums = end(_metadata, self, variant);
	TH_LOG("%llu limited, %llu under pressure, %llu changes, %llu snapshots",
	       (unsigned long long)sums.limited, (unsigned long long)sums.pressure,
	       (unsigned long long)(storms[0].done + storms[1].done),
	       (unsigned long long)storms[3].done);
	/* events that a filter refused take no number */
	for (i = 0; i < self->cpus; i++)
		EXPECT_GE(self->reader[i].missing, self->reader[i].stream.lost_events);
	/* LOST records are overwritten too */
	if (resets || variant->overwrite)
		return;
	EXPECT_EQ(sums.offered, grtrace_stat("offered"));
	EXPECT_EQ(sums.events, grtrace_stat("written"));
	EXPECT_EQ(sums.lost, grtrace_stat("lost"));
	EXPECT_EQ(sums.limited, grtrace_stat("rate_limited_drops"));
	EXPECT_EQ(sums.pressure, grtrace_stat("backpressure_drops"));
}

TEST_F_TIMEOUT(torture, storm_of_changes, SECONDS_MAX)
{
	storm_test(_metadata, self, variant, false);
}

TEST_F_TIMEOUT(torture, storm_of_changes_and_resets, SECONDS_MAX)
{
	storm_test(_metadata, self, variant, true);
}

TEST_HARNESS_MAIN
