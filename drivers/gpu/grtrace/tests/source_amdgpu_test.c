// SPDX-License-Identifier: GPL-2.0
/*
 * The amdgpu source, which includes this file: a ring, jobs, fences and user mode
 * queues that no device has, and what the driver would say of them.
 */
#include "source_case.h"

#define AMD_CTX		0x8800000000ull	/* of the device's first ring */
#define AMD_IDX		7		/* the ring's number */
#define AMD_RING_CTX	(AMD_CTX + AMD_IDX)
#define AMD_JOB_CTX	0x8800112233ull	/* of the scheduler's jobs */
#define AMD_QUEUE_CTX	(AMD_JOB_CTX + 0x100)
#define AMD_CLIENT	0x700000009ull
#define AMD_FENCES	4		/* places in the ring's table */

/* A ring of a device with its fences and a job, a user mode queue, and their ids. */
struct amd_case {
	struct source_case c;
	u32 ring_id;
	u32 device_id;
	u32 queue_id;
	struct amdgpu_device *adev;
	struct amdgpu_ring_funcs funcs;
	struct amdgpu_ring ring;
	struct dma_fence *table[AMD_FENCES];
	struct amdgpu_fence fence[AMD_FENCES];
	struct drm_sched_fence s_fence;
	struct amdgpu_job *job;
	struct amdgpu_userq_fence_driver fence_drv;
	struct amdgpu_userq_mgr queue_mgr;
	struct amdgpu_usermode_queue queue;
	struct amdgpu_userq_fence queue_fence;
};

/* A fence on the ring; @ctx: of its job, and @ib: it is that of the job's IBs */
static struct dma_fence *amd_emit(struct amd_case *a, u64 ctx, bool ib)
{
	u32 seq = ++a->ring.fence_drv.sync_seq;
	struct amdgpu_fence *af = &a->fence[seq % AMD_FENCES];

	memset(af, 0, sizeof(*af));
	dma_fence_init(&af->base, &source_fence_ops, NULL, AMD_RING_CTX, seq);
	af->context = ctx;
	af->skip_ib_dw_end_offset = ib ? 16 : 0;
	a->table[seq % AMD_FENCES] = &af->base;
	return &af->base;
}

/* As in amdgpu_ib_schedule(), which fires the two if they have something to say. */
static void amd_schedule(struct amd_case *a, u64 ctx)
{
	struct dma_fence *fence = amd_emit(a, ctx, true);

	if (a->ring.current_ctx != ctx)
		source_event(&a->c, amdgpu_ctx_switch, probe_ctx_switch, &a->ring, ctx, fence);
	if (!ctx)
		source_event(&a->c, amdgpu_ib_direct, probe_ib_direct, &a->ring, ctx, fence);
	a->ring.current_ctx = ctx;
}

/* As in amdgpu_fence_process(), but that the fences are not signalled. */
static void amd_process(struct amd_case *a, u32 seq)
{
	u32 last_seq = atomic_xchg(&a->ring.fence_drv.last_seq, seq);

	source_event(&a->c, amdgpu_fence_process, probe_fence_process, &a->ring, last_seq, seq);
	while (last_seq != seq)
		a->table[++last_seq % AMD_FENCES] = NULL;
}

static void amd_on_interrupt(void *data)
{
	struct amd_case *a = data;

	amd_process(a, a->ring.fence_drv.sync_seq);
}

static struct amd_case *amd_case(struct kunit *test)
{
	struct amd_case *a = test_zalloc(test, sizeof(*a));

	a->c.first = AMD_CTX;
	a->c.last = AMD_QUEUE_CTX;
	source_start(&a->c, test, &amd_source);
	a->adev = test_zalloc(test, sizeof(*a->adev));
	a->adev->dev = a->c.dev;
	a->adev->fence_context = AMD_CTX;
	a->funcs.type = AMDGPU_RING_TYPE_GFX;
	a->ring.adev = a->adev;
	a->ring.funcs = &a->funcs;
	a->ring.idx = AMD_IDX;
	strscpy(a->ring.name, "gfx_0.0.0");
	a->ring.fence_drv.num_fences_mask = AMD_FENCES - 1;
	a->ring.fence_drv.fences = a->table;
	a->job = test_zalloc(test, sizeof(*a->job));
	a->s_fence.finished.context = AMD_JOB_CTX;
	a->s_fence.finished.seqno = 0x55;
	a->job->base.sched = &a->ring.sched;
	a->job->base.s_fence = &a->s_fence;
	a->fence_drv.context = AMD_QUEUE_CTX;
	a->queue_mgr.adev = a->adev;
	a->queue_mgr.file = test_zalloc(test, sizeof(*a->queue_mgr.file));
	a->queue_mgr.file->client_id = AMD_CLIENT;
	kref_init(&a->queue.refcount);
	a->queue.queue_type = AMDGPU_HW_IP_COMPUTE;
	a->queue.doorbell_index = 4098;
	a->queue.userq_mgr = &a->queue_mgr;
	a->queue.fence_drv = &a->fence_drv;
	dma_fence_init64(&a->queue_fence.base, &source_fence_ops, NULL, AMD_QUEUE_CTX, 0x900000005);
	return a;
}

static void amd_stop(struct amd_case *a)
{
	a->ring_id = source_forget(&a->ring.sched);
	a->device_id = source_forget(a->adev);
	a->queue_id = source_forget(&a->queue);
	source_stop(&a->c);
}

static void amd_expect_ring(struct amd_case *a, u32 id, const char *name,
			    enum grtrace_engine_class engine_class)
{
	source_expect_ring(&a->c, id, dev_driver_string(a->c.dev), name, engine_class);
}

#define AMD(type, ctx, seqno, ...) \
	SOURCE_RECORD(type, a->ring_id, ctx, seqno, __VA_ARGS__)
#define AMD_SWITCH(from, to) \
	AMD(CTX_SWITCH, to, 0, .fence_ctx = from)
#define AMD_IRQ(seqno, _flags) \
	AMD(IRQ, AMD_RING_CTX, seqno, .flags = _flags)
#define AMD_DIRECT(seqno) \
	AMD(SUBMIT, AMD_RING_CTX, seqno), \
	AMD(COMMIT, AMD_RING_CTX, seqno, .fence_ctx = AMD_RING_CTX, \
	    .fence_seqno = seqno)
#define AMD_DIRECT_DONE(seqno, error) \
	AMD(END, AMD_RING_CTX, seqno, .flags = SOURCE_IN_HARDIRQ), \
	AMD(COMPLETE, AMD_RING_CTX, seqno, .flags = SOURCE_IN_HARDIRQ, \
	    .arg = error)
#define AMD_ERROR(ring, ctx, seqno, _kind, _code) \
	SOURCE_RECORD(ERROR, ring, ctx, seqno, \
		      .kind = GRTRACE_ERROR_##_kind, .code = _code)

/*
 * The jobs are the scheduler's: they are for its source. An interrupt names the newest;
 * what has no context has that of the ring's own fences.
 */
static void amd_interrupts_and_switches(struct kunit *test)
{
	struct amd_case *a = amd_case(test);

	amd_schedule(a, AMD_JOB_CTX);
	amd_schedule(a, AMD_JOB_CTX);
	source_in_hardirq(amd_on_interrupt, a);
	amd_schedule(a, AMD_JOB_CTX + 2);
	/* in a task: a reset found it */
	amd_process(a, 3);
	amd_schedule(a, 0);
	amd_schedule(a, 0);
	amd_stop(a);

	source_records(&a->c,
		AMD_SWITCH(AMD_RING_CTX, AMD_JOB_CTX),
		AMD_IRQ(2, SOURCE_IN_HARDIRQ),
		AMD_SWITCH(AMD_JOB_CTX, AMD_JOB_CTX + 2),
		AMD_IRQ(3, 0),
		AMD_SWITCH(AMD_JOB_CTX + 2, AMD_RING_CTX),
		AMD_DIRECT(4), AMD_DIRECT(5));
}

static void amd_interrupt_after_a_wrap(struct kunit *test)
{
	struct amd_case *a = amd_case(test);

	a->ring.fence_drv.sync_seq = U32_MAX - 1;
	atomic_set(&a->ring.fence_drv.last_seq, U32_MAX - 1);
	amd_schedule(a, 0);
	amd_schedule(a, 0);
	source_in_hardirq(amd_on_interrupt, a);
	amd_stop(a);

	source_records(&a->c,
		AMD_DIRECT(U32_MAX), AMD_DIRECT(0),
		AMD_IRQ(0, SOURCE_IN_HARDIRQ),
		AMD_DIRECT_DONE(U32_MAX, 0), AMD_DIRECT_DONE(0, 0));
}

/* The hardware may have written anything; the table is not walked for it. */
static void amd_interrupt_of_nonsense(struct kunit *test)
{
	struct amd_case *a = amd_case(test);

	amd_schedule(a, 0);
	source_event(&a->c, amdgpu_fence_process, probe_fence_process, &a->ring, 0, 0xdeadbeef);
	source_event(&a->c, amdgpu_fence_process, probe_fence_process, &a->ring, 5, 3);
	amd_stop(a);

	source_records(&a->c, AMD_DIRECT(1), AMD_IRQ(0xdeadbeef, 0), AMD_IRQ(3, 0));
}

/* Jobs that bypass the scheduler. */
static void amd_direct_job_from_submit_to_complete(struct kunit *test)
{
	struct amd_case *a = amd_case(test);

	amd_schedule(a, 0);			/* 1 */
	amd_schedule(a, AMD_JOB_CTX);		/* 2, the scheduler's */
	amd_emit(a, 0, false);			/* 3, a VM flush */
	amd_schedule(a, 0);			/* 4 */
	a->fence[0].base.error = -ETIME;
	source_in_hardirq(amd_on_interrupt, a);
	source_in_hardirq(amd_on_interrupt, a);	/* is all over now */
	amd_stop(a);

	source_records(&a->c,
		AMD_DIRECT(1),
		AMD_SWITCH(AMD_RING_CTX, AMD_JOB_CTX),
		AMD_SWITCH(AMD_JOB_CTX, AMD_RING_CTX),
		AMD_DIRECT(4),
		AMD_IRQ(4, SOURCE_IN_HARDIRQ),
		AMD_DIRECT_DONE(1, 0), AMD_DIRECT_DONE(4, -ETIME),
		AMD_IRQ(4, SOURCE_IN_HARDIRQ));
}

static void amd_ring_reset(struct amd_case *a, u32 type, int error)
{
	source_event(&a->c, amdgpu_ring_reset, probe_ring_reset, &a->ring, a->job, type, error);
}

static void amd_gpu_reset(struct amd_case *a, struct amdgpu_job *job, u32 src, int error)
{
	source_event(&a->c, amdgpu_gpu_reset_start, probe_gpu_reset_start, a->adev, job, src);
	source_event(&a->c, amdgpu_gpu_reset_end, probe_gpu_reset_end, a->adev, src, error);
}

static void amd_resets(struct kunit *test)
{
	struct amd_case *a = amd_case(test);

	amd_ring_reset(a, AMDGPU_RESET_TYPE_SOFT_RECOVERY, 0);
	amd_ring_reset(a, AMDGPU_RESET_TYPE_PER_QUEUE, -ETIMEDOUT);
	amd_ring_reset(a, AMDGPU_RESET_TYPE_IP_BLOCK_SOFT_RESET, 0);
	/* what was on the ring is emitted again */
	source_event(&a->c, amdgpu_ring_reemit, probe_ring_reemit, &a->ring);
	amd_gpu_reset(a, a->job, AMDGPU_RESET_SRC_JOB, -ENODEV);
	amd_gpu_reset(a, NULL, AMDGPU_RESET_SRC_USER, 0);
	amd_stop(a);

	source_records(&a->c,
		AMD_ERROR(a->ring_id, AMD_JOB_CTX, 0x55, HANG, 0),
		AMD_ERROR(a->ring_id, AMD_JOB_CTX, 0x55, RESET, -ETIMEDOUT),
		AMD_ERROR(a->ring_id, AMD_JOB_CTX, 0x55, RESET, 0),
		AMD_ERROR(a->ring_id, 0, 0, RESET, 0),
		AMD_ERROR(a->ring_id, AMD_JOB_CTX, 0x55, HANG, -ETIME),
		AMD_ERROR(a->device_id, 0, 0, RESET, -ENODEV),
		AMD_ERROR(a->device_id, 0, 0, RESET, 0));
	amd_expect_ring(a, a->device_id, "gpu", GRTRACE_CLASS_OTHER);
	source_expect_ring_flags(&a->c, a->device_id, GRTRACE_RING_DEVICE, 0);
}

struct amd_ring_case {
	const char *name;
	u32 type;
	u32 engine_class;
};

static const struct amd_ring_case amd_rings[] = {
	{ "gfx_0.0.0", AMDGPU_RING_TYPE_GFX, GRTRACE_CLASS_RENDER },
	{ "comp_1.0.0", AMDGPU_RING_TYPE_COMPUTE, GRTRACE_CLASS_COMPUTE },
	{ "page0", AMDGPU_RING_TYPE_SDMA, GRTRACE_CLASS_COPY },
	{ "uvd", AMDGPU_RING_TYPE_UVD, GRTRACE_CLASS_VIDEO_DECODE },
	{ "vce0", AMDGPU_RING_TYPE_VCE, GRTRACE_CLASS_VIDEO_ENCODE },
	{ "uvd_enc0", AMDGPU_RING_TYPE_UVD_ENC, GRTRACE_CLASS_VIDEO_ENCODE },
	{ "vcn_dec", AMDGPU_RING_TYPE_VCN_DEC, GRTRACE_CLASS_VIDEO_DECODE },
	{ "vcn_enc0", AMDGPU_RING_TYPE_VCN_ENC, GRTRACE_CLASS_VIDEO_ENCODE },
	{ "vcn_unified_0", AMDGPU_RING_TYPE_VCN_ENC, GRTRACE_CLASS_VIDEO_DECODE },
	{ "jpeg_dec", AMDGPU_RING_TYPE_VCN_JPEG, GRTRACE_CLASS_VIDEO_DECODE },
	{ "vpe", AMDGPU_RING_TYPE_VPE, GRTRACE_CLASS_OTHER },
	{ "kiq_0.2.1.0", AMDGPU_RING_TYPE_KIQ, GRTRACE_CLASS_OTHER },
	{ "mes_3.0.0", AMDGPU_RING_TYPE_MES, GRTRACE_CLASS_OTHER },
	{ "cper", AMDGPU_RING_TYPE_CPER, GRTRACE_CLASS_OTHER },
	{ "?", U32_MAX, GRTRACE_CLASS_OTHER },
};

KUNIT_ARRAY_PARAM_DESC(amd_rings, amd_rings, name);

static void amd_class_of_a_ring(struct kunit *test)
{
	const struct amd_ring_case *kind = test->param_value;
	struct amd_case *a = amd_case(test);

	a->funcs.type = kind->type;
	strscpy(a->ring.name, kind->name);
	amd_process(a, 1);
	amd_stop(a);

	amd_expect_ring(a, a->ring_id, kind->name, kind->engine_class);
}

/* The ring is the one that the scheduler's source knows, with a class now. */
static void amd_class_of_a_ring_that_is_known(struct kunit *test)
{
	struct amd_case *a = amd_case(test);
	const struct grtrace_ring_desc desc = {
		.dev = a->c.dev,
		.name = "page0",
	};
	struct grtrace_ring *ring;

	strscpy(a->ring.name, "page0");
	a->funcs.type = AMDGPU_RING_TYPE_SDMA;
	ring = grtrace_ring_submit(&a->ring.sched, AMD_JOB_CTX, &desc);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_EXPECT_EQ(test, ring->engine_class, GRTRACE_CLASS_UNKNOWN);
	amd_process(a, 1);
	amd_process(a, 2);
	amd_stop(a);

	KUNIT_EXPECT_EQ(test, a->ring_id, ring->id);
	source_records(&a->c, AMD_IRQ(1, 0), AMD_IRQ(2, 0));
	amd_expect_ring(a, a->ring_id, "page0", GRTRACE_CLASS_COPY);
}

static void amd_queue_asks_for_a_fence(struct kunit *test)
{
	struct amd_case *a = amd_case(test);
	u64 seqno = a->queue_fence.base.seqno;

	source_event(&a->c, amdgpu_userq_emit_fence, probe_userq_emit_fence,
		     a->c.dev, &a->queue, &a->queue_fence);
	amd_stop(a);

	source_records(&a->c,
		SOURCE_RECORD(SUBMIT, a->queue_id, AMD_QUEUE_CTX, seqno),
		SOURCE_RECORD(COMMIT, a->queue_id, AMD_QUEUE_CTX, seqno,
			      .fence_ctx = AMD_QUEUE_CTX, .fence_seqno = seqno));
	amd_expect_ring(a, a->queue_id, "userq_comp_4098", GRTRACE_CLASS_COMPUTE);
}

static void amd_queue_created(struct amd_case *a, int error)
{
	source_event(&a->c, amdgpu_userq_create_end, probe_userq_create_end, &a->queue, error);
}

static u32 amd_queue_create(struct amd_case *a)
{
	struct grtrace_ring *ring;

	source_event(&a->c, amdgpu_userq_create_start, probe_userq_create_start, &a->queue);
	ring = grtrace_ring_find(&a->queue);
	KUNIT_ASSERT_NOT_NULL(a->c.test, ring);
	return ring->id;
}

/* Known from its creation on, even if it never asks for a fence. */
static void amd_queue_comes_and_goes(struct kunit *test)
{
	struct amd_case *a = amd_case(test);
	u32 first = amd_queue_create(a);

	amd_queue_created(a, 0);
	KUNIT_EXPECT_NOT_NULL(test, grtrace_ring_find(&a->queue));
	source_event(&a->c, amdgpu_userq_destroy_end, probe_userq_destroy_end, &a->queue, 0);
	KUNIT_EXPECT_NULL(test, grtrace_ring_find(&a->queue));

	/* another at the same address, which could not be created */
	KUNIT_EXPECT_NE(test, amd_queue_create(a), first);
	amd_queue_created(a, -ENOMEM);
	KUNIT_EXPECT_NULL(test, grtrace_ring_find(&a->queue));
	amd_queue_created(a, -ENOMEM);
	amd_stop(a);

	source_expect_end(&a->c);
	amd_expect_ring(a, first, "userq_comp_4098", GRTRACE_CLASS_COMPUTE);
	source_expect_ring_flags(&a->c, first, GRTRACE_RING_USER | GRTRACE_RING_SHARED, 0);
}

/* As the driver does it: the event comes before the queue has its new state. */
static void amd_queue_goes(struct amd_case *a, enum amdgpu_userq_state state)
{
	source_event(&a->c, amdgpu_userq_state_changed, probe_userq_state_changed,
		     &a->queue, state);
	a->queue.state = state;
}

#define AMD_QUEUE(_state, _reason) \
	SOURCE_RECORD(QUEUE, a->queue_id, AMD_QUEUE_CTX, 0, \
		      .state = GRTRACE_QUEUE_##_state, .reason = GRTRACE_QUEUE_##_reason, \
		      .client = AMD_CLIENT)

static void amd_queue_hangs(struct kunit *test)
{
	struct amd_case *a = amd_case(test);

	a->queue.queue_type = AMDGPU_HW_IP_VPE;
	a->queue.state = AMDGPU_USERQ_STATE_MAPPED;
	amd_queue_goes(a, AMDGPU_USERQ_STATE_HUNG);
	/* after a reset of the device */
	amd_queue_goes(a, AMDGPU_USERQ_STATE_MAPPED);
	amd_stop(a);

	source_records(&a->c, AMD_ERROR(a->queue_id, 0, 0, HANG, -ETIME),
		       AMD_QUEUE(OFF, HUNG), AMD_QUEUE(ON, RESTORED));
	amd_expect_ring(a, a->queue_id, "userq_other_4098", GRTRACE_CLASS_OTHER);
}

/* A work of the driver's, in which it changes the queue's state. */
static struct amd_case *amd_working;

static void amd_restores(struct work_struct *work)
{
	amd_queue_goes(amd_working, AMDGPU_USERQ_STATE_MAPPED);
}

static void amd_resets_a_queue(struct work_struct *work)
{
	amd_queue_goes(amd_working, AMDGPU_USERQ_STATE_UNMAPPED);
}

static void amd_works(struct amd_case *a, struct delayed_work *work, work_func_t fn)
{
	amd_working = a;
	INIT_DELAYED_WORK(work, fn);
	schedule_delayed_work(work, 0);
	flush_delayed_work(work);
}

/* Each way on and off, with what the event lacks: why. */
static void amd_queue_on_and_off(struct kunit *test)
{
	struct amd_case *a = amd_case(test);

	amd_queue_goes(a, AMDGPU_USERQ_STATE_MAPPED);
	amd_queue_goes(a, AMDGPU_USERQ_STATE_UNMAPPED);
	amd_works(a, &a->queue_mgr.resume_work, amd_restores);
	amd_works(a, &a->queue.hang_detect_work, amd_resets_a_queue);
	amd_works(a, &a->queue_mgr.resume_work, amd_restores);
	amd_queue_goes(a, AMDGPU_USERQ_STATE_PREEMPTED);
	amd_queue_goes(a, AMDGPU_USERQ_STATE_MAPPED);
	a->adev->userq_halt_for_enforce_isolation = true;
	amd_queue_goes(a, AMDGPU_USERQ_STATE_PREEMPTED);
	a->adev->userq_halt_for_enforce_isolation = false;
	amd_queue_goes(a, AMDGPU_USERQ_STATE_MAPPED);
	a->adev->in_suspend = true;
	amd_queue_goes(a, AMDGPU_USERQ_STATE_UNMAPPED);
	amd_queue_goes(a, AMDGPU_USERQ_STATE_MAPPED);
	amd_queue_goes(a, AMDGPU_USERQ_STATE_PREEMPTED);
	amd_queue_goes(a, AMDGPU_USERQ_STATE_MAPPED);
	a->adev->in_suspend = false;
	amd_queue_goes(a, AMDGPU_USERQ_STATE_INVALID_VA);
	refcount_set(&a->queue.refcount.refcount, 0);
	amd_queue_goes(a, AMDGPU_USERQ_STATE_UNMAPPED);
	amd_stop(a);

	source_records(&a->c, AMD_QUEUE(ON, CREATED), AMD_QUEUE(OFF, EVICTED),
		       AMD_QUEUE(ON, RESTORED), AMD_QUEUE(OFF, HUNG), AMD_QUEUE(ON, RESTORED),
		       AMD_QUEUE(OFF, PREEMPTED), AMD_QUEUE(ON, RESTORED),
		       AMD_QUEUE(OFF, ISOLATED), AMD_QUEUE(ON, RESTORED),
		       AMD_QUEUE(OFF, SUSPENDED), AMD_QUEUE(ON, RESUMED),
		       AMD_QUEUE(OFF, SUSPENDED), AMD_QUEUE(ON, RESUMED),
		       AMD_QUEUE(OFF, FAULTED), AMD_QUEUE(OFF, DESTROYED));
}

static struct kunit_case amd_test_cases[] = {
	KUNIT_CASE(amd_interrupts_and_switches),
	KUNIT_CASE(amd_interrupt_after_a_wrap),
	KUNIT_CASE(amd_interrupt_of_nonsense),
	KUNIT_CASE(amd_direct_job_from_submit_to_complete),
	KUNIT_CASE(amd_resets),
	KUNIT_CASE_PARAM(amd_class_of_a_ring, amd_rings_gen_params),
	KUNIT_CASE(amd_class_of_a_ring_that_is_known),
	KUNIT_CASE(amd_queue_asks_for_a_fence),
	KUNIT_CASE(amd_queue_comes_and_goes),
	KUNIT_CASE(amd_queue_hangs),
	KUNIT_CASE(amd_queue_on_and_off),
	{}
};

static struct kunit_suite amd_test_suite = {
	.name = "grtrace_source_amdgpu",
	.init = trial_init,
	.test_cases = amd_test_cases,
};

kunit_test_suite(amd_test_suite);
