/* SPDX-License-Identifier: GPL-2.0 */
/* Requests for memory that fail, one after the other, for an operation of a test. */
#ifndef GRTRACE_FAULTS_H
#define GRTRACE_FAULTS_H

#include <sys/mman.h>
#include <time.h>

#include "grtrace_files.h"

#define FAIL_NTH	"/proc/thread-self/fail-nth"
#define FAIL_ALL	"/proc/thread-self/make-it-fail"
#define DEBUG_DIR	"/sys/kernel/debug/"
#define NTH_MAX		20000	/* more than any operation needs */

/* Two pages on each CPU: the code is the same as for more. */
#define SMALL	"mode=overwrite subbuf_size=4096 n_subbufs=2"

/* The result of one operation under faults. */
struct faults {
	unsigned int injected;	/* faults that hit */
	unsigned int failed;	/* faults that made the operation fail */
	const char *fault;	/* what was wrong then, NULL if nothing */
	int nth;		/* at which fault */
	int ret;		/* and with which -errno */
};

/* An operation, and the conditions that must hold around it. */
struct operation {
	int (*act)(const void *arg);		/* 0 or -errno */
	const char *(*after_failure)(const void *arg);
	const char *(*after_success)(const void *arg);	/* also undoes it */
	const void *arg;
	bool harmless;		/* any fault may be harmless; otherwise some must be errors */
};

static inline const char *still_runs(const void *arg)
{
	return session_is("running\n") ? NULL : "the session does not run on";
}

static inline int write_path(const char *path, const char *text)
{
	return path_write(path, text, strlen(text));
}

/*
 * Allocations that may sleep fail as well, without a stack trace in the log; all of
 * them in a task that is marked.
 */
static inline bool faults_allowed(void)
{
	static const char * const settings[][2] = {
		{ "failslab/ignore-gfp-wait", "N" }, { "failslab/verbose", "0" },
		{ "failslab/task-filter", "Y" }, { "failslab/probability", "100" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/ignore-gfp-highmem", "N" },
		{ "fail_page_alloc/min-order", "0" }, { "fail_page_alloc/verbose", "0" },
		{ "fail_page_alloc/task-filter", "Y" },
		{ "fail_page_alloc/probability", "100" },
	};
	char path[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(settings); i++) {
		snprintf(path, sizeof(path), DEBUG_DIR "%s", settings[i][0]);
		if (write_path(path, settings[i][1]))
			return false;
	}
	return !access(FAIL_NTH, W_OK) && !access(FAIL_ALL, W_OK);
}

static inline unsigned int number_of(const char *variable, unsigned int otherwise)
{
	const char *value = getenv(variable);
	unsigned int n = value ? strtoul(value, NULL, 10) : 0;

	return n ?: otherwise;
}

static inline unsigned int fault_step(void)
{
	return number_of("GRTRACE_FAULT_STEP", 1);
}

static inline unsigned int fault_first(void)
{
	return number_of("GRTRACE_FAULT_FIRST", time(NULL) / (24 * 60 * 60) % fault_step() + 1);
}

/*
 * The requests that fail after the fault: none, the next, or all. The fault is one of the times of
 * its kind, slab or pages.
 */
static const struct {
	const char *times;
	const char *what;
} faults_after[] = {
	{ NULL, "" }, { "2", " and the next" }, { "-1", " and all after it" },
};

/*
 * Sets the fault and what fails after it, and does it; *hit says whether it was
 * reached. To say what is left asks for the kernel's help as well, so that the
 * fault may hit this.
 */
static inline int act_with_fault(const struct operation *op, int nth, const char *times,
				 bool *hit)
{
	char text[16] = "";
	int fd = open(FAIL_NTH, O_RDWR | O_CLOEXEC), marked = open(FAIL_ALL, O_WRONLY | O_CLOEXEC);
	int length = snprintf(text, sizeof(text), "%d", nth);
	ssize_t left;
	int ret;

	*hit = false;
	if (times && (write_path(DEBUG_DIR "failslab/times", times) ||
		      write_path(DEBUG_DIR "fail_page_alloc/times", times)))
		return -EIO;
	if (fd < 0 || marked < 0 || write(marked, times ? "1" : "0", 1) != 1 ||
	    write(fd, text, length) != length)
		return -EIO;
	ret = op->act(op->arg);
	if (pwrite(marked, "0", 1, 0) != 1 && pwrite(marked, "0", 1, 0) != 1)
		ret = -EIO;
	memset(text, 0, sizeof(text));
	left = pread(fd, text, sizeof(text) - 1, 0);
	*hit = left > 0 && atoi(text) == 0;
	/* the fault may also hit this write, once */
	if (pwrite(fd, "0", 1, 0) != 1 && pwrite(fd, "0", 1, 0) != 1)
		ret = -EIO;
	close(marked);
	close(fd);
	return ret;
}

/* Returns what was wrong after an attempt with a fault, or NULL. */
static const char *fault_after(const struct operation *op, bool hit, struct faults *faults)
{
	if (faults->ret < 0) {
		const char *fault = op->after_failure(op->arg);

		if (!hit)
			return "it failed without a fault";
		if (fault)
			return fault;
		faults->failed++;
		faults->ret = op->act(op->arg);
		if (faults->ret < 0)
			return "the next attempt failed";
	}
	return op->after_success(op->arg);
}

/* Injects each fault in turn, until the operation meets no further one. */
static inline struct faults inject(const struct operation *op, const char *times)
{
	struct faults faults = { .nth = fault_first() };
	bool hit = true;

	/* or a page fault of this program would be tried again for ever */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		faults.fault = "the program cannot be kept in memory";
	while (!faults.fault && hit && faults.nth <= NTH_MAX) {
		faults.ret = act_with_fault(op, faults.nth, times, &hit);
		faults.injected += hit;
		faults.fault = fault_after(op, hit, &faults);
		if (faults.fault)
			return faults;
		faults.nth += fault_step();
	}
	if (!faults.fault && hit)
		faults.fault = "it does not end";
	return faults;
}

#define EXPECT_SURVIVED(op) do {					\
	const struct operation *tried = (op);				\
	size_t after;							\
									\
	for (after = 0; after < ARRAY_SIZE(faults_after); after++) {	\
		struct faults f = inject(tried, faults_after[after].times); \
									\
		TH_LOG("GRTRACE_FAULT_FIRST=%u, each %u%s: %u faults hit, %u of them an error", \
		       fault_first(), fault_step(),			\
		       faults_after[after].what, f.injected,		\
		       f.failed);					\
		EXPECT_EQ(NULL, f.fault)				\
			TH_LOG("%s, at fault %d (%d)", f.fault, f.nth,	\
			       f.ret);					\
		EXPECT_TRUE(f.injected || fault_step() > 1);		\
		EXPECT_TRUE(tried->harmless || f.failed || fault_step() > 1); \
	}								\
} while (0)

#endif /* GRTRACE_FAULTS_H */
