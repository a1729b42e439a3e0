/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Readers that verify what the module grtrace_torture writes, one for each CPU:
 * each record is whole, there once and in order, or missing, and then the tests
 * see whether it was counted. Contents are known, see
 * drivers/gpu/grtrace/torture.c.
 */
#ifndef GRTRACE_TORTURE_H
#define GRTRACE_TORTURE_H

#include <pthread.h>
#include <sys/mman.h>

#include "grtrace_session.h"

#define TORTURE_DIR	"../grtrace_torture/"
#define TORTURE_CTX	0x70000000u
#define SECONDS		2
#define SECONDS_MAX	100000	/* who asks for so many has a timeout himself */
#define KINDS		3	/* writers of a CPU */
#define STEPS		4	/* events of a job */
#define GSEQ_MAX	68719476736ull	/* 8 GiB of bits, few of them touched */

/* A channel, and how it is read. */
struct shape {
	const char *config;
	size_t subbuf_size;
	size_t n_subbufs;
	size_t chunk;
	bool overwrite;
	bool clock;			/* the order is: no gseq */
	unsigned int pause_us;		/* of the writers in process context */
};

enum {
	STOP_SMALL,
	STOP_LARGE,
	STOP_SLOW,
	STOP_CLOCK,
	OVERWRITE_SMALL,
	OVERWRITE_LARGE,
	OVERWRITE_BITS,
};

static const struct shape shapes[] = {
	[STOP_SMALL] = {
		.config = "mode=stop",
		.subbuf_size = 1 << 12,
		.n_subbufs = 4,
		.chunk = 1 << 12,
	},
	[STOP_LARGE] = {
		.config = "mode=stop clock=boot",
		.subbuf_size = 1 << 20,
		.n_subbufs = 4,
		.chunk = 1 << 20,
	},
	/* slow enough that nothing is lost, as a rule; read in bits */
	[STOP_SLOW] = {
		.config = "mode=stop",
		.subbuf_size = 1 << 13,
		.n_subbufs = 64,
		.chunk = 1000,
		.pause_us = 10000,
	},
	[STOP_CLOCK] = {
		.config = "mode=stop order=clock",
		.subbuf_size = 1 << 16,
		.n_subbufs = 8,
		.chunk = 1 << 16,
		.clock = true,
	},
	[OVERWRITE_SMALL] = {
		.config = "mode=overwrite",
		.subbuf_size = 1 << 12,
		.n_subbufs = 3,
		.chunk = 1 << 12,
		.overwrite = true,
	},
	[OVERWRITE_LARGE] = {
		.config = "mode=overwrite clock=tai",
		.subbuf_size = 1 << 20,
		.n_subbufs = 4,
		.chunk = 1 << 20,
		.overwrite = true,
	},
	/* read more slowly than it turns, in bits smaller than a sub-buffer */
	[OVERWRITE_BITS] = {
		.config = "mode=overwrite",
		.subbuf_size = 1 << 14,
		.n_subbufs = 4,
		.chunk = 2000,
		.overwrite = true,
	},
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
	unsigned int seconds;		/* how long a test is to take */
	bool stop;
	uint8_t *gseqs;
	struct reader reader[CPUS_MAX];
};

/* Make ready for a channel of this shape. */
static void readers_setup(struct __test_metadata *_metadata,
			  struct readers *readers, const struct shape *shape)
{
	const char *seconds = getenv("GRTRACE_TORTURE_SECONDS");
	char text[128];

	memset(readers, 0, sizeof(*readers));
	readers->seconds = seconds ? atoi(seconds) : SECONDS;
	readers->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	ASSERT_GE(CPUS_MAX, readers->cpus);
	snprintf(text, sizeof(text), "%s subbuf_size=%zu n_subbufs=%zu",
		 shape->config, shape->subbuf_size, shape->n_subbufs);
	ASSERT_EQ(0, grtrace_reset());
	CONFIG(text);
	if (!shape->clock) {
		readers->gseqs = mmap(NULL, GSEQ_MAX / 8,
				      PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS |
				      MAP_NORESERVE, -1, 0);
		ASSERT_NE(MAP_FAILED, readers->gseqs);
	}
	snprintf(text, sizeof(text), "%u", shape->pause_us);
	ASSERT_EQ(0, grtrace_write(TORTURE_DIR "run", "0"));
	ASSERT_EQ(0, grtrace_write(TORTURE_DIR "pause_us", text));
}

/* As it was, so that the other tests find what they expect. */
static void readers_teardown(void)
{
	grtrace_write(TORTURE_DIR "run", "0");
	grtrace_reset();
	if (system("rmmod grtrace_torture"))
		perror("rmmod grtrace_torture");
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

/* Events that a writer offered so far; @text is the file "writers". */
static uint64_t writer_events(struct __test_metadata *_metadata,
			      const char *text, unsigned int cpu,
			      unsigned int kind)
{
	static const char * const names[] = { "task", "softirq", "hardirq" };
	const char *found;
	char line[64];

	snprintf(line, sizeof(line), "\n%u,%s,", cpu, names[kind]);
	found = strstr(text, line);
	ASSERT_NE(NULL, found);
	return strtoull(found + strlen(line), NULL, 10);
}

static bool writers_have_begun(struct __test_metadata *_metadata,
			       const struct readers *readers)
{
	unsigned int i, kind;
	char text[16384];

	ASSERT_LT(0, grtrace_read(TORTURE_DIR "writers", text, sizeof(text)));
	for (i = 0; i < readers->cpus; i++)
		for (kind = 0; kind < KINDS; kind++)
			if (!writer_events(_metadata, text, i, kind))
				return false;
	return true;
}

/* Until each writer has had its turn, a minute at most: the CPUs may be busy. */
static void writers_wait(struct __test_metadata *_metadata,
			 const struct readers *readers)
{
	double end = now() + 60;

	while (!writers_have_begun(_metadata, readers) && now() < end)
		usleep(10000);
}

/*
 * Events the writers offered, all CPUs; those after the last that a reader has
 * seen are added to what it misses.
 */
static uint64_t writers_offered(struct __test_metadata *_metadata,
				struct readers *readers)
{
	uint64_t offered = 0, events;
	unsigned int i, kind;
	char text[16384];

	ASSERT_LT(0, grtrace_read(TORTURE_DIR "writers", text, sizeof(text)));
	for (i = 0; i < readers->cpus; i++) {
		struct reader *reader = &readers->reader[i];

		for (kind = 0; kind < KINDS; kind++) {
			events = writer_events(_metadata, text, i, kind);
			EXPECT_LT(0, events) TH_LOG("cpu %u, writer %u", i, kind);
			EXPECT_LE(reader->next[kind], events);
			reader->missing += events - reader->next[kind];
			offered += events;
		}
	}
	return offered;
}

#endif /* GRTRACE_TORTURE_H */
