// SPDX-License-Identifier: GPL-2.0
/*
 * The hot path, from a source's call to the bytes of a record, with all that a
 * session may ask for in between. trial_stop() checks the books of each.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/dma-fence.h>
#include <linux/iopoll.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timer.h>

#include "../rings.h"
#include "../stats.h"
#include "trial.h"

static const struct grtrace_rec_job *hook_job(const struct stream_record *record)
{
	return record->raw;
}

/* Each way through the hook: plain, with a filter of rings, with all that may be asked for. */
static const struct hook_way { const char *words; } hook_ways[] = {
	{ "level=verbose" }, { "filter_engine_mask=0x1" }, { "profile=1" },
};

KUNIT_ARRAY_PARAM_DESC(hook_way, hook_ways, words);

/* To the byte, little endian on any machine. */
static void hook_bytes_of_records(struct kunit *test)
{
	static const struct {
		unsigned int type;
		unsigned int nth;
		size_t size;
		u8 bytes[128];	/* with 0 for ts, seq and pid */
	} want[] = {
		{ GRTRACE_COMPLETE, 0, 32, { 0x08, 0x00, 0x20, 0x00,
		  [16] = 0x67, 0x45, 0x23, 0x01, 0xef, 0xcd, 0xab, 0x89,	/* ctx, seqno */
		  0, 0, 0, 0, 0x02, 0x00, 0xfb, 0xff } },	/* ring, flags, arg */
		{ GRTRACE_COMMIT, 0, 40, { 0x05, 0x00, 0x28, 0x00,
		  [16] = 0x67, 0x45, 0x23, 0x01, 0xef, 0xcd, 0xab, 0x89,
		  [32] = 0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55 } },	/* fence */
		{ GRTRACE_SUBMIT, 0, 40, { 0x01, 0x00, 0x28, 0x00,
		  [16] = 0x67, 0x45, 0x23, 0x01, 0xef, 0xcd, 0xab, 0x89,
		  0, 0, 0, 0, 0x02, 0x00, 0x03, 0x00,
		  0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01 } },	/* client */
		{ GRTRACE_SUBMIT, 1, 56, { 0x01, 0x00, 0x38, 0x00,
		  [16] = 0x67, 0x45, 0x23, 0x01, 0xef, 0xcd, 0xab, 0x89,
		  0, 0, 0, 0, 0x02, 0x00, 0x03, 0x00,
		  0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01,
		  0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55,	/* fence */
		  0x04, 0x03, 0x02, 0xff } },	/* command */
		{ GRTRACE_END, 0, 40, { 0x07, 0x00, 0x28, 0x00,
		  [16] = 0x67, 0x45, 0x23, 0x01, 0xef, 0xcd, 0xab, 0x89,
		  0, 0, 0, 0, 0x02, 0x00, 0x03, 0x00,
		  0x04, 0x03, 0x02, 0xff } },	/* response */
		{ GRTRACE_QUEUE, 0, 48, { 0x0f, 0x00, 0x30, 0x00,
		  [16] = 0x67, 0x45, 0x23, 0x01,	/* ctx */
		  [32] = 0x01, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00,	/* ON, RESTORED */
		  [40] = 0xee, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },	/* client */
		/* the first comes with a packet and a TASK, which is a way of its own */
		{ GRTRACE_ERROR, 0, 128, { 0x0d, 0x00, 0x80, 0x00,
		  [16] = 0x67, 0x45, 0x23, 0x01, 0xef, 0xcd, 0xab, 0x89,
		  [32] = 0x02, 0x00, 0x00, 0x00, 0x92, 0xff, 0xff, 0xff } },	/* HANG, -110 */
		{ GRTRACE_ERROR, 1, 128, { 0x0d, 0x00, 0x80, 0x00,
		  [16] = 0x67, 0x45, 0x23, 0x01, 0xef, 0xcd, 0xab, 0x89,
		  [32] = 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,	/* RESET */
		  [40] = 0x44, 0x33, 0x22, 0x11,	/* pid */
		  [48] = 'g', 'a', 'm', 'e', '.', 'e', 'x', 'e', '-', 't', 'h', 'a', 't', '-', 'i',
		  [64] = 'i', 't', ' ', 'h', 'a', 'n', 'g', 's' } },
	};
	struct grtrace_job arg = {
		.ctx = 0xaabbccdd01234567, .seqno = 0x1289abcdef,
		.fence_ctx = 0x9911223344, .fence_seqno = 0x9955667788,
		.command = 0xff020304,
	};
	const u64 client = 0x0102030405060708;
	const struct hook_way *way = test->param_value;
	struct stream *stream = trial_start(test, way->words);
	unsigned int i;

	grtrace_error(NULL, &arg, GRTRACE_ERROR_HANG, -110);
	grtrace_job_fence(GRTRACE_COMMIT, NULL, &arg);
	grtrace_failure(NULL, &arg, &(struct grtrace_failure) {
		.kind = GRTRACE_ERROR_RESET, .pid = 0x11223344, .comm = "game.exe-that-is-long",
		.text = "it hangs" });
	grtrace_queue(NULL, arg.ctx, GRTRACE_QUEUE_ON, GRTRACE_QUEUE_RESTORED, -18);
	arg.time = GRTRACE_TIME_HARDWARE;
	arg.arg = (u16)-5;
	grtrace_job(GRTRACE_COMPLETE, NULL, &arg);
	arg.arg = 3;
	grtrace_submit(NULL, &arg, client);
	grtrace_command(NULL, &arg, client);
	grtrace_response(NULL, &arg);
	trial_stop(test, stream);

	/* record_test.c looks at the contents of a note, and when there is one */
	expect_count(stream, TASK, 1);
	KUNIT_EXPECT_PTR_EQ(test, stream_nth(stream, GRTRACE_TASK, 0) + 1,
			    stream_nth(stream, GRTRACE_ERROR, 0));
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		const struct stream_record *record = stream_nth(stream, want[i].type, want[i].nth);

		KUNIT_EXPECT_EQ(test, record->size, want[i].size);
		stream_same(test, record, (const void *)want[i].bytes);
		KUNIT_EXPECT_EQ(test, record->ctx, arg.ctx);
		KUNIT_EXPECT_EQ(test, le32_to_cpu(hook_job(record)->seq.pid), current->pid);
	}
}

/* A sub-buffer that is read without those before it has the name of the task. */
static void hook_names_in_each_subbuf(struct kunit *test)
{
	const struct hook_way *way = test->param_value;
	struct stream *stream = trial_start(test, way->words);
	const struct stream_record *record;
	size_t i, packets = 0;
	u64 seqno;

	for (seqno = 1; seqno <= 3 * SZ_64K / sizeof(struct grtrace_rec_submit); seqno++)
		grtrace_submit(NULL, &(struct grtrace_job) { .ctx = 1, .seqno = seqno }, 5);
	trial_stop(test, stream);
	for (i = 0; i + 2 < stream->n; i++) {
		record = &stream->record[i];
		if (record[0].type != GRTRACE_PACKET || record[2].type >= GRTRACE_NOTE_FIRST)
			continue;
		packets++;
		KUNIT_EXPECT_EQ_MSG(test, record[1].type, GRTRACE_TASK, "packet %zu", packets);
	}
	/* the first sub-buffer has the tables in between */
	KUNIT_EXPECT_EQ(test, packets, 3);
}

struct hook_contexts {
	struct irq_work irq_work;
	struct timer_list timer;
	atomic_t left;
};

static void hook_software_and_hardware(u64 seqno)
{
	trial_job(GRTRACE_COMPLETE, NULL, 1, seqno);
	grtrace_job(GRTRACE_COMPLETE, NULL, &(struct grtrace_job) {
		.ctx = 1, .seqno = seqno + 1, .time = GRTRACE_TIME_HARDWARE });
}

static void hook_in_hardirq(struct irq_work *work)
{
	struct hook_contexts *contexts = container_of(work, struct hook_contexts, irq_work);

	hook_software_and_hardware(in_hardirq() ? 30 : 90);
	atomic_dec(&contexts->left);
}

static void hook_in_softirq(struct timer_list *timer)
{
	struct hook_contexts *contexts = container_of(timer, struct hook_contexts, timer);

	hook_software_and_hardware(in_serving_softirq() ? 20 : 90);
	atomic_dec(&contexts->left);
}

static void hook_tells_the_context(struct kunit *test)
{
	static const struct {
		u32 seqno;
		u16 flags;
	} want[] = {
		{ 10, GRTRACE_IN_TASK | GRTRACE_TIME_SOFTWARE },
		{ 11, GRTRACE_IN_TASK | GRTRACE_TIME_HARDWARE },
		/* a task with bottom halves off is not in a softirq */
		{ 12, GRTRACE_IN_TASK | GRTRACE_TIME_SOFTWARE },
		{ 13, GRTRACE_IN_TASK | GRTRACE_TIME_HARDWARE },
		{ 20, GRTRACE_IN_SOFTIRQ | GRTRACE_TIME_SOFTWARE },
		{ 21, GRTRACE_IN_SOFTIRQ | GRTRACE_TIME_HARDWARE },
		{ 30, GRTRACE_IN_HARDIRQ | GRTRACE_TIME_INTERRUPT },
		{ 31, GRTRACE_IN_HARDIRQ | GRTRACE_TIME_HARDWARE },
	};
	struct hook_contexts *contexts = test_zalloc(test, sizeof(*contexts));
	struct stream *stream = trial_start(test, "");
	u16 flags[100] = {};
	unsigned int i;
	int ret, left;

	atomic_set(&contexts->left, 2);
	hook_software_and_hardware(10);
	local_bh_disable();
	hook_software_and_hardware(12);
	local_bh_enable();
	init_irq_work(&contexts->irq_work, hook_in_hardirq);
	timer_setup(&contexts->timer, hook_in_softirq, 0);
	mod_timer(&contexts->timer, jiffies + 1);
	irq_work_queue(&contexts->irq_work);
	ret = read_poll_timeout(atomic_read, left, !left, 20 * USEC_PER_MSEC,
				60 * USEC_PER_SEC, false, &contexts->left);
	KUNIT_EXPECT_EQ_MSG(test, ret, 0, "%d contexts did not come in a minute", left);
	irq_work_sync(&contexts->irq_work);
	timer_shutdown_sync(&contexts->timer);
	trial_stop(test, stream);

	expect_count(stream, COMPLETE, ARRAY_SIZE(want));
	for (i = 0; i < stream->n; i++)
		if (stream->record[i].type == GRTRACE_COMPLETE)
			flags[le32_to_cpu(hook_job(&stream->record[i])->seqno)] =
				le16_to_cpu(hook_job(&stream->record[i])->flags);
	for (i = 0; i < ARRAY_SIZE(want); i++)
		KUNIT_EXPECT_EQ_MSG(test, flags[want[i].seqno], want[i].flags, "event %u",
				    want[i].seqno);
}

/* As where perf interrupts a hook; interrupts are off then. */
static void hook_job_in_nmi(unsigned int type, struct grtrace_ring *ring, u64 ctx)
{
	guard(irqsave)();
	preempt_count_add(NMI_OFFSET);
	trial_job(type, ring, ctx, 1);
	preempt_count_sub(NMI_OFFSET);
}

/* Only what was asked for is lost in an NMI. */
static void hook_filters_in_an_nmi(struct kunit *test)
{
	struct grtrace_ring *ring = trial_ring(test, 1);
	struct stream *stream;
	char words[128];

	snprintf(words, sizeof(words), "filter_type_mask=0x%x watch_ctx_add=5",
		 ~(1 << GRTRACE_PICK));
	stream = trial_start(test, words);
	hook_job_in_nmi(GRTRACE_SUBMIT, ring, 5);
	hook_job_in_nmi(GRTRACE_PICK, ring, 5);
	hook_job_in_nmi(GRTRACE_SUBMIT, ring, 6);
	/* a lost or refused record is nevertheless in flight */
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(ring), 2);
	expect_stat(test, OFFERED, 3);
	expect_stat(test, NMI, 1);
	expect_stat(test, FILTERED_TYPE, 1);
	expect_stat(test, FILTERED_WATCH, 1);
	trial_stop(test, stream);
	expect_count(stream, LOST, 1);

	stream = trial_start(test, "watch_ctx_clear=1");
	hook_job_in_nmi(GRTRACE_SUBMIT, NULL, 5);
	hook_job_in_nmi(GRTRACE_PICK, NULL, 5);
	expect_stat(test, NMI, 1);
	expect_stat(test, FILTERED_TYPE, 1);
	trial_stop(test, stream);
}

/* A whole job: its hardware fence is {seqno, 1} of a context of its own. */
static void hook_run_job(struct grtrace_ring *ring, u64 ctx, u64 seqno)
{
	trial_job(GRTRACE_SUBMIT, ring, ctx, seqno);
	trial_job_fence(GRTRACE_DEP, ring, ctx, seqno, 7, 7);
	trial_job(GRTRACE_PICK, ring, ctx, seqno);
	trial_job_fence(GRTRACE_COMMIT, ring, ctx, seqno, 1000 + ctx, seqno);
	trial_job(GRTRACE_FENCE, NULL, 1000 + ctx, seqno);
	trial_job(GRTRACE_COMPLETE, ring, ctx, seqno);
	trial_job(GRTRACE_SYNC_WAIT_ENTER, NULL, ctx, seqno);
	trial_job(GRTRACE_SYNC_WAIT_EXIT, NULL, ctx, seqno);
}

#define JOB_EVENTS	8

/* Events in the stream that are of a context, or of its hardware fences. */
static unsigned int hook_events_of(const struct stream *stream, u64 ctx)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < stream->n; i++)
		n += stream->record[i].type < GRTRACE_TYPE_LIMIT &&
		     (stream->record[i].ctx == ctx || stream->record[i].ctx == 1000 + ctx);
	return n;
}

struct hook_watch {
	const char *words;	/* %u: ring 2's id, or the pid, by the next */
	char arg;		/* r, p, or 0 */
	u8 seen[3];		/* events of jobs on contexts 10, 11, 12 */
};

static const struct hook_watch hook_watches[] = {
	{ "watch_ctx_add=11", 0, { 0, JOB_EVENTS, 0 } },
	{ "watch_ctx_add=10,12", 0, { JOB_EVENTS, 0, JOB_EVENTS } },
	{ "watch_allow_mode=0 watch_ctx_add=11", 0, { JOB_EVENTS, 0, JOB_EVENTS } },
	/* context 12 is on ring 2; waits are on no ring */
	{ "watch_ring_add=%u", 'r', { 0, 0, JOB_EVENTS - 2 } },
	{ "watch_allow_mode=0 watch_ring_add=%u", 'r', { JOB_EVENTS, JOB_EVENTS, 2 } },
	{ "watch_combine=or watch_ctx_add=10 watch_ring_add=%u", 'r',
	  { JOB_EVENTS, 0, JOB_EVENTS - 2 } },
	{ "watch_combine=and watch_ctx_add=10 watch_ring_add=%u", 'r', { 0, 0, 0 } },
	{ "watch_combine=and watch_ctx_add=10,12 watch_ring_add=%u", 'r',
	  { 0, 0, JOB_EVENTS - 2 } },
	{ "watch_pid_add=%u", 'p', { JOB_EVENTS, JOB_EVENTS, JOB_EVENTS } },
	{ "watch_pid_add=4194303", 0, { 0, 0, 0 } },
	{ "watch_combine=and watch_ctx_add=12 watch_pid_add=%u", 'p',
	  { 0, 0, JOB_EVENTS } },
	{ "watch_ctx_add=11 watch_ctx_clear=1 watch_ctx_add=10", 0, { JOB_EVENTS, 0, 0 } },
};

KUNIT_ARRAY_PARAM_DESC(hook_watch, hook_watches, words);

static void hook_watches_jobs(struct kunit *test)
{
	struct grtrace_ring *ring[] = { trial_ring(test, 1), trial_ring(test, 2) };
	const struct hook_watch *watch = test->param_value;
	struct stream *stream;
	unsigned int i, all = 0;
	char words[128];

	snprintf(words, sizeof(words), watch->words,
		 watch->arg == 'r' ? ring[1]->id : (u32)current->pid);
	stream = trial_start(test, words);
	for (i = 0; i < 3; i++)
		hook_run_job(ring[i == 2], 10 + i, 1);
	trial_stop(test, stream);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ_MSG(test, hook_events_of(stream, 10 + i), watch->seen[i],
				    "context %u", 10 + i);
		all += watch->seen[i];
	}
	expect_stat(test, FILTERED_WATCH, 3 * JOB_EVENTS - all);
}

/* Hardware that is done before its driver could name the fence. */
static void hook_fence_before_its_commit(struct kunit *test)
{
	struct grtrace_ring *ring = trial_ring(test, 1);
	struct stream *stream = trial_start(test, "watch_ctx_add=11");
	const struct grtrace_rec_job *fence;
	u64 ctx;

	for (ctx = 10; ctx <= 11; ctx++) {
		trial_job(GRTRACE_SUBMIT, ring, ctx, 1);
		trial_job(GRTRACE_FENCE, NULL, 1000 + ctx, 1);
		trial_job_fence(GRTRACE_COMMIT, ring, ctx, 1, 1000 + ctx, 1);
		trial_job(GRTRACE_COMPLETE, ring, ctx, 1);
	}
	/* the fence was refused before it was known whose it is */
	expect_stat(test, OFFERED, 9);
	expect_stat(test, FILTERED_WATCH, 5);
	trial_stop(test, stream);
	KUNIT_EXPECT_EQ(test, hook_events_of(stream, 10), 0);
	KUNIT_EXPECT_EQ(test, hook_events_of(stream, 11), 4);
	expect_count(stream, FENCE, 1);
	fence = hook_job(stream_nth(stream, GRTRACE_FENCE, 0));
	KUNIT_EXPECT_EQ(test, le16_to_cpu(fence->flags) & GRTRACE_TIME_MASK,
			GRTRACE_TIME_INFERRED);
	KUNIT_EXPECT_PTR_EQ(test, stream_nth(stream, GRTRACE_COMMIT, 0) + 1,
			    stream_nth(stream, GRTRACE_FENCE, 0));
}

/* The hardware's fence and the END are of one moment. */
static void hook_normal_has_one_end(struct kunit *test)
{
	static const struct {
		const char *words;
		u64 ctx, fence_ctx;
		u32 fences;
	} rows[] = {
		{ "level=normal", 10, 1010, 0 },
		/* the fence completes the job, which has no END */
		{ "level=normal", 11, 11, 1 },
		{ "level=normal watch_ctx_add=12", 12, 1012, 1 },
		{ "level=normal watch_ctx_clear=1 filter_type_mask=0xff7f", 13, 1013, 2 },
		{ "level=verbose filter_type_mask=0xffff", 14, 1014, 3 },
	};
	struct grtrace_ring *ring = trial_ring(test, 1);
	struct stream *stream = trial_start(test, "");
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_ASSERT_EQ(test, trial_config(rows[i].words), 0);
		trial_job_fence(GRTRACE_COMMIT, ring, rows[i].ctx, 1, rows[i].fence_ctx, 1);
		trial_job(GRTRACE_FENCE, NULL, rows[i].fence_ctx, 1);
		KUNIT_EXPECT_EQ_MSG(test, grtrace_stat_type_sum(GRTRACE_FENCE), rows[i].fences,
				    "row %u", i);
	}
	expect_stat(test, FILTERED_LEVEL, 2);
	/* signalled before it is named, it is not recognized */
	KUNIT_ASSERT_EQ(test, trial_config("level=normal"), 0);
	trial_job(GRTRACE_FENCE, NULL, 1015, 1);
	trial_job_fence(GRTRACE_COMMIT, ring, 15, 1, 1015, 1);
	trial_stop(test, stream);
	expect_count(stream, FENCE, 4);
	expect_count(stream, COMMIT, 6);
}

/* A queue has no jobs, so no sample of jobs has it or not. */
static void hook_queue_is_in_each_sample(struct kunit *test)
{
	struct grtrace_ring *ring = trial_ring(test, 1);
	struct stream *stream = trial_start(test, "sample=1000000");
	const struct grtrace_rec_queue *queue;
	unsigned int i;

	for (i = 0; i < 100; i++)
		grtrace_queue(ring, i, i % 2, GRTRACE_QUEUE_PREEMPTED, 7);
	trial_stop(test, stream);
	expect_count(stream, QUEUE, 100);
	expect_stat(test, SAMPLED_OUT, 0);
	queue = stream_nth(stream, GRTRACE_QUEUE, 99)->raw;
	KUNIT_EXPECT_EQ(test, le32_to_cpu(queue->job.ring), ring->id);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(queue->client), 7);
}

static const char *hook_fence_text(struct dma_fence *fence)
{
	return "uvcvideo";
}

static const struct dma_fence_ops hook_fence_ops = {
	.get_driver_name = hook_fence_text,
	.get_timeline_name = hook_fence_text,
};

static void hook_wait(struct dma_fence *fence)
{
	const struct grtrace_job job = grtrace_job_of(fence, NULL);

	grtrace_fence_name(GRTRACE_SYNC_WAIT_ENTER, fence);
	grtrace_job(GRTRACE_SYNC_WAIT_ENTER, NULL, &job);
}

/* Once for each sub-buffer and context, before the event; and only if the event is wanted. */
static void hook_fence_is_named(struct kunit *test)
{
	static DEFINE_SPINLOCK(lock);
	struct dma_fence fence, other;
	struct stream *stream = trial_start(test, "subbuf_size=4096 n_subbufs=64");
	const struct stream_record *record;
	size_t i, named = 0, packets = 0;
	bool known = false;

	dma_fence_init(&fence, &hook_fence_ops, &lock, 999, 1);
	dma_fence_init(&other, &hook_fence_ops, &lock, 1000, 1);
	for (i = 0; i < 500; i++)
		hook_wait(i % 2 ? &other : &fence);
	KUNIT_ASSERT_EQ(test, trial_config("level=normal"), 0);
	other.context = 1001;
	hook_wait(&other);
	KUNIT_ASSERT_EQ(test, trial_config("level=verbose"), 0);
	set_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &other.flags);
	hook_wait(&other);
	trial_stop(test, stream);

	/* as long as the packets are those of sub-buffers, each begins without names */
	for (i = 0; i < stream->n; i++) {
		record = &stream->record[i];
		if (record->type == GRTRACE_PACKET) {
			packets++;
			known = false;
		} else if (record->type == GRTRACE_FENCE_NAME) {
			named++;
			known = true;
		} else if (record->type == GRTRACE_SYNC_WAIT_ENTER && record->ctx != 1001) {
			KUNIT_EXPECT_TRUE_MSG(test, known, "record %zu", i);
		}
	}
	KUNIT_EXPECT_GE(test, packets, 4);
	KUNIT_EXPECT_GE(test, named, 2 * 4);
	KUNIT_EXPECT_LE(test, named, 2 * packets);
	expect_count(stream, SYNC_WAIT_ENTER, 501);
}

static struct kunit_case hook_test_cases[] = {
	KUNIT_CASE_PARAM(hook_bytes_of_records, hook_way_gen_params),
	KUNIT_CASE_PARAM(hook_names_in_each_subbuf, hook_way_gen_params),
	KUNIT_CASE(hook_tells_the_context),
	KUNIT_CASE(hook_filters_in_an_nmi),
	KUNIT_CASE_PARAM(hook_watches_jobs, hook_watch_gen_params),
	KUNIT_CASE(hook_fence_before_its_commit),
	KUNIT_CASE(hook_normal_has_one_end),
	KUNIT_CASE(hook_queue_is_in_each_sample),
	KUNIT_CASE(hook_fence_is_named),
	{}
};

static struct kunit_suite hook_test_suite = {
	.name = "grtrace_hook",
	.init = trial_init,
	.test_cases = hook_test_cases,
};

kunit_test_suite(hook_test_suite);
