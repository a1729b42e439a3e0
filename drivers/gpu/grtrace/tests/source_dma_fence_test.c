// SPDX-License-Identifier: GPL-2.0
/* The dma_fence source, which includes this file: whose fences it leaves to others. */
#include "source_sched.h"

#define FENCE_CTX	0x6600112233ull

enum fence_of { FENCE_ANY, FENCE_CLAIMED, FENCE_SCHED, FENCE_OWNERS };

enum fence_event {
	FENCE_SIGNALED, FENCE_WAIT_START, FENCE_WAIT_END, FENCE_ANY_START,
	FENCE_ANY_END,
};

struct fence_case {
	const char *name;
	enum fence_event event;
	u16 records[FENCE_OWNERS];	/* what becomes of it; 0 for nothing */
	u32 signaled;			/* of a wait for any: which fence was, 2 for none */
	long ret;			/* what it returns */
	s16 result;			/* in its record */
};

#define ENTER	GRTRACE_SYNC_WAIT_ENTER
#define EXIT	GRTRACE_SYNC_WAIT_EXIT

static const struct fence_case fence_cases[] = {
	{ "signalled", FENCE_SIGNALED, { GRTRACE_FENCE, 0, 0 } },
	{ "a wait", FENCE_WAIT_START, { ENTER, 0, ENTER } },
	{ "the end of a wait", FENCE_WAIT_END, { EXIT, 0, EXIT } },
	/* has no driver that could claim it */
	{ "a wait for any", FENCE_ANY_START, { ENTER, ENTER, ENTER } },
	{ "the end of a wait for any", FENCE_ANY_END, { EXIT, EXIT, EXIT }, 1, 7, 0 },
	{ "at the last moment", FENCE_ANY_END, { EXIT, EXIT, EXIT }, 1, 0, 0 },
	{ "after all its time", FENCE_ANY_END, { EXIT, EXIT, EXIT }, 2, 0, -ETIME },
	{ "by a signal", FENCE_ANY_END, { EXIT, EXIT, EXIT }, 2, -ERESTARTSYS, -ERESTARTSYS },
};

KUNIT_ARRAY_PARAM_DESC(fence_cases, fence_cases, name);

static const struct dma_fence_ops fence_claimed_ops;

static struct grtrace_source fence_claimant = { .name = "kunit", .claims_waits = true };
static struct grtrace_source fence_other = { .name = "kunit-other" };

static void fence_claimant_ends(void *unused)
{
	grtrace_source_unregister(&fence_claimant);
}

static void fence_happens(struct source_case *c, const struct fence_case *row,
			  struct dma_fence *fence)
{
	struct dma_fence *fences[] = { fence, NULL };

	switch (row->event) {
	case FENCE_SIGNALED:
		source_event(c, dma_fence_signaled, probe_signaled, fence);
		break;
	case FENCE_WAIT_START:
		source_event(c, dma_fence_wait_start, probe_wait_start, fence);
		break;
	case FENCE_WAIT_END:
		source_event(c, dma_fence_wait_end, probe_wait_end, fence);
		break;
	case FENCE_ANY_START:
		source_event(c, dma_fence_wait_any_start, probe_wait_any_start, fences, 2);
		break;
	case FENCE_ANY_END:
		source_event(c, dma_fence_wait_any_end, probe_wait_any_end, fences, 2,
			     row->signaled, row->ret);
		break;
	}
}

/* How many notes name a context, each as its driver does. */
static unsigned int fence_named(const struct source_case *c, u64 ctx)
{
	const struct grtrace_rec_fence_name *rec;
	unsigned int i, n = 0;

	for (i = 0; i < c->stream->n; i++) {
		rec = c->stream->record[i].raw;
		if (c->stream->record[i].type != GRTRACE_FENCE_NAME || le64_to_cpu(rec->ctx) != ctx)
			continue;
		n++;
		KUNIT_EXPECT_STREQ(c->test, rec->driver, "kunit");
		KUNIT_EXPECT_STREQ(c->test, rec->timeline, "kunit");
	}
	return n;
}

static void fence_is_whose(struct kunit *test)
{
	const struct fence_case *row = test->param_value;
	struct dma_fence any = { .context = FENCE_CTX, .seqno = 5 };
	struct dma_fence claimed = { .context = FENCE_CTX + 1, .seqno = 6 };
	struct source_case c = { .first = FENCE_CTX, .last = FENCE_CTX + 2 };
	struct dma_fence *fences[] = { &any, &claimed, NULL };
	struct sched_made *made;
	unsigned int i;

	RCU_INIT_POINTER(any.ops, &source_fence_ops);
	RCU_INIT_POINTER(claimed.ops, &fence_claimed_ops);
	source_start(&c, test, &fence_source);
	made = sched_make(test, c.dev, "gfx");
	fences[FENCE_SCHED] = &made->job.s_fence->finished;
	fences[FENCE_SCHED]->context = FENCE_CTX + 2;
	KUNIT_ASSERT_EQ(test, grtrace_source_register(&fence_claimant), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, fence_claimant_ends, NULL), 0);
	grtrace_fence_claim(&fence_claimant, &claimed);
	for (i = 0; i < FENCE_OWNERS; i++)
		fence_happens(&c, row, fences[i]);
	source_stop(&c);

	for (i = 0; i < FENCE_OWNERS; i++)
		source_records_so_far(&c, { .type = row->records[i], .ctx = fences[i]->context,
					    .seqno = fences[i]->seqno, .arg = row->result });
	source_expect_end(&c);
	/* only the start of a wait is preceded by names, and only if the fence is not a job's */
	KUNIT_EXPECT_EQ(test, fence_named(&c, FENCE_CTX), row->records[FENCE_ANY] == ENTER);
	KUNIT_EXPECT_EQ(test, fence_named(&c, FENCE_CTX + 1), 0);
	KUNIT_EXPECT_EQ(test, fence_named(&c, FENCE_CTX + 2), 0);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_fence_source(&claimed), &fence_claimant);
	/* each ends its own claims */
	KUNIT_EXPECT_EQ(test, grtrace_source_register(&fence_other), 0);
	grtrace_fence_claim(&fence_other, &any);
	grtrace_source_unregister(&fence_other);
	KUNIT_EXPECT_NULL(test, grtrace_fence_source(&any));
	KUNIT_EXPECT_PTR_EQ(test, grtrace_fence_source(&claimed), &fence_claimant);
	kunit_release_action(test, fence_claimant_ends, NULL);
	KUNIT_EXPECT_NULL(test, grtrace_fence_source(&claimed));
}

/* The probes are on the events while a session runs, and no longer. */
static void fence_listens_to_a_session(struct kunit *test)
{
	struct source_case c = { .first = FENCE_CTX, .last = FENCE_CTX };
	struct dma_fence *fence = test_zalloc(test, 2 * sizeof(*fence));
	static DEFINE_SPINLOCK(lock);
	unsigned int i;

	for (i = 0; i < 2; i++)
		dma_fence_init(&fence[i], &source_fence_ops, &lock, FENCE_CTX, 5 + i);
	source_start(&c, test, &fence_source);
	dma_fence_signal(&fence[0]);
	source_stop(&c);
	dma_fence_signal(&fence[1]);
	source_records(&c, SOURCE_RECORD(FENCE, GRTRACE_RING_NONE, FENCE_CTX, 5));
	KUNIT_EXPECT_FALSE(test, trace_dma_fence_signaled_enabled());
}

static struct kunit_case fence_test_cases[] = {
	KUNIT_CASE_PARAM(fence_is_whose, fence_cases_gen_params),
	KUNIT_CASE(fence_listens_to_a_session),
	{}
};

static struct kunit_suite fence_suite = {
	.name = "grtrace_source_dma_fence",
	.init = trial_init,
	.test_cases = fence_test_cases,
};

kunit_test_suite(fence_suite);
