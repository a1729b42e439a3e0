/* SPDX-License-Identifier: GPL-2.0 */
/* A session for tests, beyond its files: emit somewhere, read it all. */
#ifndef GRTRACE_SESSION_H
#define GRTRACE_SESSION_H

#include <sched.h>
#include <time.h>

#include "grtrace_stream.h"

#define CPUS_MAX 64

static inline void run_on(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* All that a file has now; bytes or -errno. */
static inline ssize_t stream_take_open(struct stream *s, int fd)
{
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = stream_fill(s, fd, 1 << 20);
	close(fd);
	return n;
}

/* Reads a CPU's trace file. */
static inline ssize_t stream_take(struct stream *s, unsigned int cpu)
{
	return stream_take_open(s, stream_open(cpu));
}

/* Reads the file "metadata" or "snapshot". */
static inline ssize_t stream_take_file(struct stream *s, const char *name)
{
	s->mixed = true;
	return stream_take_open(s, grtrace_open(name, O_RDONLY));
}

/* The seqnos of the SUBMITs that the stream has from here on. */
struct submits {
	uint32_t first, last;
	bool holes;
};

static inline struct submits submits_read(struct stream *s)
{
	struct submits submits = {};
	struct stream_record r;

	while (stream_next_of(s, GRTRACE_SUBMIT, &r)) {
		if (!submits.first)
			submits.first = r.seqno;
		else if (r.seqno != submits.last + 1)
			submits.holes = true;
		submits.last = r.seqno;
	}
	return submits;
}

/* Reads all CPUs' streams to their ends; the sums of what is in them. */
struct stream_sums {
	uint64_t events, notes, lost_events, lost_notes, lost_limited;
	uint64_t cseq[CPUS_MAX];	/* the numbers that each has, lost or not */
};

static inline struct stream_sums streams_sum(struct __test_metadata *_metadata, unsigned int cpus)
{
	struct stream_sums sums = {};
	struct stream_record r;
	struct stream s = {};
	unsigned int i;

	for (i = 0; i < cpus; i++) {
		ASSERT_LE(0, stream_take(&s, i));
		while (stream_next(&s, &r))
			;
		EXPECT_EQ(NULL, s.fault) TH_LOG("cpu %u: %s", i, s.fault ?: "");
		EXPECT_EQ(0, s.gaps);
		sums.cseq[i] = s.events + s.notes + s.lost_events + s.lost_notes;
		EXPECT_EQ(sums.cseq[i], s.cseq);
		sums.events += s.events;
		sums.notes += s.notes;
		sums.lost_events += s.lost_events;
		sums.lost_notes += s.lost_notes;
		sums.lost_limited += s.lost_limited;
		stream_free(&s);
	}
	return sums;
}

/* Nanoseconds. */
static inline uint64_t clock_now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static inline double now(void)
{
	return clock_now(CLOCK_MONOTONIC) / 1e9;
}

/* Returns a counter when it is at least @least, or after 60 s. */
static inline uint64_t grtrace_stat_wait(const char *name, uint64_t least)
{
	uint64_t value;

	WAIT_UNTIL((value = grtrace_stat(name)) != UINT64_MAX && value >= least, 60);
	return value;
}

/* Submissions of one context to ring 5, all with numbers of their own; 0 or -errno. */
static inline int emit_submits(struct grtrace_lines *lines, unsigned int from, unsigned int n)
{
	unsigned int i;

	for (i = from; i < from + n; i++)
		grtrace_lines_add(lines, "submit 1 1 5 %u", i);
	return grtrace_lines_write(lines);
}

/* Writes to a file; the test ends if that is refused. */
#define FILE_TAKES(name, text)						\
do {									\
	const char *taken = (text);					\
									\
	ASSERT_EQ(0, grtrace_write(name, taken)) TH_LOG("%s", taken);	\
} while (0)

#define CONFIG(text)	FILE_TAKES("config", text)
#define CONTROL(word)	FILE_TAKES("control", word)
#define EMIT(lines)	FILE_TAKES("emit", lines)

/* The same, for a short text in the form of printf(). */
#define TAKES_SHORT(take, ...)						\
do {									\
	char short_text[128];						\
									\
	snprintf(short_text, sizeof(short_text), __VA_ARGS__);		\
	take(short_text);						\
} while (0)

#define CONFIGF(...)	TAKES_SHORT(CONFIG, __VA_ARGS__)
#define EMITF(...)	TAKES_SHORT(EMIT, __VA_ARGS__)

#define EXPECT_NO_FAULT(stream)						\
do {									\
	const char *fault = (stream)->fault;				\
									\
	EXPECT_EQ(NULL, fault) TH_LOG("%s", fault ?: "");		\
} while (0)

/*
 * Most tests have the module as it is when it was just loaded, except @config,
 * and a place on the first CPU; threads that want another go there.  All other
 * fields are zero.  Each test is a process of its own: nothing is freed.
 */
#define GRTRACE_FIXTURE(name, config, ...)				\
FIXTURE(name) {								\
	unsigned int cpus;						\
	struct grtrace_lines *lines;					\
	struct stream stream;						\
	unsigned long complaints;					\
	__VA_ARGS__							\
};									\
									\
FIXTURE_SETUP(name)							\
{									\
	NEEDS_MODULE("grtrace");					\
	memset(self, 0, sizeof(*self));					\
	self->complaints = kernel_complaints();				\
	self->cpus = sysconf(_SC_NPROCESSORS_ONLN);			\
	if (self->cpus > CPUS_MAX)					\
		SKIP(return, "for up to %d CPUs", CPUS_MAX);		\
	self->lines = calloc(1, sizeof(*self->lines));			\
	ASSERT_NE(NULL, self->lines);					\
	ASSERT_EQ(0, grtrace_reset());					\
	if (sizeof(config) > 1) {					\
		CONFIG(config);						\
	}								\
	run_on(0);							\
}									\
									\
FIXTURE_TEARDOWN(name)							\
{									\
	grtrace_reset();						\
	EXPECT_EQ(self->complaints, kernel_complaints());		\
}

#endif /* GRTRACE_SESSION_H */
