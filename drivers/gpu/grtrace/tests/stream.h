/* SPDX-License-Identifier: GPL-2.0 */
/* A reader that believes only the uAPI header, and a channel to read. */
#ifndef _GRTRACE_TESTS_STREAM_H_
#define _GRTRACE_TESTS_STREAM_H_

#include <kunit/test.h>

#include "../channel.h"

/**
 * struct stream_record - a record as it was read, widened
 *
 * @cpu: the CPU that wrote it
 * @type: its type
 * @size: its bytes
 * @ts: its time stamp; of LOST, that of its packet
 * @seq: gseq, or with order=clock the low half of cseq; 0 if not sequenced
 * @cseq: its cseq; of a record that is not sequenced, the next one's
 * @ctx: its context, of an event
 * @sample: sampling of its packet
 * @raw: its bytes
 */
struct stream_record {
	unsigned int cpu;
	unsigned int type;
	unsigned int size;
	u64 ts;
	u64 seq;
	u64 cseq;
	u64 ctx;
	u32 sample;
	const void *raw;
};

/* What the reader knows of a CPU. */
struct stream_cpu {
	u64 cseq;
	u64 told;
	u64 overwritten;
};

/**
 * struct stream - what was read of a channel
 *
 * @test: the test
 * @channel: the channel
 * @dir: directory of its files, where the channel is the test's own
 * @record: the records, CPU by CPU, packets included
 * @n: their number
 * @room: for how many @record has room
 * @bytes: bytes read
 * @cpu: by CPU
 * @counters_reset: the session's counters tell of a part of it
 */
struct stream {
	struct kunit *test;
	struct grtrace_channel *channel;
	struct dentry *dir;
	struct stream_record *record;
	size_t n;
	size_t room;
	size_t bytes;
	struct stream_cpu *cpu;
	bool counters_reset;
};

/**
 * struct stream_write - what a test writes
 *
 * @kind: event, note or info
 * @size: bytes, 0 for those of an ordinary event
 * @ts: when
 * @ctx: context of an event
 * @sample: sampling, 0 for every job
 * @tag: seqno of an event, to know it again
 */
struct stream_write {
	enum grtrace_rec_kind kind;
	size_t size;
	u64 ts;
	u64 ctx;
	u32 sample;
	u32 tag;
};

bool stream_put(struct stream *stream, const struct stream_write *what);
bool stream_write(struct stream *stream, const struct stream_write *what);

struct stream *stream_create(struct kunit *test,
			     const struct grtrace_channel *template);
struct stream *stream_wrap(struct kunit *test, struct grtrace_channel *channel);
void stream_destroy(struct stream *stream);
void stream_read(struct stream *stream);
void stream_decode(struct stream *stream, unsigned int cpu, const void *data,
		   size_t size);

size_t stream_count(const struct stream *stream, unsigned int type);
const struct stream_record *stream_nth(const struct stream *stream,
				       unsigned int type, size_t nth);
void stream_same(struct kunit *test, const struct stream_record *record,
		 const struct grtrace_rec_job *want);
struct rchan_buf *stream_buf(const struct stream *stream, unsigned int cpu);

#endif /* _GRTRACE_TESTS_STREAM_H_ */
