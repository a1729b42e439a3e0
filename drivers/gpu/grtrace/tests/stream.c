// SPDX-License-Identifier: GPL-2.0
/*
 * Writes records, and reads them as user space does, whole packets at a time.
 * Each rule of the uAPI header is checked on the way: sizes, bases, widening,
 * cseq without a gap, losses reported at their place.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/irqflags.h>
#include <linux/math.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "stream.h"

#ifdef GRTRACE_COMPAT
#include "../compat.h"
#endif

static const struct file_operations stream_fops = {};

/* For a suite's init: its tests write on one CPU, and count what that does. */
int stream_init(struct kunit *test)
{
	grtrace_stats_reset();
	return set_cpus_allowed_ptr(current, cpumask_of(cpumask_first(cpu_online_mask)));
}

void stream_exit(struct kunit *test)
{
	grtrace_stats_reset();
}

/* A reader of a channel that was not read yet. */
struct stream *stream_wrap(struct kunit *test, struct grtrace_channel *channel)
{
	struct stream *stream = test_zalloc(test, sizeof(*stream));

	stream->test = test;
	stream->channel = channel;
	stream->cpu = test_zalloc(test, nr_cpu_ids * sizeof(*stream->cpu));
	return stream;
}

static void stream_close(void *channel)
{
	struct dentry *dir = ((struct grtrace_channel *)channel)->parent;

	grtrace_channel_close(channel);
	debugfs_remove(dir);
}

/* A channel of a test's own, with which it goes, and its reader. */
struct stream *stream_create(struct kunit *test, const struct grtrace_channel *template)
{
	struct stream *stream = stream_wrap(test, NULL);
	struct grtrace_channel own = *template;

	own.parent = debugfs_create_dir("grtrace-kunit", NULL);
	own.fops = &stream_fops;
	stream->channel = grtrace_channel_create(&own);
	if (IS_ERR(stream->channel)) {
		debugfs_remove(own.parent);
		KUNIT_FAIL_AND_ABORT(test, "no channel");
	}
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, stream_close, stream->channel), 0);
	return stream;
}

/* Relay's buffer of a CPU. */
struct rchan_buf *stream_buf(const struct stream *stream, unsigned int cpu)
{
	return *per_cpu_ptr(stream->channel->rchan->buf, cpu);
}

/* Write a record as record.c and hook.c do it, if there is room. */
bool stream_write(struct stream *stream, const struct stream_write *what)
{
	static const u16 types[] = {
		[GRTRACE_KIND_EVENT] = GRTRACE_PICK,
		[GRTRACE_KIND_NOTE] = GRTRACE_MESSAGE,
		[GRTRACE_KIND_INFO] = GRTRACE_METADATA,
	};
	size_t size = what->size ?: sizeof(struct grtrace_rec_job);
	struct grtrace_chan_cpu *c;
	struct grtrace_rec_job *rec;

	guard(irqsave)();
	c = grtrace_channel_cpu(stream->channel);
	if (!grtrace_channel_reserve(c, size, what->kind, what->ts, what->ctx, what->sample ?: 1))
		return false;
	rec = grtrace_channel_at(c);
	memset(rec, 0, size);
	rec->seq.hdr.type = cpu_to_le16(types[what->kind]);
	rec->seq.hdr.size = cpu_to_le16(size);
	if (what->kind != GRTRACE_KIND_INFO) {
		rec->seq.ts = cpu_to_le32(what->ts);
		rec->seq.seq = cpu_to_le32(grtrace_channel_seq(c));
	}
	if (what->kind == GRTRACE_KIND_EVENT) {
		rec->ctx = cpu_to_le32(what->ctx);
		rec->seqno = cpu_to_le32(what->tag);
	}
	grtrace_channel_publish(c, size, what->kind);
	return true;
}

/* The counts in a packet. */
struct stream_packet {
	u64 ts;
	u64 gseq;
	u64 lost;
	u32 ctx_hi;
	u32 sample;
};

/* The value nearest to @near whose low half is @low. */
static u64 stream_widen(u64 near, u32 low)
{
	return near + (s32)(low - (u32)near);
}

static void stream_add(struct stream *stream, const struct stream_record *record)
{
	struct stream_record *more;

	if (stream->n == stream->room) {
		stream->room = stream->room * 2 ?: 64;
		more = test_zalloc(stream->test, stream->room * sizeof(*more));
		memcpy(more, stream->record, stream->n * sizeof(*more));
		stream->record = more;
	}
	stream->record[stream->n++] = *record;
}

static void stream_see_packet(struct stream *stream, struct stream_record *record,
			      struct stream_packet *packet)
{
	const struct grtrace_channel *channel = stream->channel;
	struct stream_cpu *cpu = &stream->cpu[record->cpu];
	const struct grtrace_rec_packet *rec = record->raw;
	u64 cseq = le64_to_cpu(rec->cseq);
	struct kunit *test = stream->test;

	KUNIT_EXPECT_EQ(test, record->size, sizeof(*rec));
	KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->magic), GRTRACE_MAGIC);
	KUNIT_EXPECT_EQ(test, le16_to_cpu(rec->major), GRTRACE_VERSION_MAJOR);
	KUNIT_EXPECT_EQ(test, le16_to_cpu(rec->minor), GRTRACE_VERSION_MINOR);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->cpu), record->cpu);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(rec->session), channel->session);
	if (channel->overwrite && cseq > cpu->cseq) {
		cpu->overwritten += cseq - cpu->cseq;
		cpu->told = le64_to_cpu(rec->lost);
	} else {
		KUNIT_EXPECT_EQ(test, cseq, cpu->cseq);
	}
	cpu->cseq = cseq;
	*packet = (struct stream_packet) {
		.ts = le64_to_cpu(rec->ts),
		.gseq = le64_to_cpu(rec->gseq),
		.lost = le64_to_cpu(rec->lost),
		.ctx_hi = le32_to_cpu(rec->ctx_hi),
		.sample = le32_to_cpu(rec->sample),
	};
}

static void stream_see_lost(struct stream *stream, struct stream_record *record)
{
	struct stream_cpu *cpu = &stream->cpu[record->cpu];
	const struct grtrace_rec_lost *rec = record->raw;
	u64 events = le64_to_cpu(rec->events);
	u32 notes = le32_to_cpu(rec->notes);
	struct kunit *test = stream->test;

	KUNIT_EXPECT_EQ(test, record->size, sizeof(*rec));
	KUNIT_EXPECT_GT(test, events + notes, 0);
	KUNIT_EXPECT_LE(test, le64_to_cpu(rec->limited) + le64_to_cpu(rec->pressure), events);
	cpu->cseq += events + notes;
	cpu->told += events + notes;
}

static void stream_see_stop(struct stream *stream, struct stream_record *record,
			    const struct stream_packet *packet)
{
	struct stream_cpu *cpu = &stream->cpu[record->cpu];
	const struct grtrace_rec_stop *rec = record->raw;
	struct kunit *test = stream->test;

	KUNIT_EXPECT_EQ(test, record->size, sizeof(*rec));
	KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->reserved), 0);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(rec->cseq), cpu->cseq);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(rec->lost), cpu->told);
	KUNIT_EXPECT_GE(test, le64_to_cpu(rec->gseq), packet->gseq);
	record->ts = le64_to_cpu(rec->ts);
	record->seq = le64_to_cpu(rec->gseq);
	cpu->stopped = true;
}

static void stream_see_sequenced(struct stream *stream, struct stream_record *record,
				 struct stream_packet *packet)
{
	struct stream_cpu *cpu = &stream->cpu[record->cpu];
	const struct grtrace_rec_seq *rec = record->raw;
	u64 ts = stream_widen(packet->ts, le32_to_cpu(rec->ts));
	struct kunit *test = stream->test;

	KUNIT_EXPECT_GE(test, record->size, sizeof(*rec));
	/* all that was lost before is reported by now */
	KUNIT_EXPECT_EQ(test, cpu->told, packet->lost);
	KUNIT_EXPECT_LT(test, abs_diff(ts, packet->ts), BIT_ULL(30));
	packet->ts = ts;
	record->ts = ts;
	record->seq = stream_widen(packet->gseq, le32_to_cpu(rec->seq));
	packet->gseq = record->seq;
	if (record->type < GRTRACE_TYPE_LIMIT) {
		const struct grtrace_rec_job *job = record->raw;

		KUNIT_EXPECT_GE(test, record->size, record->type == GRTRACE_SUBMIT ?
				sizeof(struct grtrace_rec_submit) : sizeof(*job));
		record->ctx = (u64)packet->ctx_hi << 32 | le32_to_cpu(job->ctx);
	}
	cpu->cseq++;
}

/* Add whole packets of a CPU, which stay in place, to what was read. */
void stream_decode(struct stream *stream, unsigned int cpu, const void *data, size_t size)
{
	const struct grtrace_rec_hdr *hdr;
	struct kunit *test = stream->test;
	struct stream_packet packet = {};
	struct stream_record record;
	size_t at;

	stream->bytes += size;
	for (at = 0; at < size; at += record.size) {
		KUNIT_ASSERT_LE(test, at + sizeof(*hdr), size);
		hdr = data + at;
		record = (struct stream_record) {
			.cpu = cpu,
			.type = le16_to_cpu(hdr->type),
			.size = le16_to_cpu(hdr->size),
			.raw = hdr,
		};
		KUNIT_ASSERT_GE(test, record.size, sizeof(*hdr));
		KUNIT_ASSERT_EQ(test, record.size % 8, 0);
		KUNIT_ASSERT_LE(test, at + record.size, size);
		if (!at)
			KUNIT_ASSERT_EQ(test, record.type, GRTRACE_PACKET);
		KUNIT_EXPECT_FALSE(test, stream->cpu[cpu].stopped);
		if (record.type == GRTRACE_PACKET)
			stream_see_packet(stream, &record, &packet);
		record.ts = packet.ts;
		record.sample = packet.sample;
		if (record.type == GRTRACE_LOST)
			stream_see_lost(stream, &record);
		if (record.type == GRTRACE_STOP)
			stream_see_stop(stream, &record, &packet);
		record.cseq = stream->cpu[cpu].cseq;
		if (record.type != GRTRACE_PACKET && record.type != GRTRACE_LOST &&
		    record.type != GRTRACE_STOP && record.type != GRTRACE_STREAM_INFO &&
		    record.type != GRTRACE_METADATA)
			stream_see_sequenced(stream, &record, &packet);
		stream_add(stream, &record);
	}
}

/* Read all there is, the packets in progress included. */
void stream_read(struct stream *stream)
{
	struct kunit *test = stream->test;
	struct rchan_buf *buf;
	const void *data;
	unsigned int cpu;
	size_t size;
	void *copy;

	for_each_online_cpu(cpu) {
		buf = stream_buf(stream, cpu);
		KUNIT_ASSERT_NOT_NULL(test, buf);
		while ((size = grtrace_channel_peek(buf, &data, true))) {
			copy = test_zalloc(test, size);
			memcpy(copy, data, size);
			if (grtrace_channel_consume(buf, size))
				stream_decode(stream, cpu, copy, size);
		}
	}
}

/* Returns how many records of a type were read. */
size_t stream_count(const struct stream *stream, unsigned int type)
{
	size_t i, n = 0;

	for (i = 0; i < stream->n; i++)
		n += stream->record[i].type == type;
	return n;
}
EXPORT_SYMBOL_FOR_MODULES(stream_count, "grtrace*");

/* A record of a type, from 0 on; that there is one is asserted. */
const struct stream_record *stream_nth(const struct stream *stream, unsigned int type, size_t nth)
{
	size_t i;

	for (i = 0; i < stream->n; i++)
		if (stream->record[i].type == type && !nth--)
			return &stream->record[i];
	KUNIT_FAIL_AND_ABORT(stream->test, "too few records of type %u", type);
	return NULL;
}
EXPORT_SYMBOL_FOR_MODULES(stream_nth, "grtrace*");

/* A record must be this to the byte, with 0 for when and by whom. */
void stream_same(struct kunit *test, const struct stream_record *record,
		 const struct grtrace_rec_job *want)
{
	unsigned int type = le16_to_cpu(want->seq.hdr.type);
	size_t size = le16_to_cpu(want->seq.hdr.size);
	struct grtrace_rec_seq *seq;
	u8 bytes[sizeof(struct grtrace_rec_error)] __aligned(8);

	KUNIT_ASSERT_NOT_NULL_MSG(test, record, "too few records of type %u", type);
	KUNIT_ASSERT_EQ_MSG(test, record->size, size, "type %u", type);
	KUNIT_ASSERT_LE(test, size, sizeof(bytes));
	memcpy(bytes, record->raw, size);
	seq = (void *)bytes;
	*seq = (struct grtrace_rec_seq) { .hdr = seq->hdr };
	KUNIT_EXPECT_MEMEQ_MSG(test, bytes, (const void *)want, size, "type %u", type);
}
EXPORT_SYMBOL_FOR_MODULES(stream_same, "grtrace*");
