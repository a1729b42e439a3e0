/* SPDX-License-Identifier: GPL-2.0 */
/*
 * grtrace_mock: a mock GPU on the real DRM scheduler.
 *
 *   mock_drv.c     module, platform device, DRM device, teardown
 *   mock_file.c    an open file: contexts and fences
 *   mock_ioctl.c   its ioctls
 *   mock_sched.c   the scheduler's callbacks: run, time out, free
 *   mock_engine.c  the mock hardware: a ring, a timer, an interrupt
 *
 * It knows nothing of grtrace's core: what it uses of it, linux/grtrace.h, any
 * driver can use.
 */
#ifndef _GRTRACE_MOCK_H_
#define _GRTRACE_MOCK_H_

#include <linux/completion.h>
#include <linux/dma-fence.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>

#include <drm/drm_device.h>
#include <drm/drm_ioctl.h>
#include <drm/gpu_scheduler.h>

#include <linux/grtrace.h>

#include "grtrace_mock_drm.h"

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

/**
 * enum mock_ring_state - what the mock hardware of a ring does
 *
 * @MOCK_RING_RUNNING: takes jobs and works on them
 * @MOCK_RING_HALTED: takes jobs, works on none: a reset is under way
 * @MOCK_RING_DEAD: takes none, for ever
 */
enum mock_ring_state {
	MOCK_RING_RUNNING,
	MOCK_RING_HALTED,
	MOCK_RING_DEAD,
};

/**
 * struct mock_ring - a ring: a scheduler, and the hardware below it
 *
 * @sched: its scheduler; the address is the ring's key in grtrace
 * @mdev: its device
 * @engine_class: kind of work it does
 * @name: its name
 * @lock: protects the fields up to @seqno; taken in hardirq context
 * @state: &enum mock_ring_state
 * @jobs: jobs the hardware was given and has not ended, oldest first
 * @running: the first of them when the hardware works on it, else NULL
 * @signalling: a job has ended, and its fence is about to be signalled
 * @ends: when it will be done with it, unless that one hangs
 * @seqno: seqno of the newest hardware fence
 * @fence_ctx: context of the hardware fences
 * @timer: fires at @ends
 * @rest_lock: held while @sched is stopped
 * @submitted: jobs pushed to @sched
 * @completed: jobs that ended without an error
 * @failed: jobs that ended with one
 * @timedout: jobs that a reset ended
 * @killed: jobs that never reached the hardware
 */
struct mock_ring {
	struct drm_gpu_scheduler sched;
	struct mock_device *mdev;
	enum grtrace_engine_class engine_class;
	char name[GRTRACE_MOCK_NAME_LEN];

	spinlock_t lock;	/* the hardware's state, up to @seqno */
	enum mock_ring_state state;
	struct list_head jobs;
	struct mock_job *running;
	bool signalling;
	ktime_t ends;
	u64 seqno;

	u64 fence_ctx;
	struct hrtimer timer;
	struct mutex rest_lock;	/* @sched was stopped, and is started by the holder */

	atomic64_t submitted;
	atomic64_t completed;
	atomic64_t failed;
	atomic64_t timedout;
	atomic64_t killed;
};

/**
 * struct mock_device - a mock GPU
 *
 * @drm: DRM device; open files keep it, and so all of this, after unbinding
 * @reset_wq: ordered, so that one reset runs at a time; the schedulers'
 *	timeouts run here and can be waited for
 * @jobs: jobs not freed yet, and one for the bound driver
 * @jobs_freed: @jobs is 0
 * @files_lock: protects @files
 * @files: open files, for killing their jobs when the device goes
 * @nr_rings: number of @rings
 * @rings: the rings
 */
struct mock_device {
	struct drm_device drm;
	struct workqueue_struct *reset_wq;
	refcount_t jobs;
	struct completion jobs_freed;
	struct mutex files_lock;	/* @files */
	struct list_head files;
	unsigned int nr_rings;
	struct mock_ring rings[GRTRACE_MOCK_MAX_RINGS];
};

/**
 * struct mock_fence - a hardware fence
 *
 * It lives longer than its job: waiters and the scheduler's fence have it. So
 * it has its own lock, and a copy of the name.
 *
 * @base: the fence
 * @lock: the lock of @base
 * @begun: when the hardware began with the job
 * @name: name of the ring
 */
struct mock_fence {
	struct dma_fence base;
	spinlock_t lock;	/* @base; its own, as it may be the last to go */
	ktime_t begun;
	char name[GRTRACE_MOCK_NAME_LEN];
};

/**
 * struct mock_job - a job
 *
 * @base: the scheduler's part
 * @link: in &mock_ring.jobs
 * @ring: its ring
 * @fence: hardware fence, initialized in run_job(), where allocating is not
 *	allowed
 * @duration_ns: how long the hardware works on it
 * @owner: the task that submitted it
 * @flags: GRTRACE_MOCK_JOB_*
 * @has_run: run_job() was called
 */
struct mock_job {
	struct drm_sched_job base;
	struct list_head link;
	struct mock_ring *ring;
	struct mock_fence *fence;
	u64 duration_ns;
	struct drm_wedge_task_info owner;
	u32 flags;
	bool has_run;
};

/**
 * struct mock_queue - the jobs of a context on a ring
 *
 * @ring: the ring
 * @entity: the scheduler's part
 * @rcu: for freeing
 * @alive: @entity takes jobs
 * @fence_ctx: context of the jobs' finished fences
 * @last: seqno of the newest job
 * @history: finished fences of the newest jobs, at seqno modulo its size
 */
struct mock_queue {
	struct mock_ring *ring;
	struct drm_sched_entity entity;
	struct rcu_head rcu;
	bool alive;
	u64 fence_ctx;
	u64 last;
	struct dma_fence *history[GRTRACE_MOCK_HISTORY];
};

/**
 * struct mock_ctx - a context
 *
 * @killed: it takes no more jobs
 * @queues: its queues by ring, NULL until used
 */
struct mock_ctx {
	bool killed;
	struct mock_queue *queues[GRTRACE_MOCK_MAX_RINGS];
};

/**
 * struct mock_file - an open file
 *
 * @node: in &mock_device.files
 * @lock: protects all below; nests in &mock_device.files_lock
 * @ctxs: contexts by handle
 * @queues: queues by fence context
 */
struct mock_file {
	struct list_head node;
	struct mutex lock;	/* all below, arming and pushing */
	struct xarray ctxs;
	struct xarray queues;
};

static inline struct mock_device *to_mock_device(struct drm_device *drm)
{
	return container_of(drm, struct mock_device, drm);
}

/**
 * mock_job_key - a job as grtrace's hooks take it
 * @job: the job, armed and not freed
 * @time: GRTRACE_TIME_*
 *
 * Return: ctx and seqno of its finished fence, and @time.
 */
static inline struct grtrace_job mock_job_key(const struct mock_job *job, u16 time)
{
	return (struct grtrace_job) {
		.ctx = job->base.s_fence->finished.context,
		.seqno = job->base.s_fence->finished.seqno,
		.time = time,
	};
}

extern const struct drm_ioctl_desc mock_ioctls[];
extern const unsigned int mock_nr_ioctls;

int mock_file_open(struct drm_device *drm, struct drm_file *drm_file);
void mock_file_close(struct drm_device *drm, struct drm_file *drm_file);
void mock_files_kill(struct mock_device *mdev);
void mock_ctx_kill(struct mock_ctx *ctx);
void mock_ctx_free(struct mock_file *file, struct mock_ctx *ctx);
struct mock_queue *mock_queue_get(struct mock_file *file, struct mock_ctx *ctx,
				  struct mock_ring *ring);
struct dma_fence *mock_fence_find(struct mock_file *file,
				  const struct grtrace_mock_fence *name, bool *retired);
void mock_fence_keep(struct mock_queue *queue, struct dma_fence *fence);

int mock_sched_init(struct mock_ring *ring, struct device *dev,
		    unsigned int credits, unsigned int timeout_ms);
struct mock_job *mock_job_new(struct mock_ring *ring, struct drm_sched_entity *entity,
			      const struct grtrace_mock_submit *args, u64 client_id);
void mock_job_free(struct mock_job *job);
void mock_job_push(struct mock_job *job);
struct grtrace_ring *mock_job_ring(const struct mock_job *job);

void mock_ring_init(struct mock_ring *ring);
struct dma_fence *mock_ring_queue(struct mock_ring *ring, struct mock_job *job);
void mock_ring_halt(struct mock_ring *ring);
bool mock_ring_abort(struct mock_ring *ring, struct mock_job *job);
void mock_ring_reattach(struct mock_ring *ring);
void mock_ring_resume(struct mock_ring *ring);
void mock_ring_die(struct mock_ring *ring);
void mock_ring_drain(struct mock_ring *ring);

#endif /* _GRTRACE_MOCK_H_ */
