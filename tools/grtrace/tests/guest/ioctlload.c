// SPDX-License-Identifier: GPL-2.0
/*
 * ioctlload: issues ioctls on the mock GPU and prints each: thread, number, result,
 * and the times just before and after it, CLOCK_MONOTONIC in ns. That is what an
 * annotation is compared with.
 *
 * Usage: ioctlload [THREADS [ROUNDS [quiet]]]
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "grtrace_mock.h"

#define MAX_THREADS	64
#define CALLS		9	/* of a round, at most */

struct call {
	__u32 cmd;
	int result;		/* 0 or more, or -errno */
	__u64 before;
	__u64 after;
};

struct worker {
	pthread_t thread;
	int fd;
	pid_t tid;
	unsigned int rounds;
	unsigned int nr;
	struct call *calls;
};

static __u64 now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void issue(struct worker *me, unsigned long cmd, void *arg)
{
	struct call *call = &me->calls[me->nr++];

	call->cmd = cmd;
	call->before = now();
	call->result = ioctl(me->fd, cmd, arg);
	if (call->result < 0)
		call->result = -errno;
	call->after = now();
}

/* The calls that work, and each way of failing. */
static void round_of_calls(struct worker *me)
{
	struct grtrace_mock_ctx_create create = { .ctx = 0 };
	struct grtrace_mock_ctx_destroy destroy;
	struct grtrace_mock_submit submit;
	struct grtrace_mock_wait wait = { .timeout_ns = -1 };
	struct grtrace_mock_info info = { .ring = 0 };
	struct mock_version version = { .major = 0 };

	issue(me, MOCK_IOCTL_VERSION, &version);
	issue(me, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &create);
	memset(&submit, 0, sizeof(submit));
	submit.ctx = create.ctx;
	submit.count = 1;
	submit.duration_ns = 100000;
	issue(me, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &submit);
	wait.fence.ctx = submit.fence_ctx;
	wait.fence.seqno = submit.last_seqno;
	issue(me, DRM_IOCTL_GRTRACE_MOCK_WAIT, &wait);
	memset(&destroy, 0, sizeof(destroy));
	destroy.ctx = create.ctx;
	issue(me, DRM_IOCTL_GRTRACE_MOCK_CTX_DESTROY, &destroy);
	info.ring = 12345;
	issue(me, DRM_IOCTL_GRTRACE_MOCK_INFO, &info);
	issue(me, DRM_IOCTL_GRTRACE_MOCK_INFO, NULL);
	issue(me, _IO('d', 0x9e), NULL);
	issue(me, _IO('G', 1), NULL);
}

static void *work(void *data)
{
	struct worker *me = data;
	unsigned int i;

	me->tid = syscall(SYS_gettid);
	for (i = 0; i < me->rounds; i++)
		round_of_calls(me);
	return NULL;
}

static void tell(const struct worker *me)
{
	unsigned int i;

	for (i = 0; i < me->nr; i++)
		printf("%d %u %d %llu %llu\n", me->tid, me->calls[i].cmd, me->calls[i].result,
		       me->calls[i].before, me->calls[i].after);
}

int main(int argc, char **argv)
{
	unsigned int threads = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	unsigned int rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	static struct worker workers[MAX_THREADS];
	unsigned int i;
	int fd;

	if (!threads || threads > MAX_THREADS || !rounds)
		return 2;
	/* The node is found by asking, which is not printed. */
	fd = mock_open();
	if (fd < 0) {
		fprintf(stderr, "ioctlload: no render node belongs to the mock GPU\n");
		return 1;
	}
	/* Another process may ask for a start at a later time. */
	if (getenv("IOCTLLOAD_WAIT"))
		getchar();
	for (i = 0; i < threads; i++) {
		struct worker *me = &workers[i];

		me->fd = fd;
		me->rounds = rounds;
		me->calls = calloc((size_t)rounds * CALLS, sizeof(*me->calls));
		if (!me->calls || pthread_create(&me->thread, NULL, work, me))
			return 1;
	}
	for (i = 0; i < threads; i++)
		pthread_join(workers[i].thread, NULL);
	if (argc > 3)
		printf("%u\n", threads * rounds * CALLS);
	else
		for (i = 0; i < threads; i++)
			tell(&workers[i]);
	return 0;
}
