// SPDX-License-Identifier: GPL-2.0
/*
 * The channel, from a reserved record to a reader. Time is made up; what is
 * read is checked against the uAPI's rules by stream.c, and here for what was
 * to be in it.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/irqflags.h>
#include <linux/sizes.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "../channel_write.h"
#include "../stats.h"
#include "stream.h"

#define TEST_SESSION	0x1122334455667788ull
#define TEST_TS		(77ull * NSEC_PER_SEC)
#define TEST_NEAR	BIT_ULL(30)

#define EVENT_SIZE	sizeof(struct grtrace_rec_job)
#define PACKET_SIZE	sizeof(struct grtrace_rec_packet)
#define LOST_SIZE	sizeof(struct grtrace_rec_lost)

static bool test_event(struct stream *stream, u64 ts, u32 tag)
{
	return stream_write(stream, &(struct stream_write) { .ts = ts, .tag = tag });
}

static u32 record_tag(const struct stream_record *record)
{
	return le32_to_cpu(((const struct grtrace_rec_job *)record->raw)->seqno);
}

/* The buffer of the CPU that the tests run on. */
static struct rchan_buf *test_buf(struct stream *stream)
{
	return stream_buf(stream, raw_smp_processor_id());
}

static struct stream *test_stream(struct kunit *test, u32 n_subbufs, bool overwrite)
{
	return stream_create(test, &(struct grtrace_channel) {
		.session = TEST_SESSION,
		.subbuf_size = SZ_4K,
		.n_subbufs = n_subbufs,
		.overwrite = overwrite,
		.clock = GRTRACE_CLOCK_MONOTONIC,
	});
}

/* ------------------------------------------------------------- packets */

struct channel_next {
	const char *name;
	struct stream_write first;
	struct stream_write next;
	bool packet;	/* a packet must start between the two */
};

#define AT(_ts, ...) { .ts = TEST_TS + (_ts), __VA_ARGS__ }
#define NOTE .kind = GRTRACE_KIND_NOTE
#define INFO .kind = GRTRACE_KIND_INFO

static const struct channel_next channel_nexts[] = {
	{ "at the same time", AT(0), AT(0), false },
	{ "a little later", AT(0), AT(100), false },
	{ "just near enough", AT(0), AT(TEST_NEAR - 1), false },
	{ "2^30 ns later", AT(0), AT(TEST_NEAR), true },
	{ "2^32 ns later", AT(0), AT(4 * TEST_NEAR), true },
	{ "a day later", AT(0), AT(86400 * NSEC_PER_SEC), true },
	{ "a note 2^30 ns later", AT(0), AT(TEST_NEAR, NOTE), true },
	{ "an info 2^30 ns later", AT(0), AT(TEST_NEAR, INFO), true },
	{ "another context", AT(0, .ctx = 1), AT(0, .ctx = 0xffffffff), false },
	{ "a context with another upper half", AT(0, .ctx = 1), AT(0, .ctx = BIT_ULL(32)), true },
	{ "contexts of the same upper half", AT(0, .ctx = BIT_ULL(63)),
	  AT(0, .ctx = BIT_ULL(63) | 5), false },
	{ "a note has no context", AT(0, .ctx = BIT_ULL(40)), AT(0, NOTE), false },
	{ "an event after a note", AT(0, NOTE), AT(0, .ctx = 3), false },
	{ "an event of an upper half after a note", AT(0, NOTE),
	  AT(0, .ctx = BIT_ULL(40)), true },
	{ "another sampling", AT(0), AT(0, .sample = 2), true },
	{ "the same sampling", AT(0, .sample = 1000000), AT(0, .sample = 1000000), false },
	{ "an info after an event", AT(0), AT(0, INFO), false },
	{ "an event after an info", AT(0, INFO), AT(5), false },
};

KUNIT_ARRAY_PARAM_DESC(channel_next, channel_nexts, name);

static void channel_packet_between(struct kunit *test)
{
	const struct channel_next *next = test->param_value;
	const struct stream_write *written[] = { &next->first, &next->next };
	struct stream *stream = test_stream(test, 4, false);
	const struct stream_record *record;
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(written); i++)
		KUNIT_EXPECT_TRUE(test, stream_write(stream, written[i]));
	stream_read(stream);
	expect_count(stream, PACKET, next->packet ? 2 : 1);
	for (i = 0; i < stream->n; i++) {
		record = &stream->record[i];
		if (record->type == GRTRACE_PACKET)
			continue;
		KUNIT_ASSERT_LT(test, n, ARRAY_SIZE(written));
		if (written[n]->kind != GRTRACE_KIND_INFO)
			KUNIT_EXPECT_EQ(test, record->ts, written[n]->ts);
		if (written[n]->kind == GRTRACE_KIND_EVENT) {
			KUNIT_EXPECT_EQ(test, record->ctx, written[n]->ctx);
			KUNIT_EXPECT_EQ(test, record->sample, written[n]->sample ?: 1);
		}
		n++;
	}
	KUNIT_EXPECT_EQ(test, n, ARRAY_SIZE(written));
}

/* Half of what fits is skipped each time, for longer than 32 bits of ns; gseq runs over them. */
static void channel_halves_are_widened(struct kunit *test)
{
	struct stream *stream = test_stream(test, 4, false);
	u64 step = TEST_NEAR / 2 + 1;
	u32 i;

	atomic64_set(&stream->channel->gseq, U32_MAX - 20);
	for (i = 0; i < 60; i++)
		KUNIT_EXPECT_TRUE(test, test_event(stream, TEST_TS + i * step, i));
	stream_read(stream);
	for (i = 0; i < 60; i++) {
		const struct stream_record *record = stream_nth(stream, GRTRACE_PICK, i);

		KUNIT_EXPECT_EQ(test, record->ts, TEST_TS + i * step);
		KUNIT_EXPECT_EQ(test, record->seq, (u64)U32_MAX - 20 + i);
	}
}

/* -------------------------------------------------------- room and loss */

/* Write until there is no room; returns how many events were written. */
static u32 test_fill(struct stream *stream)
{
	u32 n = 0;

	while (test_event(stream, TEST_TS + n, n))
		n++;
	return n;
}

#define EVENTS_IN_SUBBUF	((SZ_4K - PACKET_SIZE - GRTRACE_END_ROOM) / EVENT_SIZE)
#define SUBBUF_USED		(PACKET_SIZE + EVENTS_IN_SUBBUF * EVENT_SIZE)

static void channel_fills_and_wraps(struct kunit *test)
{
	struct stream *stream = test_stream(test, 4, false);
	struct grtrace_chan_cpu *c = per_cpu_ptr(stream->channel->cpu, raw_smp_processor_id());
	u32 written = 0, round, i;

	KUNIT_EXPECT_EQ(test, grtrace_channel_fill(c), 0);
	test_event(stream, TEST_TS, written++);
	KUNIT_EXPECT_EQ(test, grtrace_channel_fill(c), PACKET_SIZE + EVENT_SIZE);
	while (written <= EVENTS_IN_SUBBUF)
		test_event(stream, TEST_TS, written++);
	KUNIT_EXPECT_EQ(test, grtrace_channel_fill(c), SZ_4K + PACKET_SIZE + EVENT_SIZE);
	while (test_event(stream, TEST_TS, written))
		written++;
	KUNIT_EXPECT_EQ(test, grtrace_channel_fill(c), 4 * SZ_4K);
	KUNIT_EXPECT_EQ(test, written, 4 * EVENTS_IN_SUBBUF);
	stream_read(stream);
	KUNIT_EXPECT_EQ(test, grtrace_channel_fill(c), 0);
	expect_count(stream, PICK, written);
	expect_count(stream, LOST, 1);
	/* round and round: nothing is lost while a reader reads */
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 3 * EVENTS_IN_SUBBUF; i++)
			KUNIT_EXPECT_TRUE(test, test_event(stream, TEST_TS, written++));
		stream_read(stream);
	}
	expect_count(stream, LOST, 1);
	KUNIT_ASSERT_EQ(test, stream_count(stream, GRTRACE_PICK), written);
	for (i = 0; i < written; i += 77)
		KUNIT_EXPECT_EQ(test, record_tag(stream_nth(stream, GRTRACE_PICK, i)), i);
	expect_stat(test, RESERVE_FAIL, 1);
}

/* A row is done to a channel of two sub-buffers, which then reports these losses. */
enum channel_deed { DEEDS_END, PUT, LIMITED, PRESSURE, NMI, FILL, FLUSH, DRAIN };

struct channel_loss {
	const char *name;
	struct {
		enum channel_deed deed;
		u32 n;	/* so often, each a nanosecond later */
		struct stream_write write;
	} deeds[7];
	struct grtrace_loss told[2];	/* not when, where there is no last time */
	struct {
		enum grtrace_stat stat;
		u64 n;
	} stats[4];
};

#define FILLED		U64_MAX	/* when FILL lost the event that found no room */
#define LARGEST		(SZ_4K - PACKET_SIZE - LOST_SIZE - GRTRACE_END_ROOM)
#define STAT(name, n)	{ GRTRACE_STAT_##name, n }

static const struct channel_loss channel_losses[] = {
	/* what is not sequenced takes no number */
	{ "at its place", { { FILL, 1 }, { PUT, 1, AT(5000) },
	  { PUT, 1, AT(6000, NOTE, .size = 48) }, { PUT, 1, AT(6500, INFO, .size = 56) },
	  { DRAIN, 1 }, { PUT, 1, AT(7000) } },
	  { { .events = 2, .notes = 1, .first = FILLED, .last = 6500 } },
	  { STAT(RESERVE_FAIL, 2), STAT(LOST_NOTES, 2),
	    STAT(BYTES_DROPPED, 2 * EVENT_SIZE + 48 + 56) } },
	/* no record follows, and there is no room to report it */
	{ "to the reader, once",
	  { { FILL, 1 }, { PUT, 9, AT(100000) }, { FLUSH, 1 }, { DRAIN, 2 } },
	  { { .events = 10, .first = FILLED, .last = 100008 } } },
	{ "by reason", { { PUT, 1, AT(0) }, { LIMITED, 5, AT(10) }, { PRESSURE, 3, AT(20) },
	  { FILL, 1 }, { PRESSURE, 1, AT(90000) } },
	  { { .events = 8, .limited = 5, .pressure = 3, .first = 10, .last = 22 },
	    { .events = 2, .pressure = 1, .first = FILLED, .last = 90000 } },
	  { STAT(RATE_LIMITED, 5), STAT(BACKPRESSURE, 4), STAT(RESERVE_FAIL, 1), STAT(LOST, 10) } },
	/* the next writer with room for a packet reports it, or the next reader */
	{ "in NMIs, which only count", { { PUT, 1, AT(0) }, { NMI, 2 }, { DRAIN, 1 }, { NMI, 1 },
	  { PUT, 1, AT(2 * TEST_NEAR) } },
	  { { .events = 2 }, { .events = 1 } }, { STAT(NMI, 3) } },
	/* the largest there is has room, with what was lost before it */
	{ "the oversized", { { PUT, 1, AT(0, .size = LARGEST + 8) },
	  { PUT, 1, AT(1, .size = SZ_64K - 8) }, { PUT, 1, AT(2, .size = LARGEST) },
	  { PUT, 1, AT(3) } },
	  { { .events = 2, .first = 0, .last = 1 } }, { STAT(OVERSIZE, 2), STAT(LOST_NOTES, 0) } },
};

KUNIT_ARRAY_PARAM_DESC(channel_loss, channel_losses, name);

/* Returns how many events were written. */
static u32 channel_do(struct stream *stream, enum channel_deed deed,
		      const struct stream_write *write)
{
	if (deed == PUT)
		return stream_write(stream, write) && write->kind == GRTRACE_KIND_EVENT;
	guard(irqsave)();
	if (deed == NMI)
		grtrace_channel_nmi(stream->channel);
	else
		grtrace_channel_refuse(grtrace_channel_cpu(stream->channel), deed == PRESSURE,
				       write->ts);
	return 0;
}

/* stream.c looks at the place: a number for each that was lost, before the next record. */
static void channel_tells_what_is_lost(struct kunit *test)
{
	struct stream *stream = test_stream(test, 2, false);
	const struct channel_loss *loss = test->param_value;
	u32 i, n, written = 0, numbers = 0, filled = 0, cpu = raw_smp_processor_id();
	const struct grtrace_rec_lost *lost;
	const struct grtrace_loss *told;
	struct stream_write write;

	for (i = 0; loss->deeds[i].deed; i++)
		for (n = 0; n < loss->deeds[i].n; n++) {
			write = loss->deeds[i].write;
			write.ts += n;
			switch (loss->deeds[i].deed) {
			case FLUSH:
				grtrace_channel_close_packet(test_buf(stream));
				break;
			case DRAIN:
				stream_read(stream);
				break;
			case FILL:
				filled = test_fill(stream);
				written += filled;
				numbers += filled + 1;
				break;
			default:
				written += channel_do(stream, loss->deeds[i].deed, &write);
				numbers += write.kind != GRTRACE_KIND_INFO;
			}
			KUNIT_EXPECT_EQ(test, grtrace_channel_cseq(stream->channel, cpu), numbers);
		}
	stream_read(stream);

	expect_count(stream, PICK, written);
	for (i = 0; i < ARRAY_SIZE(loss->told) && loss->told[i].events; i++) {
		told = &loss->told[i];
		lost = stream_nth(stream, GRTRACE_LOST, i)->raw;
		KUNIT_EXPECT_EQ(test, le64_to_cpu(lost->events), told->events);
		KUNIT_EXPECT_EQ(test, le64_to_cpu(lost->limited), told->limited);
		KUNIT_EXPECT_EQ(test, le64_to_cpu(lost->pressure), told->pressure);
		KUNIT_EXPECT_EQ(test, le32_to_cpu(lost->notes), told->notes);
		if (!told->last)
			continue;
		KUNIT_EXPECT_EQ(test, le64_to_cpu(lost->first_ts),
				TEST_TS + (told->first == FILLED ? filled : told->first));
		KUNIT_EXPECT_EQ(test, le64_to_cpu(lost->last_ts), TEST_TS + told->last);
	}
	expect_count(stream, LOST, i);
	for (i = 0; i < ARRAY_SIZE(loss->stats); i++)
		KUNIT_EXPECT_EQ_MSG(test, grtrace_stat_sum(loss->stats[i].stat),
				    loss->stats[i].n, "%s", grtrace_stat_name(loss->stats[i].stat));
}

/* ------------------------------------------------------------- the end */

/* The deeds of a CPU before the session stops; a channel has two sub-buffers. */
struct channel_end {
	const char *name;
	bool overwrite;
	u32 events;	/* EVENTS_FULL: until there is no room */
	u32 lost;	/* then this number of others find none */
	u32 refused;	/* then by the rate limit */
	u32 nmis;
	bool close;	/* then the packet is closed, as for a snapshot */
	bool drain;	/* then all is read */
	size_t packets;	/* of what is left to be read */
};

#define EVENTS_FULL	U32_MAX

static const struct channel_end channel_ends[] = {
	{ "nothing", .packets = 1 },
	{ "a packet in progress", .events = 3, .packets = 1 },
	{ "a packet that was read", .events = 3, .drain = true, .packets = 1 },
	{ "a packet full to the last byte", .events = EVENTS_IN_SUBBUF, .packets = 1 },
	{ "refused events only", .refused = 5, .packets = 1 },
	{ "refused events in a full packet", .events = EVENTS_IN_SUBBUF, .refused = 5,
	  .packets = 1 },
	{ "events in NMIs", .events = 3, .nmis = 4, .packets = 1 },
	{ "all its room full", .events = 2 * EVENTS_IN_SUBBUF, .packets = 2 },
	{ "all its room full, and closed", .events = 2 * EVENTS_IN_SUBBUF, .close = true,
	  .packets = 2 },
	{ "more than there was room for", .events = EVENTS_FULL, .lost = 9, .nmis = 2,
	  .packets = 2 },
	{ "more than there was room for, and read", .events = EVENTS_FULL, .lost = 9,
	  .drain = true, .packets = 1 },
	{ "many turns of a flight recorder", true, .events = 13 * EVENTS_IN_SUBBUF,
	  .packets = 1 },
	{ "refused by a flight recorder", true, .events = 13 * EVENTS_IN_SUBBUF, .refused = 5,
	  .packets = 1 },
};

KUNIT_ARRAY_PARAM_DESC(channel_end, channel_ends, name);

/* The STOP has room, and a LOST before it, whatever came before; stream.c checks its numbers. */
static void channel_stops_after(struct kunit *test)
{
	const struct channel_end *end = test->param_value;
	struct stream *stream = test_stream(test, 2, end->overwrite), *rest;
	u32 i, n = 0, cpu = raw_smp_processor_id(), refused = end->refused;
	u64 lost = end->lost + end->refused + end->nmis;
	const struct grtrace_rec_stop *stop;
	const struct stream_write limited = AT(5);

	if (end->events == EVENTS_FULL) {
		n = test_fill(stream);
		lost++;
	}
	for (; end->events != EVENTS_FULL && n < end->events; n++)
		KUNIT_EXPECT_TRUE(test, test_event(stream, TEST_TS + n, n));
	for (i = 0; i < end->lost; i++)
		KUNIT_EXPECT_FALSE(test, test_event(stream, TEST_TS + n, n));
	while (refused--)
		channel_do(stream, LIMITED, &limited);
	for (i = 0; i < end->nmis; i++)
		channel_do(stream, NMI, NULL);
	if (end->close)
		grtrace_channel_close_packet(test_buf(stream));
	if (end->drain)
		stream_read(stream);
	rest = stream_wrap(test, stream->channel);
	memcpy(rest->cpu, stream->cpu, nr_cpu_ids * sizeof(*rest->cpu));
	grtrace_channel_stop(stream->channel);
	stream_read(rest);

	/* one on each CPU, this one's is its last record */
	KUNIT_EXPECT_EQ(test, stream_count(rest, GRTRACE_STOP), num_online_cpus());
	KUNIT_EXPECT_EQ(test, stream_count(rest, GRTRACE_PACKET),
			end->packets + num_online_cpus() - 1);
	for_each_online_cpu(i)
		KUNIT_EXPECT_TRUE(test, rest->cpu[i].stopped);
	KUNIT_EXPECT_EQ(test, stream_count(stream, GRTRACE_PICK) +
			stream_count(rest, GRTRACE_PICK) + rest->cpu[cpu].overwritten, n);
	for (i = 0; i < rest->n; i++) {
		if (rest->record[i].type != GRTRACE_STOP || rest->record[i].cpu != cpu)
			continue;
		stop = rest->record[i].raw;
		KUNIT_EXPECT_EQ(test, le64_to_cpu(stop->gseq), n);
		KUNIT_EXPECT_EQ(test, le64_to_cpu(stop->cseq), n + lost);
		KUNIT_EXPECT_EQ(test, le64_to_cpu(stop->lost), lost);
	}
	/* nothing is left to be reported or closed */
	stream_read(rest);
	KUNIT_EXPECT_EQ(test, i, rest->n);
}

/* ------------------------------------------------------ flight recorder */

/* A reader of its own, of a copy of all that there is now. */
static struct stream *channel_copy(struct stream *stream)
{
	unsigned int cpu = raw_smp_processor_id();
	struct stream *copy = stream_wrap(stream->test, stream->channel);
	void *to = test_zalloc(stream->test, 4 * SZ_4K);

	stream_decode(copy, cpu, to, grtrace_channel_copy(stream_buf(stream, cpu), to, 4 * SZ_4K));
	return copy;
}

static void channel_overwrites_the_oldest(struct kunit *test)
{
	struct stream *stream = test_stream(test, 4, true), *copy;
	unsigned int cpu = raw_smp_processor_id();
	u32 i, n = 13 * EVENTS_IN_SUBBUF + 5, read;

	for (i = 0; i < n; i++)
		KUNIT_EXPECT_TRUE(test, test_event(stream, TEST_TS + i, i));
	/* the sub-buffer in progress, and the three before it */
	expect_stat(test, OVERWRITTEN, 10 * EVENTS_IN_SUBBUF);
	copy = channel_copy(stream);
	stream_read(stream);
	read = stream_count(stream, GRTRACE_PICK);
	KUNIT_EXPECT_EQ(test, read + stream->cpu[cpu].overwritten, n);
	KUNIT_EXPECT_EQ(test, read + grtrace_stat_sum(GRTRACE_STAT_OVERWRITTEN), n);
	for (i = 0; i < read; i++)
		KUNIT_EXPECT_EQ(test, record_tag(stream_nth(stream, GRTRACE_PICK, i)),
				n - read + i);
	expect_count(stream, LOST, 0);
	expect_stat(test, RESERVE_FAIL, 0);

	KUNIT_EXPECT_GE(test, stream_count(copy, GRTRACE_PICK), 2 * EVENTS_IN_SUBBUF + 5);
	KUNIT_EXPECT_EQ(test, record_tag(&copy->record[copy->n - 1]), n - 1);
	KUNIT_EXPECT_EQ(test, stream_count(copy, GRTRACE_PICK) + copy->cpu[cpu].overwritten, n);
}

/* The fate of the records of a row, done to a flight recorder between others that fit. */
struct channel_fate {
	const char *name;
	enum channel_deed deed;
	struct stream_write write;
	struct {
		enum grtrace_stat stat;
		u64 n;
	} stats[4];	/* all other counters of losses stay */
};

static const struct channel_fate channel_fates[] = {
	{ "nothing more", DEEDS_END },
	{ "events that fit", PUT, AT(5), { STAT(OVERWRITTEN, 7) } },
	{ "notes that fit", PUT, AT(5, NOTE, .size = 48) },
	{ "infos that fit", PUT, AT(5, INFO, .size = 48) },
	{ "above the rate limit", LIMITED, AT(5), { STAT(RATE_LIMITED, 7), STAT(LOST, 7) } },
	{ "above the threshold", PRESSURE, AT(5), { STAT(BACKPRESSURE, 7), STAT(LOST, 7) } },
	{ "in NMIs", NMI, AT(5), { STAT(NMI, 7), STAT(LOST, 7) } },
	{ "oversized events", PUT, AT(5, .size = 8192),
	  { STAT(OVERSIZE, 7), STAT(LOST, 7), STAT(BYTES_DROPPED, 57344) } },
	{ "oversized notes", PUT, AT(5, NOTE, .size = 8192),
	  { STAT(LOST_NOTES, 7), STAT(BYTES_DROPPED, 57344) } },
	{ "oversized infos", PUT, AT(5, INFO, .size = 8192),
	  { STAT(LOST_NOTES, 7), STAT(BYTES_DROPPED, 57344) } },
};

KUNIT_ARRAY_PARAM_DESC(channel_fate, channel_fates, name);

/*
 * Seven records of the row, and five events, are in a sub-buffer that is overwritten then:
 * what was lost before counts as lost, and only what was written as overwritten.
 */
static void channel_counts_each_loss_once(struct kunit *test)
{
	static const enum grtrace_stat losses[] = {
		GRTRACE_STAT_FILTERED, GRTRACE_STAT_SAMPLED_OUT, GRTRACE_STAT_RATE_LIMITED,
		GRTRACE_STAT_BACKPRESSURE, GRTRACE_STAT_RESERVE_FAIL, GRTRACE_STAT_OVERSIZE,
		GRTRACE_STAT_NMI, GRTRACE_STAT_LOST, GRTRACE_STAT_LOST_NOTES,
		GRTRACE_STAT_BYTES_DROPPED, GRTRACE_STAT_OVERWRITTEN,
	};
	struct stream *stream = test_stream(test, 2, true);
	const struct channel_fate *fate = test->param_value;
	size_t i, k;
	u64 want;

	for (i = 0; i < 3; i++)
		test_event(stream, TEST_TS, i);
	for (i = 0; i < 7 && fate->deed; i++)
		channel_do(stream, fate->deed, &fate->write);
	for (i = 3; i < 5; i++)
		test_event(stream, TEST_TS + 9, i);
	/* the second sub-buffer, then the place of the first again */
	grtrace_channel_close_packet(test_buf(stream));
	expect_stat(test, OVERWRITTEN, 0);
	test_event(stream, TEST_TS + 10, 5);
	grtrace_channel_close_packet(test_buf(stream));
	for (i = 0; i < ARRAY_SIZE(losses); i++) {
		want = losses[i] == GRTRACE_STAT_OVERWRITTEN ? 5 : 0;
		for (k = 0; k < ARRAY_SIZE(fate->stats) && fate->stats[k].n; k++)
			want += fate->stats[k].stat == losses[i] ? fate->stats[k].n : 0;
		KUNIT_EXPECT_EQ_MSG(test, grtrace_stat_sum(losses[i]), want, "%s",
				    grtrace_stat_name(losses[i]));
	}
	/* and the second, which has one event */
	test_event(stream, TEST_TS + 11, 6);
	grtrace_channel_close_packet(test_buf(stream));
	expect_stat(test, OVERWRITTEN, want + 1);
}

static void channel_overwritten_while_read(struct kunit *test)
{
	struct stream *stream = test_stream(test, 4, true);
	struct rchan_buf *buf = test_buf(stream);
	const void *data;
	u32 i, n = 0;
	size_t size;

	while (n < 2 * EVENTS_IN_SUBBUF)
		test_event(stream, TEST_TS, n++);
	size = grtrace_channel_peek(buf, &data, false);
	KUNIT_EXPECT_EQ(test, size, SUBBUF_USED);
	/* the writer is back here before the copy is done */
	for (i = 0; i < 4 * EVENTS_IN_SUBBUF; i++)
		test_event(stream, TEST_TS, n++);
	KUNIT_EXPECT_FALSE(test, grtrace_channel_consume(buf, size));
	stream_read(stream);
	KUNIT_EXPECT_EQ(test, record_tag(&stream->record[stream->n - 1]), n - 1);
	KUNIT_EXPECT_EQ(test, stream_count(stream, GRTRACE_PICK) +
			stream->cpu[raw_smp_processor_id()].overwritten, n);
}

struct channel_cut {
	const char *name;
	bool overwrite;
	size_t room;
	size_t whole;	/* what is handed out of it */
};

#define TWO_EVENTS	(PACKET_SIZE + 2 * EVENT_SIZE)

/* A reader with little room gets whole records of the flight recorder, else any bytes. */
static const struct channel_cut channel_cuts[] = {
	{ "much room", false, SZ_4K, TWO_EVENTS },
	{ "just enough", false, TWO_EVENTS, TWO_EVENTS },
	{ "a few bytes", false, 7, 7 },
	{ "less than a packet", true, PACKET_SIZE - 1, 0 },
	{ "a packet", true, PACKET_SIZE, PACKET_SIZE },
	{ "a byte less than two events", true, TWO_EVENTS - 1, PACKET_SIZE + EVENT_SIZE },
	{ "two events", true, TWO_EVENTS, TWO_EVENTS },
};

KUNIT_ARRAY_PARAM_DESC(channel_cut, channel_cuts, name);

static void channel_cuts_for_the_reader(struct kunit *test)
{
	const struct channel_cut *cut = test->param_value;
	struct stream *stream = test_stream(test, 4, cut->overwrite);
	struct rchan_buf *buf = test_buf(stream);
	const void *data;
	size_t size;

	/* a channel at rest has nothing to read */
	KUNIT_EXPECT_EQ(test, grtrace_channel_peek(buf, &data, true), 0);
	grtrace_channel_close_packet(test_buf(stream));
	KUNIT_EXPECT_EQ(test, grtrace_channel_peek(buf, &data, true), 0);
	test_event(stream, TEST_TS, 0);
	test_event(stream, TEST_TS, 1);
	/* it is not finished */
	KUNIT_EXPECT_EQ(test, grtrace_channel_peek(buf, &data, false), 0);
	size = grtrace_channel_peek(buf, &data, true);
	KUNIT_EXPECT_EQ(test, size, TWO_EVENTS);
	KUNIT_EXPECT_EQ(test, grtrace_channel_whole(buf, data, size, cut->room), cut->whole);
	if (cut->overwrite)
		return;
	/* what is left comes next */
	KUNIT_EXPECT_TRUE(test, grtrace_channel_consume(buf, cut->whole));
	KUNIT_EXPECT_EQ(test, grtrace_channel_peek(buf, &data, true), size - cut->whole);
	if (cut->whole < size)
		KUNIT_EXPECT_TRUE(test, grtrace_channel_consume(buf, size - cut->whole));
	KUNIT_EXPECT_EQ(test, grtrace_channel_peek(buf, &data, true), 0);
}

/* A copy holds what was read as well, and changes nothing for the reader. */
static void channel_copy_disturbs_nobody(struct kunit *test)
{
	struct stream *stream = test_stream(test, 4, false);
	size_t size, little = 2 * (PACKET_SIZE + 20 * EVENT_SIZE);
	void *to = test_zalloc(test, little);
	u32 n = 0;

	KUNIT_EXPECT_EQ(test, channel_copy(stream)->n, 0);
	while (n < EVENTS_IN_SUBBUF + 10)
		test_event(stream, TEST_TS, n++);
	stream_read(stream);
	while (n < EVENTS_IN_SUBBUF + 30)
		test_event(stream, TEST_TS, n++);
	KUNIT_EXPECT_EQ(test, stream_count(channel_copy(stream), GRTRACE_PICK), n);
	while (n < EVENTS_IN_SUBBUF + 40)
		test_event(stream, TEST_TS, n++);
	stream_read(stream);
	expect_count(stream, PICK, n);
	/* whole packets only: of 10 and of 20 events, as the full one and the last do not fit */
	size = grtrace_channel_copy(test_buf(stream), to, little);
	KUNIT_EXPECT_EQ(test, size, 2 * PACKET_SIZE + 30 * EVENT_SIZE);
}

static void channel_of_more_than_there_is(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, PTR_ERR(grtrace_channel_create(&(struct grtrace_channel) {
		.subbuf_size = SZ_16M, .n_subbufs = U32_MAX })), -ENOMEM);
}

static struct kunit_case channel_test_cases[] = {
	KUNIT_CASE_PARAM(channel_packet_between, channel_next_gen_params),
	KUNIT_CASE(channel_halves_are_widened),
	KUNIT_CASE(channel_fills_and_wraps),
	KUNIT_CASE_PARAM(channel_tells_what_is_lost, channel_loss_gen_params),
	KUNIT_CASE_PARAM(channel_stops_after, channel_end_gen_params),
	KUNIT_CASE(channel_overwrites_the_oldest),
	KUNIT_CASE_PARAM(channel_counts_each_loss_once, channel_fate_gen_params),
	KUNIT_CASE(channel_overwritten_while_read),
	KUNIT_CASE_PARAM(channel_cuts_for_the_reader, channel_cut_gen_params),
	KUNIT_CASE(channel_copy_disturbs_nobody),
	KUNIT_CASE(channel_of_more_than_there_is),
	{}
};

static struct kunit_suite channel_test_suite = {
	.name = "grtrace_channel",
	.init = stream_init,
	.exit = stream_exit,
	.test_cases = channel_test_cases,
};

kunit_test_suite(channel_test_suite);
