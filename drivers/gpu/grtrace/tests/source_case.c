// SPDX-License-Identifier: GPL-2.0
#include <kunit/device.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/export.h>
#include <linux/irq_work.h>
#include <linux/string.h>

#include "../record.h"
#include "source_case.h"

#ifdef GRTRACE_COMPAT
#include "../compat.h"
#endif

static const char *source_fence_name(struct dma_fence *fence)
{
	return "kunit";
}

/* The operations of fences of a driver that is not there. */
const struct dma_fence_ops source_fence_ops = {
	.get_driver_name = source_fence_name,
	.get_timeline_name = source_fence_name,
};
EXPORT_SYMBOL_FOR_MODULES(source_fence_ops, "grtrace*");

/* The source's probe of an event; that there is one is asserted. */
void *source_probe(const struct source_case *c, const char *event)
{
	unsigned int i;

	for (i = 0; i < c->source->nr_probes; i++)
		if (!strcmp(c->source->probes[i].tracepoint, event))
			return c->source->probes[i].fn;
	KUNIT_FAIL_AND_ABORT(c->test, "%s does not listen to %s", c->source->name, event);
	return NULL;
}
EXPORT_SYMBOL_FOR_MODULES(source_probe, "grtrace*");

struct source_interrupt {
	struct irq_work work;
	void (*fn)(void *data);
	void *data;
};

static void source_interrupt(struct irq_work *work)
{
	struct source_interrupt *interrupt = container_of(work, struct source_interrupt, work);

	interrupt->fn(interrupt->data);
}

/* Call @fn in an interrupt, and wait for it. */
void source_in_hardirq(void (*fn)(void *data), void *data)
{
	struct source_interrupt interrupt = {
		.work = IRQ_WORK_INIT_HARD(source_interrupt),
		.fn = fn,
		.data = data,
	};

	irq_work_queue(&interrupt.work);
	irq_work_sync(&interrupt.work);
}
EXPORT_SYMBOL_FOR_MODULES(source_in_hardirq, "grtrace*");

/* A device, and a session. The caller fills in @first and @last. */
void source_start(struct source_case *c, struct kunit *test, const struct grtrace_source *source)
{
	c->test = test;
	c->source = source;
	if (!c->dev)
		c->dev = kunit_device_register(test, source->name);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c->dev);
	c->stream = trial_start(test, "");
	c->at = 0;
}
EXPORT_SYMBOL_FOR_MODULES(source_start, "grtrace*");

/* Stop the session, and read it. */
void source_stop(struct source_case *c)
{
	trial_stop(c->test, c->stream);
}
EXPORT_SYMBOL_FOR_MODULES(source_stop, "grtrace*");

/* Retire a ring, and say which id it had. */
u32 source_forget(const void *key)
{
	struct grtrace_ring *ring = grtrace_ring_find(key);

	if (!ring)
		return GRTRACE_RING_NONE;
	grtrace_ring_retire(key);
	return ring->id;
}
EXPORT_SYMBOL_FOR_MODULES(source_forget, "grtrace*");

/*
 * The last note of a ring of the case's device, by its id or its name, or NULL.
 * KUnit's name for the device may have been cut.
 */
static const struct grtrace_rec_ring *
source_find_ring(const struct source_case *c, u32 id, const char *name)
{
	const struct grtrace_rec_ring *ring, *last = NULL;
	size_t i;

	for (i = 0; i < c->stream->n; i++) {
		ring = c->stream->record[i].raw;
		if (c->stream->record[i].type == GRTRACE_RING &&
		    !strncmp(ring->device, dev_name(c->dev), sizeof(ring->device) - 1) &&
		    (name ? !strcmp(ring->name, name) : le32_to_cpu(ring->ring) == id))
			last = ring;
	}
	return last;
}

/* The last ring of the device with a name; that there is one is asserted. */
u32 source_ring_id(const struct source_case *c, const char *name)
{
	const struct grtrace_rec_ring *ring = source_find_ring(c, 0, name);

	KUNIT_ASSERT_NOT_NULL_MSG(c->test, ring, "no ring %s", name);
	return le32_to_cpu(ring->ring);
}
EXPORT_SYMBOL_FOR_MODULES(source_ring_id, "grtrace*");

/* The stream must have this of a ring in the end. */
void source_expect_ring(const struct source_case *c, u32 id, const char *driver,
			const char *name, enum grtrace_engine_class engine_class)
{
	const struct grtrace_rec_ring *ring = source_find_ring(c, id, NULL);

	KUNIT_ASSERT_NOT_NULL_MSG(c->test, ring, "no ring %s", name);
	KUNIT_EXPECT_STREQ(c->test, ring->driver, driver);
	KUNIT_EXPECT_STREQ(c->test, ring->name, name);
	KUNIT_EXPECT_EQ_MSG(c->test, le32_to_cpu(ring->engine_class),
			    engine_class, "ring %s", name);
}
EXPORT_SYMBOL_FOR_MODULES(source_expect_ring, "grtrace*");

/* And what it says beside names. */
void source_expect_ring_flags(const struct source_case *c, u32 id, u32 flags, u32 timeout_ms)
{
	const struct grtrace_rec_ring *ring = source_find_ring(c, id, NULL);

	KUNIT_ASSERT_NOT_NULL_MSG(c->test, ring, "no ring %u", id);
	KUNIT_EXPECT_EQ_MSG(c->test, le32_to_cpu(ring->flags), flags, "ring %s", ring->name);
	KUNIT_EXPECT_EQ_MSG(c->test, le32_to_cpu(ring->timeout_ms), timeout_ms, "ring %s",
			    ring->name);
}
EXPORT_SYMBOL_FOR_MODULES(source_expect_ring_flags, "grtrace*");

/* Others may be at work meanwhile. */
static bool source_is_ours(const struct source_case *c, const struct stream_record *record)
{
	const struct grtrace_rec_job *job = record->raw;
	u32 ring = le32_to_cpu(job->ring);

	if (record->type >= GRTRACE_TYPE_LIMIT)
		return false;
	if (record->ctx >= c->first && record->ctx <= c->last)
		return true;
	return ring != GRTRACE_RING_NONE && source_find_ring(c, ring, NULL);
}

static const struct stream_record *source_next(struct source_case *c)
{
	while (c->at < c->stream->n)
		if (source_is_ours(c, &c->stream->record[c->at++]))
			return &c->stream->record[c->at - 1];
	return NULL;
}

union source_bytes {
	struct grtrace_rec_job job;
	struct {
		__le32 job[8];
		__le32 more[24];
	} words;
};

/* The bytes that the uAPI header asks for, each at its place. */
static void source_fill(union source_bytes *bytes, const struct source_record *want)
{
	__le32 *more = bytes->words.more;
	size_t size = 32;

	memset(bytes, 0, sizeof(*bytes));
	if (want->type == GRTRACE_ERROR) {
		size = 128;
		more[0] = cpu_to_le32(want->kind);
		more[1] = cpu_to_le32(want->code);
		more[2] = cpu_to_le32(want->pid);
		if (want->comm)
			strscpy((char *)&more[4], want->comm, 16);
		if (want->text)
			strscpy((char *)&more[8], want->text, 64);
	} else if (want->type == GRTRACE_QUEUE) {
		size = 48;
		more[0] = cpu_to_le32(want->state);
		more[1] = cpu_to_le32(want->reason);
		more[2] = cpu_to_le32(want->client);
		more[3] = cpu_to_le32(want->client >> 32);
	} else if (want->type == GRTRACE_SUBMIT) {
		size = want->answered ? 56 : 40;
		more[0] = cpu_to_le32(want->client);
		more[1] = cpu_to_le32(want->client >> 32);
		more[2] = cpu_to_le32(want->fence_ctx);
		more[3] = cpu_to_le32(want->fence_seqno);
		more[4] = cpu_to_le32(want->command);
	} else if (want->answered) {
		size = 40;
		more[0] = cpu_to_le32(want->command);
	} else if (want->fence_ctx || want->type == GRTRACE_CTX_SWITCH) {
		size = 40;
		more[0] = cpu_to_le32(want->fence_ctx);
		more[1] = cpu_to_le32(want->fence_seqno);
	}
	bytes->job = (struct grtrace_rec_job) {
		.seq.hdr.type = cpu_to_le16(want->type),
		.seq.hdr.size = cpu_to_le16(size),
		.ctx = cpu_to_le32(want->ctx),
		.seqno = cpu_to_le32(want->seqno),
		.ring = cpu_to_le32(want->ring),
		.flags = cpu_to_le16(want->flags),
		.arg = cpu_to_le16(want->arg),
	};
}

/* The case's next records must be these. */
void source_expect(struct source_case *c, const struct source_record *want, size_t n)
{
	const struct stream_record *record;
	union source_bytes bytes;

	for (; n--; want++) {
		if (!want->type)
			continue;
		record = source_next(c);
		KUNIT_ASSERT_NOT_NULL_MSG(c->test, record,
					  "%zu records are missing, the first is %s",
					  n + 1, grtrace_record_event_name(want->type));
		source_fill(&bytes, want);
		stream_same(c->test, record, &bytes.job);
		/* the packet's upper half is that of no context, too */
		KUNIT_EXPECT_EQ(c->test, record->ctx, want->ctx);
	}
}
EXPORT_SYMBOL_FOR_MODULES(source_expect, "grtrace*");

/* There must be no more records of the case. */
void source_expect_end(struct source_case *c)
{
	const struct stream_record *record = source_next(c);

	if (record)
		KUNIT_FAIL(c->test, "one record more, of type %u", record->type);
}
EXPORT_SYMBOL_FOR_MODULES(source_expect_end, "grtrace*");
