/* SPDX-License-Identifier: GPL-2.0 */
/* What tests do with a session, beyond its files: emit somewhere, read it all. */
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

/* What is in a CPU's trace file now; bytes or -errno. */
static inline ssize_t stream_take(struct stream *s, unsigned int cpu)
{
	int fd = stream_open(cpu);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = stream_fill(s, fd, 1 << 20);
	close(fd);
	return n;
}

static inline double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* A counter until it is at least @least, 60 s at most. */
static inline uint64_t grtrace_stat_wait(const char *name, uint64_t least)
{
	double end = now() + 60;
	uint64_t value;

	do {
		value = grtrace_stat(name);
		if (value != UINT64_MAX && value >= least)
			break;
		usleep(10000);
	} while (now() < end);
	return value;
}

#endif /* GRTRACE_SESSION_H */
