// SPDX-License-Identifier: GPL-2.0
/*
 * mockload: gives the mock GPU grtrace_mock work, and prints what became of it.
 *
 * Processes with threads with contexts submit jobs over the rings and look at
 * what became of each. The table at the end is counted here, from what the
 * ioctls returned, not by the driver: it is what a trace is compared with.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grtrace_mock.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define EXIT_USAGE	2

/* Ends the whole process, from any thread. */
#define die(format, ...)						\
do {									\
	fprintf(stderr, "mockload: " format "\n", ##__VA_ARGS__);	\
	exit(EXIT_FAILURE);						\
} while (0)

static struct {
	const char *device;
	const char *times;
	__u64 jobs;
	__u64 duration_us;
	__u64 ctxs;		/* of each thread */
	__u64 procs;
	__u64 threads;		/* of each process */
	__u64 batch;
	__u64 depth;		/* the driver keeps no more fences than its default */
	__u64 error_every;
	__u64 hang_every;
	__u64 seed;
	__u64 depends;
	__u64 kill;
} opt = {
	.jobs = 100,
	.duration_us = 100,
	.ctxs = 1,
	.procs = 1,
	.threads = 1,
	.batch = 1,
	.depth = GRTRACE_MOCK_HISTORY,
};

/* The results of the jobs of a ring. */
struct tally {
	__u64 submitted;
	__u64 completed;
	__u64 failed;
	__u64 timedout;
};

/* The jobs of a context on a ring; those after @seen have not been checked yet. */
struct queue {
	__u64 fence_ctx;
	__u64 seen;
	__u64 last;
};

static struct {
	unsigned int nr;
	char names[GRTRACE_MOCK_MAX_RINGS][GRTRACE_MOCK_NAME_LEN];
} rings;

static FILE *times;	/* the destination of the jobs' times, or NULL */

struct worker {
	pthread_t thread;
	int fd;
	unsigned int index;	/* among all threads of all processes */
	__u64 jobs;
	__u64 random;
	__u64 turn;		/* submissions so far */
	__u32 *ctxs;
	struct queue (*queues)[GRTRACE_MOCK_MAX_RINGS];	/* by context */
	struct tally *tally;	/* by ring, shared with the parent */
	struct grtrace_mock_fence recent[GRTRACE_MOCK_MAX_DEPS];
};

static void call(int fd, unsigned long request, void *arg, const char *what)
{
	int ret;

	do {
		ret = ioctl(fd, request, arg);
	} while (ret == -1 && (errno == EINTR || errno == EAGAIN));
	if (ret)
		die("cannot %s: %s", what,
		    errno == ENODEV ? "the device went away" : strerror(errno));
}

static void *get_memory(size_t n, size_t size)
{
	void *memory = calloc(n, size);

	if (!memory)
		die("no memory for %zu of %zu bytes", n, size);
	return memory;
}

/* Small and the same everywhere (splitmix64): a seed must mean one sequence. */
static __u64 random_next(__u64 *state)
{
	__u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static int open_device(void)
{
	int fd = opt.device ? open(opt.device, O_RDWR | O_CLOEXEC) : mock_open();

	if (fd < 0 && opt.device)
		die("cannot open %s: %s", opt.device, strerror(errno));
	if (fd < 0)
		die("no render node in /dev/dri belongs to %s: load the module, or be root",
		    GRTRACE_MOCK_NAME);
	if (!is_mock(fd))
		die("%s is not a device of %s", opt.device, GRTRACE_MOCK_NAME);
	return fd;
}

static void find_rings(void)
{
	struct grtrace_mock_info info = { .ring = 0 };
	int fd = open_device();

	do {
		call(fd, DRM_IOCTL_GRTRACE_MOCK_INFO, &info, "ask for a ring");
		memcpy(rings.names[info.ring], info.name, sizeof(info.name));
	} while (++info.ring < info.nr_rings);
	rings.nr = info.nr_rings;
	close(fd);
}

static void count(struct tally *tally, int error)
{
	if (!error)
		tally->completed++;
	else if (error == -ETIME)
		tally->timedout++;
	else
		tally->failed++;
}

static __u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* Prints a line for a job in one piece, even if others also print. */
static void print_times(unsigned int ring, const struct grtrace_mock_wait *wait)
{
	fprintf(times, "%s,%llu,%llu,%llu,%llu,%llu,%llu,%d\n", rings.names[ring],
		wait->fence.ctx, wait->fence.seqno, wait->begun_ns, wait->ended_ns, wait->done_ns,
		now_ns(), wait->error);
}

/* Waits for the jobs of a queue, in order, up to a seqno, and counts them. */
static void look_at(struct worker *w, struct queue *queue, struct tally *tally, __u64 limit)
{
	while (queue->seen < limit) {
		struct grtrace_mock_wait wait = {
			.fence = { .ctx = queue->fence_ctx, .seqno = queue->seen + 1 },
			.timeout_ns = -1,
		};

		call(w->fd, DRM_IOCTL_GRTRACE_MOCK_WAIT, &wait, "wait for a job");
		count(tally, wait.error);
		if (times)
			print_times(tally - w->tally, &wait);
		queue->seen++;
	}
}

/* With a seed, depends on a recent submission; without, on the one before this. */
static void add_dependency(struct worker *w, struct grtrace_mock_submit *submit)
{
	unsigned int known = w->turn < GRTRACE_MOCK_MAX_DEPS ? w->turn : GRTRACE_MOCK_MAX_DEPS;
	unsigned int back = 1;

	if (!known)
		return;
	if (opt.seed)
		back += random_next(&w->random) % known;
	submit->deps[0] = w->recent[(w->turn - back) % GRTRACE_MOCK_MAX_DEPS];
	submit->nr_deps = 1;
}

static __u32 flags_of(__u64 job)
{
	if (opt.hang_every && (job + 1) % opt.hang_every == 0)
		return GRTRACE_MOCK_JOB_HANG;
	if (opt.error_every && (job + 1) % opt.error_every == 0)
		return GRTRACE_MOCK_JOB_ERROR;
	return 0;
}

/* Returns how many jobs of a batch can be submitted at once: a special job comes by itself. */
static unsigned int alike(__u64 job, __u64 end)
{
	unsigned int n = 1;

	if (flags_of(job))
		return 1;
	while (job + n < end && (job + n) % opt.batch && !flags_of(job + n))
		n++;
	return n;
}

/* Batches use the rings in turn, then the contexts. */
static void submit(struct worker *w, __u64 job, unsigned int n)
{
	__u64 batch = job / opt.batch;
	unsigned int r = batch % rings.nr;
	unsigned int c = batch / rings.nr % opt.ctxs;
	struct queue *queue = &w->queues[c][r];
	__u64 unseen = n < opt.depth ? opt.depth - n : 0;
	struct grtrace_mock_submit submit = {
		.ctx = w->ctxs[c],
		.ring = r,
		.count = n,
		.flags = flags_of(job),
		.duration_ns = opt.duration_us * 1000,
	};

	if (opt.seed && submit.duration_ns)
		submit.duration_ns = submit.duration_ns / 2 +
				     random_next(&w->random) % submit.duration_ns;
	if (opt.depends)
		add_dependency(w, &submit);
	if (queue->last > queue->seen + unseen)
		look_at(w, queue, &w->tally[r], queue->last - unseen);
	call(w->fd, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &submit, "give a ring a job");
	if (submit.count < n)
		die("the kernel ran out of memory after %u of %u jobs", submit.count, n);
	queue->fence_ctx = submit.fence_ctx;
	queue->last = submit.last_seqno;
	w->tally[r].submitted += submit.count;
	w->recent[w->turn++ % GRTRACE_MOCK_MAX_DEPS] = (struct grtrace_mock_fence) {
		.ctx = submit.fence_ctx,
		.seqno = submit.last_seqno,
	};
}

static void destroy_ctxs(struct worker *w, __u32 flags)
{
	for (unsigned int c = 0; c < opt.ctxs; c++) {
		struct grtrace_mock_ctx_destroy destroy = { .ctx = w->ctxs[c], .flags = flags };

		call(w->fd, DRM_IOCTL_GRTRACE_MOCK_CTX_DESTROY, &destroy, "destroy a context");
	}
}

static void *work_thread(void *arg)
{
	struct worker *w = arg;
	unsigned int n;

	w->ctxs = get_memory(opt.ctxs, sizeof(*w->ctxs));
	w->queues = get_memory(opt.ctxs, sizeof(*w->queues));
	for (unsigned int c = 0; c < opt.ctxs; c++) {
		struct grtrace_mock_ctx_create create = { .flags = 0 };

		call(w->fd, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &create, "create a context");
		w->ctxs[c] = create.ctx;
	}
	for (__u64 done = 0; done < w->jobs; done += n) {
		n = alike(done, w->jobs);
		submit(w, done, n);
	}
	if (opt.kill)
		destroy_ctxs(w, GRTRACE_MOCK_CTX_KEEP);
	for (unsigned int c = 0; c < opt.ctxs; c++)
		for (unsigned int r = 0; r < rings.nr; r++)
			look_at(w, &w->queues[c][r], &w->tally[r], w->queues[c][r].last);
	destroy_ctxs(w, 0);
	return NULL;
}

/* One process: its own open file, which its threads share. */
static void work_process(unsigned int proc, struct tally (*tallies)[GRTRACE_MOCK_MAX_RINGS])
{
	__u64 workers = opt.procs * opt.threads;
	struct worker *w = get_memory(opt.threads, sizeof(*w));
	int fd = open_device();
	unsigned int t;

	for (t = 0; t < opt.threads; t++) {
		w[t].fd = fd;
		w[t].index = proc * opt.threads + t;
		w[t].jobs = opt.jobs / workers + (w[t].index < opt.jobs % workers);
		w[t].random = opt.seed + w[t].index;
		w[t].tally = tallies[w[t].index];
		if (pthread_create(&w[t].thread, NULL, work_thread, &w[t]))
			die("cannot start thread %u", t);
	}
	for (t = 0; t < opt.threads; t++)
		pthread_join(w[t].thread, NULL);
}

static int run(struct tally (*tallies)[GRTRACE_MOCK_MAX_RINGS])
{
	int ret = EXIT_SUCCESS, status;
	unsigned int p;

	fflush(NULL);
	for (p = 0; p < opt.procs; p++) {
		pid_t pid = fork();

		if (!pid) {
			work_process(p, tallies);
			_exit(EXIT_SUCCESS);
		}
		if (pid < 0)
			die("cannot start process %u: %s", p, strerror(errno));
	}
	while (wait(&status) > 0)
		if (status)
			ret = EXIT_FAILURE;
	return ret;
}

static void print_csv(const struct tally *sum)
{
	printf("ring,submitted,completed,failed,timedout\n");
	for (unsigned int r = 0; r < rings.nr; r++)
		printf("%s,%llu,%llu,%llu,%llu\n", rings.names[r], sum[r].submitted,
		       sum[r].completed, sum[r].failed, sum[r].timedout);
}

static void add_up(struct tally (*tallies)[GRTRACE_MOCK_MAX_RINGS], struct tally *sum)
{
	for (unsigned int w = 0; w < opt.procs * opt.threads; w++) {
		for (unsigned int r = 0; r < rings.nr; r++) {
			sum[r].submitted += tallies[w][r].submitted;
			sum[r].completed += tallies[w][r].completed;
			sum[r].failed += tallies[w][r].failed;
			sum[r].timedout += tallies[w][r].timedout;
		}
	}
}

static const char help[] =
"usage: mockload [options]\n"
"\n"
"Gives the mock GPU grtrace_mock work and prints, for each ring, how many jobs\n"
"were submitted, completed, failed (killed ones included) and timed out.\n"
"\n"
"  -D, --device PATH    render node (default: the first one of grtrace_mock)\n"
"      --jobs N         jobs in total, shared by all threads (default 100)\n"
"      --duration USEC  how long the hardware works on one (default 100)\n"
"      --ctxs N         contexts of each thread (default 1)\n"
"      --procs N        processes (default 1)\n"
"      --threads N      threads of each process, with one open file (default 1)\n"
"      --depends        each submission waits for an earlier one of its thread\n"
"      --batch N        jobs of one submission (default 1, at most 1024), except\n"
"                       that jobs with an error or a hang are submitted alone\n"
"      --depth N        jobs of a context that a ring has at once (default 1024)\n"
"      --error-every N  every Nth job of a thread ends with an error\n"
"      --hang-every N   every Nth job of a thread hangs until the ring is reset\n"
"      --kill           kill the contexts instead of waiting for their jobs\n"
"      --seed N         vary durations (half to one and a half) and dependencies,\n"
"                       always the same way for the same N (default 0: no)\n"
"      --times FILE     write the times of each job looked at, as CSV: what the\n"
"                       device read on its clock, and when the load saw it done\n"
"\n"
"Exit status: 0, 1 after an error, 2 for wrong usage. Failed and timed out jobs\n"
"are no error.\n";

/* Each option and where its value goes: a text, a number, or 1. */
static const struct {
	struct option option;
	const char **text;
	__u64 *number;
	__u64 min, max;
} table[] = {
	{ { "device", required_argument, NULL, 'D' }, &opt.device },
	{ { "times", required_argument }, &opt.times },
	{ { "depends", no_argument }, NULL, &opt.depends },
	{ { "kill", no_argument }, NULL, &opt.kill },
	{ { "jobs", required_argument }, NULL, &opt.jobs, 0, UINT32_MAX },
	{ { "duration", required_argument }, NULL, &opt.duration_us,
	  0, GRTRACE_MOCK_MAX_NS / 2000 },
	{ { "ctxs", required_argument }, NULL, &opt.ctxs, 1, GRTRACE_MOCK_MAX_CTXS },
	{ { "procs", required_argument }, NULL, &opt.procs, 1, 1024 },
	{ { "threads", required_argument }, NULL, &opt.threads, 1, 256 },
	{ { "batch", required_argument }, NULL, &opt.batch, 1, GRTRACE_MOCK_HISTORY },
	{ { "depth", required_argument }, NULL, &opt.depth, 1, GRTRACE_MOCK_HISTORY },
	{ { "error-every", required_argument }, NULL, &opt.error_every, 1, UINT32_MAX },
	{ { "hang-every", required_argument }, NULL, &opt.hang_every, 1, UINT32_MAX },
	{ { "seed", required_argument }, NULL, &opt.seed, 0, UINT64_MAX },
};

static __u64 number(const char *option, const char *text, __u64 min, __u64 max)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < min || value > max) {
		fprintf(stderr, "mockload: --%s takes one from %llu to %llu, not '%s'\n",
			option, min, max, text);
		exit(EXIT_USAGE);
	}
	return value;
}

static void parse(int argc, char **argv)
{
	struct option options[ARRAY_SIZE(table) + 1] = { };
	int c, i = 0;

	for (size_t k = 0; k < ARRAY_SIZE(table); k++)
		options[k] = table[k].option;
	while ((c = getopt_long(argc, argv, "D:", options, &i)) != -1 && c != '?') {
		if (c == 'D')
			opt.device = optarg;
		else if (table[i].text)
			*table[i].text = optarg;
		else
			*table[i].number = optarg ? number(options[i].name, optarg,
							   table[i].min, table[i].max) : 1;
	}
	if (c == -1 && optind == argc)
		return;
	fputs(help, stderr);
	exit(EXIT_USAGE);
}

/* Lines come from several processes: each is one write, at the end. */
static void open_times(void)
{
	times = fopen(opt.times, "w");
	if (times && fputs("ring,ctx,seqno,begun,ended,done,seen,error\n", times) != EOF)
		times = freopen(opt.times, "a", times);
	if (!times || setvbuf(times, NULL, _IOLBF, BUFSIZ))
		die("cannot write %s: %s", opt.times, strerror(errno));
}

int main(int argc, char **argv)
{
	struct tally sum[GRTRACE_MOCK_MAX_RINGS] = { };
	struct tally (*tallies)[GRTRACE_MOCK_MAX_RINGS];
	int ret;

	parse(argc, argv);
	find_rings();
	if (opt.times)
		open_times();
	tallies = mmap(NULL, opt.procs * opt.threads * sizeof(*tallies), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tallies == MAP_FAILED)
		die("no memory for %llu threads", opt.procs * opt.threads);
	ret = run(tallies);
	add_up(tallies, sum);
	print_csv(sum);
	return ret;
}
