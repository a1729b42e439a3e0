/* SPDX-License-Identifier: GPL-2.0 */
/* A reader that believes only the uAPI header, and a channel to read. */
#ifndef _GRTRACE_TESTS_STREAM_H_
#define _GRTRACE_TESTS_STREAM_H_

#include <kunit/test.h>

#include "../channel_write.h"

/* Zeroed memory of the test's; that there is some is asserted. */
static inline void *test_zalloc(struct kunit *test, size_t size)
{
	void *memory = kunit_kzalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, memory);
	return memory;
}

/* A record as it was read, widened. */
struct stream_record {
	unsigned int cpu;
	unsigned int type;
	unsigned int size;
	u64 ts;		/* of LOST, that of its packet */
	u64 seq;	/* gseq; of STOP, the next one */
	u64 cseq;	/* if it is not sequenced, the next one's */
	u64 ctx;	/* of an event */
	u32 sample;	/* of its packet */
	const void *raw;
};

/* The state of the reader for a CPU. */
struct stream_cpu {
	u64 cseq;
	u64 told;
	u64 overwritten;
	bool stopped;	/* nothing may follow */
};

/* The records of a channel as they were read, CPU by CPU, packets included. */
struct stream {
	struct kunit *test;
	struct grtrace_channel *channel;
	struct stream_record *record;
	size_t n;
	size_t room;
	size_t bytes;
	struct stream_cpu *cpu;
};

/* A record as a test writes it. */
struct stream_write {
	enum grtrace_rec_kind kind;
	size_t size;	/* 0 for that of an ordinary event */
	u64 ts;
	u64 ctx;	/* of an event */
	u32 sample;	/* 0 for every job */
	u32 tag;	/* seqno of an event, to know it again */
};

int stream_init(struct kunit *test);
void stream_exit(struct kunit *test);

bool stream_write(struct stream *stream, const struct stream_write *what);
struct stream *stream_create(struct kunit *test, const struct grtrace_channel *template);
struct stream *stream_wrap(struct kunit *test, struct grtrace_channel *channel);
void stream_read(struct stream *stream);
void stream_decode(struct stream *stream, unsigned int cpu, const void *data, size_t size);

/* A function, as a macro cannot put a counter's name together for a check to see. */
static inline u64 stat_now(enum grtrace_stat stat)
{
	return grtrace_stat_sum(stat);
}

/* A counter must be this, and this many records of a type must have been read. */
#define expect_stat(test, stat, n) \
	KUNIT_EXPECT_EQ_MSG(test, stat_now(GRTRACE_STAT_##stat), n, #stat)
#define expect_count(stream, type, n) \
	KUNIT_EXPECT_EQ_MSG((stream)->test, \
			    stream_count(stream, GRTRACE_##type), n, #type)

size_t stream_count(const struct stream *stream, unsigned int type);
const struct stream_record *stream_nth(const struct stream *stream, unsigned int type, size_t nth);
void stream_same(struct kunit *test, const struct stream_record *record,
		 const struct grtrace_rec_job *want);
struct rchan_buf *stream_buf(const struct stream *stream, unsigned int cpu);

#endif /* _GRTRACE_TESTS_STREAM_H_ */
