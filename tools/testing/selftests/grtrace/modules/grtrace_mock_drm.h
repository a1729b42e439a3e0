/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The private ioctls of grtrace_mock, the mock GPU.
 *
 * For tests only: the test programs include this file by a relative path, it
 * is not installed, and it changes whenever the tests need it.
 *
 * Errors: -EINVAL for a bad argument or a reserved field that is not 0, -ENOENT
 * for an unknown context or sync object, -ENODEV once the device is unbound.
 */
#ifndef _GRTRACE_MOCK_DRM_H_
#define _GRTRACE_MOCK_DRM_H_

#include <linux/ioctl.h>
#include <linux/types.h>

/* Name of the DRM driver, as DRM_IOCTL_VERSION returns it. */
#define GRTRACE_MOCK_NAME	"grtrace_mock"

#define GRTRACE_MOCK_NAME_LEN	32	/* with the terminating NUL */
#define GRTRACE_MOCK_MAX_RINGS	16
#define GRTRACE_MOCK_MAX_CTXS	4096	/* contexts of one file */
#define GRTRACE_MOCK_MAX_DEPS	8	/* dependencies of one SUBMIT */
#define GRTRACE_MOCK_MAX_ANY	8	/* jobs of one WAIT_ANY */
#define GRTRACE_MOCK_MAX_COUNT	16384	/* jobs of one SUBMIT */
#define GRTRACE_MOCK_MAX_NS	60000000000ull /* duration of a job */
#define GRTRACE_MOCK_HISTORY	1024	/* fences kept for a context and ring */

/**
 * struct grtrace_mock_ctx_create - CTX_CREATE, a new context
 *
 * A context has one queue of jobs for each ring. Jobs of one queue run in the
 * order they were submitted in, different queues are independent.
 *
 * @ctx: out: its handle, never 0
 * @flags: 0
 */
struct grtrace_mock_ctx_create {
	__u32 ctx;
	__u32 flags;
};

/* The context's handle and the fences of its jobs stay until CTX_DESTROY. */
#define GRTRACE_MOCK_CTX_KEEP	0x1u

/**
 * struct grtrace_mock_ctx_destroy - CTX_DESTROY, the end of a context
 *
 * Jobs that no ring has taken yet are killed: their fences get -ESRCH. Those on
 * a ring run to their end.
 *
 * @ctx: its handle
 * @flags: %GRTRACE_MOCK_CTX_KEEP, to see later what became of the jobs; SUBMIT
 *	fails with -ECANCELED from then on
 */
struct grtrace_mock_ctx_destroy {
	__u32 ctx;
	__u32 flags;
};

/**
 * struct grtrace_mock_fence - a job, by its finished fence
 *
 * @ctx: fence context, one for each context and ring
 * @seqno: seqno, counts from 1
 */
struct grtrace_mock_fence {
	__u64 ctx;
	__u64 seqno;
};

#define GRTRACE_MOCK_JOB_ERROR	0x1u /* the hardware reports -EIO */
#define GRTRACE_MOCK_JOB_HANG	0x2u /* never ends: reset after a timeout */

/**
 * struct grtrace_mock_submit - SUBMIT, one job or many of a kind
 *
 * @ctx: the context
 * @ring: index of the ring
 * @count: in: jobs, 1 to %GRTRACE_MOCK_MAX_COUNT; out: jobs submitted, fewer
 *	only where memory ran out
 * @flags: GRTRACE_MOCK_JOB_*, for each of the jobs
 * @duration_ns: how long the hardware works on each
 * @nr_deps: number of @deps
 * @syncobj: handle of the sync object that is signaled when the last job is
 *	done, or 0
 * @deps: what the first job waits for: earlier jobs of the same file
 * @fence_ctx: out: fence context of the jobs
 * @first_seqno: out: seqno of the first one
 * @last_seqno: out: seqno of the last one
 */
struct grtrace_mock_submit {
	__u32 ctx;
	__u32 ring;
	__u32 count;
	__u32 flags;
	__u64 duration_ns;
	__u32 nr_deps;
	__u32 syncobj;
	struct grtrace_mock_fence deps[GRTRACE_MOCK_MAX_DEPS];
	__u64 fence_ctx;
	__u64 first_seqno;
	__u64 last_seqno;
};

/* The fence is no longer kept: the job is done, its result is not known. */
#define GRTRACE_MOCK_WAIT_RETIRED	0x1u

/**
 * struct grtrace_mock_wait - WAIT, until a job is done
 *
 * Fails with -ETIME when the time is over first.
 *
 * Times are of CLOCK_MONOTONIC, 0 where it did not come to that or the fence is
 * no longer kept. They were read just before a trace can have recorded it.
 *
 * @fence: the job
 * @timeout_ns: how long to wait, negative: for ever; out, after a signal: the
 *	time left
 * @begun_ns: out: the hardware began with it
 * @ended_ns: out: its hardware fence was signalled
 * @done_ns: out: its finished fence was signalled
 * @error: out: 0, or the job's -errno: -EIO where asked for, -ETIME after a
 *	timeout, -ESRCH for a killed job, -ENODEV when the device went away
 * @flags: out: %GRTRACE_MOCK_WAIT_RETIRED
 */
struct grtrace_mock_wait {
	struct grtrace_mock_fence fence;
	__s64 timeout_ns;
	__u64 begun_ns;
	__u64 ended_ns;
	__u64 done_ns;
	__s32 error;
	__u32 flags;
};

/**
 * struct grtrace_mock_wait_any - WAIT_ANY, until one of several jobs is done
 *
 * Fails with -ETIME when the time is over first.
 *
 * @fences: the jobs
 * @timeout_ns: how long to wait, negative: for ever; out, after a signal: the
 *	time left
 * @nr_fences: number of @fences, at least 1
 * @first: out: index of one that is done
 */
struct grtrace_mock_wait_any {
	struct grtrace_mock_fence fences[GRTRACE_MOCK_MAX_ANY];
	__s64 timeout_ns;
	__u32 nr_fences;
	__u32 first;
};

/**
 * struct grtrace_mock_info - INFO, what a ring is and did
 *
 * Once all jobs are done and freed, submitted = completed + failed + timedout +
 * killed. @killed is counted when the job is freed, which may be a moment after
 * a WAIT for it returns; the others before.
 *
 * @ring: in: index of the ring
 * @nr_rings: out: number of rings
 * @engine_class: out: &enum grtrace_engine_class
 * @reserved: 0
 * @name: out: its name
 * @submitted: out: jobs pushed to the scheduler
 * @completed: out: jobs that ended without an error
 * @failed: out: jobs that ended with one (-EIO, -ENODEV)
 * @timedout: out: jobs that a reset ended (-ETIME)
 * @killed: out: jobs that never reached the ring (-ESRCH)
 */
struct grtrace_mock_info {
	__u32 ring;
	__u32 nr_rings;
	__u32 engine_class;
	__u32 reserved;
	char name[GRTRACE_MOCK_NAME_LEN];
	__u64 submitted;
	__u64 completed;
	__u64 failed;
	__u64 timedout;
	__u64 killed;
};

/*
 * Spelled out, so that no DRM header is needed: 'd' is DRM_IOCTL_BASE, 0x40 is
 * DRM_COMMAND_BASE. The driver asserts it.
 */
#define GRTRACE_MOCK_IOWR(nr, type)	_IOWR('d', 0x40 + (nr), type)

#define DRM_GRTRACE_MOCK_CTX_CREATE	0x00
#define DRM_GRTRACE_MOCK_CTX_DESTROY	0x01
#define DRM_GRTRACE_MOCK_SUBMIT		0x02
#define DRM_GRTRACE_MOCK_WAIT		0x03
#define DRM_GRTRACE_MOCK_INFO		0x04
#define DRM_GRTRACE_MOCK_WAIT_ANY	0x05

#define DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE \
	GRTRACE_MOCK_IOWR(DRM_GRTRACE_MOCK_CTX_CREATE, struct grtrace_mock_ctx_create)
#define DRM_IOCTL_GRTRACE_MOCK_CTX_DESTROY \
	GRTRACE_MOCK_IOWR(DRM_GRTRACE_MOCK_CTX_DESTROY, struct grtrace_mock_ctx_destroy)
#define DRM_IOCTL_GRTRACE_MOCK_SUBMIT \
	GRTRACE_MOCK_IOWR(DRM_GRTRACE_MOCK_SUBMIT, struct grtrace_mock_submit)
#define DRM_IOCTL_GRTRACE_MOCK_WAIT \
	GRTRACE_MOCK_IOWR(DRM_GRTRACE_MOCK_WAIT, struct grtrace_mock_wait)
#define DRM_IOCTL_GRTRACE_MOCK_INFO \
	GRTRACE_MOCK_IOWR(DRM_GRTRACE_MOCK_INFO, struct grtrace_mock_info)
#define DRM_IOCTL_GRTRACE_MOCK_WAIT_ANY \
	GRTRACE_MOCK_IOWR(DRM_GRTRACE_MOCK_WAIT_ANY, struct grtrace_mock_wait_any)

#endif /* _GRTRACE_MOCK_DRM_H_ */
