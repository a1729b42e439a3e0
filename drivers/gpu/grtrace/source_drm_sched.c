// SPDX-License-Identifier: GPL-2.0
/*
 * Source: the DRM GPU scheduler, for every driver that uses it.
 *
 *	SUBMIT    drm_sched_job_queue
 *	DEP       drm_sched_job_add_dep
 *	BLOCKED   drm_sched_job_unschedulable
 *	PICK      drm_sched_job_run
 *	COMMIT    drm_sched_job_hw_fence
 *	END       drm_sched_job_done
 *	COMPLETE  dma_fence_signaled of the finished fence
 *	ERROR     drm_sched_job_timedout, drm_sched_job_kill
 *
 * COMPLETE comes from the finished fence, because drm_sched_job_done is not
 * called for killed, cancelled and poisoned jobs.
 *
 * On kernels without our tracepoints the existing ones are found by name.
 * COMMIT is then dma_fence_signaled of the scheduled fence: the scheduler
 * signals it right after run_job() returned, with the hardware fence already
 * set as its parent. There is no ERROR on such kernels.
 *
 * drm_sched_fini ends the ring of its scheduler. Kernels without this event need no
 * other: all hooks look up the scheduler's address, but dereference it only where a
 * job that the scheduler owns proves that it exists.
 */
#include <linux/array_size.h>
#include <linux/ctype.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/err.h>
#include <linux/grtrace.h>
#include <linux/module.h>
#include <linux/string.h>

#include <drm/gpu_scheduler.h>

#ifdef GRTRACE_COMPAT
#include <linux/xarray.h>
#endif

#ifndef GRTRACE_EXTERNAL
#include <trace/events/dma_fence.h>
#include "../drm/scheduler/gpu_scheduler_trace.h"
#endif

/* Kernels until 6.16 do not store the submitter of a job. */
#ifndef GRTRACE_COMPAT
#define SCHED_HAS_CLIENT
#elif defined(GRTRACE_EXTERNAL)
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define SCHED_HAS_CLIENT
#endif
#endif

/*
 * Drivers do not describe the purpose of a ring, but its name shows it. A reader could
 * look at names as well, but filter_engine_mask needs the class when an event comes. For
 * other names a driver's own source may know it, see grtrace_ring_classify().
 */
static const struct {
	const char *prefix;
	enum grtrace_engine_class engine_class;
} sched_classes[] = {
	{ "gfx",	GRTRACE_CLASS_RENDER },		/* amdgpu */
	{ "comp",	GRTRACE_CLASS_COMPUTE },
	{ "sdma",	GRTRACE_CLASS_COPY },
	{ "uvd_enc",	GRTRACE_CLASS_VIDEO_ENCODE },
	{ "uvd",	GRTRACE_CLASS_VIDEO_DECODE },
	{ "vce",	GRTRACE_CLASS_VIDEO_ENCODE },
	{ "vcn_enc",	GRTRACE_CLASS_VIDEO_ENCODE },
	{ "vcn_dec",	GRTRACE_CLASS_VIDEO_DECODE },
	{ "vcn_unified", GRTRACE_CLASS_VIDEO_DECODE },
	{ "jpeg",	GRTRACE_CLASS_VIDEO_DECODE },
	{ "rcs",	GRTRACE_CLASS_RENDER },		/* xe */
	{ "ccs",	GRTRACE_CLASS_COMPUTE },
	{ "bcs",	GRTRACE_CLASS_COPY },
	{ "vecs",	GRTRACE_CLASS_VIDEO_ENCODE },
	{ "vcs",	GRTRACE_CLASS_VIDEO_DECODE },
	{ "v3d_bin",	GRTRACE_CLASS_RENDER },		/* v3d */
	{ "v3d_render",	GRTRACE_CLASS_RENDER },
	{ "v3d_csd",	GRTRACE_CLASS_COMPUTE },
	{ "v3d_tfu",	GRTRACE_CLASS_COPY },
	{ "pan_js",	GRTRACE_CLASS_RENDER },		/* panfrost */
	{ "gp",		GRTRACE_CLASS_RENDER },		/* lima */
	{ "pp",		GRTRACE_CLASS_RENDER },
};

static enum grtrace_engine_class sched_class(const char *name)
{
	size_t i, length;

	for (i = 0; name && i < ARRAY_SIZE(sched_classes); i++) {
		length = str_has_prefix(name, sched_classes[i].prefix);
		/* Only whole words match: "gp" must not match "gpu". */
		if (length && !isalpha(name[length]))
			return sched_classes[i].engine_class;
	}
	return GRTRACE_CLASS_UNKNOWN;
}

/*
 * Most drivers have a scheduler for each queue of the hardware, which needs no flag.
 * Others have one for each queue of user space, and the firmware decides which of
 * them the hardware works on. A scheduler of VM_BIND has jobs that change page tables.
 */
static const struct {
	const char *name;
	u32 flags;
} sched_kinds[] = {
	{ "panthor-queue",	GRTRACE_RING_SHARED },
	{ "panthor-vm-bind",	GRTRACE_RING_CPU },
	{ "msm-vm-bind",	GRTRACE_RING_CPU },
	{ "pvr-queue",		GRTRACE_RING_SHARED },	/* imagination */
	{ "amdxdna_js",		GRTRACE_RING_SHARED },
	{ "v3d_cpu",		GRTRACE_RING_CPU },
};

/*
 * Two drivers give both of their kinds the same name: the scheduler of xe whose jobs
 * invalidate TLBs has no timeout, not even a function for one, and that of nouveau's
 * VM_BIND has room for one job.
 */
static u32 sched_flags(const struct drm_gpu_scheduler *sched)
{
	const char *driver = sched->dev ? dev_driver_string(sched->dev) : "";
	const char *name = sched->name ?: "";
	size_t i;

	if (!strcmp(driver, "xe"))
		return sched->ops->timedout_job ? GRTRACE_RING_SHARED :
						  GRTRACE_RING_CPU;
	if (!strcmp(name, "nouveau_sched"))
		return sched->credit_limit > 1 ? GRTRACE_RING_SHARED :
						 GRTRACE_RING_CPU;
	for (i = 0; i < ARRAY_SIZE(sched_kinds); i++)
		if (str_has_prefix(name, sched_kinds[i].name))
			return sched_kinds[i].flags;
	return 0;
}

/* Returns the ring of a job, which proves that its scheduler exists. */
static struct grtrace_ring *sched_ring(const struct drm_sched_job *sjob)
{
	const struct drm_gpu_scheduler *sched = sjob->sched;
	u64 ctx = sjob->s_fence->finished.context;

	return grtrace_ring_known(sched, ctx) ?:
	       grtrace_ring_submit(sched, ctx, &(struct grtrace_ring_desc) {
			.dev = sched->dev,
			.name = sched->name,
			.engine_class = sched_class(sched->name),
			.flags = sched_flags(sched),
			.timeout_ms = grtrace_ring_timeout(sched->timeout),
	       });
}

static struct grtrace_job sched_job(const struct drm_sched_fence *s_fence)
{
	return grtrace_job_of(&s_fence->finished, NULL);
}

/*
 * If a job depends on a job of the same scheduler, @fence is that job's
 * scheduled fence, but readers know a job by its finished fence. For the fence of
 * another driver the record is preceded by the driver's name.
 */
static void sched_dep(enum grtrace_rec_type type,
		      const struct drm_sched_job *sjob, struct dma_fence *fence)
{
	struct drm_sched_fence *s_fence = to_drm_sched_fence(fence);
	struct grtrace_job job;

	if (!s_fence && !grtrace_fence_source(fence))
		grtrace_fence_name(type, fence);
	job = grtrace_job_of(&sjob->s_fence->finished,
			     s_fence ? &s_fence->finished : fence);
	grtrace_job_fence(type, sched_ring(sjob), &job);
}

static u64 sched_client(const struct drm_sched_fence *s_fence)
{
#ifdef SCHED_HAS_CLIENT
	return s_fence->drm_client_id;
#else
	return 0;
#endif
}

static void probe_job_queue(void *data, struct drm_sched_job *sjob,
			    struct drm_sched_entity *entity)
{
	struct grtrace_job job = sched_job(sjob->s_fence);

	/* Another task may change the priority of the entity's later jobs. */
	job.arg = READ_ONCE(entity->priority) + 1;
	grtrace_submit(sched_ring(sjob), &job, sched_client(sjob->s_fence));
}

#ifdef GRTRACE_COMPAT

/*
 * 6.12 has no event when a dependency is added. At SUBMIT only the submitter
 * has the job, so the dependencies can be read from it.
 */
static void probe_job_queue_6_12(void *data, struct drm_sched_job *sjob,
				 struct drm_sched_entity *entity)
{
	struct dma_fence *fence;
	unsigned long index;

	probe_job_queue(data, sjob, entity);
	xa_for_each(&sjob->dependencies, index, fence)
		sched_dep(GRTRACE_DEP, sjob, fence);
}

#endif

#if defined(GRTRACE_EXTERNAL) || !defined(GRTRACE_COMPAT)

static void probe_job_add_dep(void *data, struct drm_sched_job *sjob,
			      struct dma_fence *fence)
{
	sched_dep(GRTRACE_DEP, sjob, fence);
}

static void probe_job_unschedulable(void *data, struct drm_sched_job *sjob,
				    struct dma_fence *fence)
{
	sched_dep(GRTRACE_BLOCKED, sjob, fence);
}

#endif

#ifdef GRTRACE_COMPAT

/* 6.12 reports every fence that it checks; only unsignalled ones block. */
static void probe_job_wait_dep(void *data, struct drm_sched_job *sjob,
			       struct dma_fence *fence)
{
	if (!test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags))
		sched_dep(GRTRACE_BLOCKED, sjob, fence);
}

#endif

static void probe_job_run(void *data, struct drm_sched_job *sjob,
			  struct drm_sched_entity *entity)
{
	struct grtrace_job job = sched_job(sjob->s_fence);

	job.arg = min_t(u32, sjob->credits, U16_MAX);
	grtrace_job(GRTRACE_PICK, sched_ring(sjob), &job);
}

#ifndef GRTRACE_EXTERNAL

/* A job without a hardware fence was not given to the hardware. */
static void probe_job_hw_fence(void *data, struct drm_sched_job *sjob,
			       struct dma_fence *hw_fence)
{
	struct grtrace_job job;

	if (IS_ERR_OR_NULL(hw_fence))
		return;
	job = grtrace_job_of(&sjob->s_fence->finished, hw_fence);
	grtrace_job_fence(GRTRACE_COMMIT, sched_ring(sjob), &job);
}

static void probe_job_timedout(void *data, struct drm_sched_job *sjob)
{
	const struct grtrace_job job = sched_job(sjob->s_fence);

	grtrace_error(sched_ring(sjob), &job, GRTRACE_ERROR_TIMEOUT, -ETIME);
}

static void probe_job_kill(void *data, struct drm_sched_job *sjob)
{
	const struct grtrace_job job = sched_job(sjob->s_fence);

	grtrace_error(sched_ring(sjob), &job, GRTRACE_ERROR_KILL, -ESRCH);
}

/* The last event of a scheduler, whose address may be another's from now on. */
static void probe_fini(void *data, struct drm_gpu_scheduler *sched)
{
	grtrace_ring_retire(sched);
}

#endif

static void probe_job_done(void *data, struct drm_sched_fence *s_fence)
{
	const struct grtrace_job job = sched_job(s_fence);

	grtrace_job(GRTRACE_END, grtrace_ring_find(s_fence->sched), &job);
}

#ifdef GRTRACE_EXTERNAL

static void sched_scheduled(const struct drm_sched_fence *s_fence)
{
	/* If run_job() returned a fence, this same thread has set @parent. */
	const struct dma_fence *hw_fence = READ_ONCE(s_fence->parent);
	struct grtrace_job job;

	if (!hw_fence)
		return;
	job = grtrace_job_of(&s_fence->finished, hw_fence);
	grtrace_job_fence(GRTRACE_COMMIT, grtrace_ring_find(s_fence->sched),
			  &job);
}

#endif

static void sched_finished(const struct drm_sched_fence *s_fence)
{
	struct grtrace_job job = sched_job(s_fence);

	job.arg = s_fence->finished.error;
	grtrace_job(GRTRACE_COMPLETE, grtrace_ring_find(s_fence->sched), &job);
}

/* The fence's lock is held: only its fields may be read. */
static void probe_fence_signaled(void *data, struct dma_fence *fence)
{
	struct drm_sched_fence *s_fence = to_drm_sched_fence(fence);

	if (!s_fence)
		return;
	if (fence == &s_fence->finished)
		sched_finished(s_fence);
#ifdef GRTRACE_EXTERNAL
	else
		sched_scheduled(s_fence);
#endif
}

#ifdef GRTRACE_EXTERNAL

/*
 * The prototypes are those of drivers/gpu/drm/scheduler/gpu_scheduler_trace.h,
 * which renamed its events in 6.17.
 */
#define SCHED_OLD(event, probe)						\
	GRTRACE_PROBE_IN(event, probe, KERNEL_VERSION(6, 12, 0),	\
			 KERNEL_VERSION(6, 17, 0))
#define SCHED_NEW(event, probe)						\
	GRTRACE_PROBE_IN(event, probe, KERNEL_VERSION(6, 17, 0),	\
			 KERNEL_VERSION(7, 4, 0))

static struct grtrace_probe sched_probes[] = {
	SCHED_OLD(drm_sched_job, probe_job_queue_6_12),
	SCHED_OLD(drm_sched_job_wait_dep, probe_job_wait_dep),
	SCHED_OLD(drm_run_job, probe_job_run),
	SCHED_OLD(drm_sched_process_job, probe_job_done),
	SCHED_NEW(drm_sched_job_queue, probe_job_queue),
	SCHED_NEW(drm_sched_job_add_dep, probe_job_add_dep),
	SCHED_NEW(drm_sched_job_unschedulable, probe_job_unschedulable),
	SCHED_NEW(drm_sched_job_run, probe_job_run),
	SCHED_NEW(drm_sched_job_done, probe_job_done),
	GRTRACE_PROBE(dma_fence_signaled, probe_fence_signaled),
};

#else

static struct grtrace_probe sched_probes[] = {
#ifdef GRTRACE_COMPAT
	GRTRACE_PROBE(drm_sched_job, probe_job_queue_6_12),
	GRTRACE_PROBE(drm_sched_job_wait_dep, probe_job_wait_dep),
	GRTRACE_PROBE(drm_run_job, probe_job_run),
	GRTRACE_PROBE(drm_sched_process_job, probe_job_done),
#else
	GRTRACE_PROBE(drm_sched_job_queue, probe_job_queue),
	GRTRACE_PROBE(drm_sched_job_add_dep, probe_job_add_dep),
	GRTRACE_PROBE(drm_sched_job_unschedulable, probe_job_unschedulable),
	GRTRACE_PROBE(drm_sched_job_run, probe_job_run),
	GRTRACE_PROBE(drm_sched_job_done, probe_job_done),
#endif
	GRTRACE_PROBE(drm_sched_job_hw_fence, probe_job_hw_fence),
	GRTRACE_PROBE(drm_sched_job_timedout, probe_job_timedout),
	GRTRACE_PROBE(drm_sched_job_kill, probe_job_kill),
	GRTRACE_PROBE(drm_sched_fini, probe_fini),
	GRTRACE_PROBE(dma_fence_signaled, probe_fence_signaled),
};

#endif

#ifdef GRTRACE_EXTERNAL
module_grtrace_source(sched_source, "drm_sched", sched_probes,
		      .owner = "gpu_sched");
#else
module_grtrace_source(sched_source, "drm_sched", sched_probes);
#endif

MODULE_DESCRIPTION("grtrace source: the DRM GPU scheduler");
MODULE_LICENSE("GPL");

#ifndef GRTRACE_COMPAT
#if IS_ENABLED(CONFIG_GRTRACE_KUNIT_TEST)
#include "tests/source_drm_sched_test.c"
#endif
#endif
