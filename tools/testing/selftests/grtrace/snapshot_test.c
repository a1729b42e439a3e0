// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots: what the channel held at one moment, kept while recording continues;
 * by hand, or when something was slow or failed.
 */
#include "../kselftest_harness.h"

#include "grtrace_session.h"

#define SLOW_US	200000

GRTRACE_FIXTURE(snapshot, "mode=overwrite subbuf_size=4096 n_subbufs=4")

/* The content of a snapshot. */
struct frozen {
	char reason[32];
	unsigned long long ts;
	unsigned int cpus;		/* with packets */
	unsigned int events;
	uint32_t first;			/* seqno of the first SUBMIT */
	uint32_t last;			/* seqno of the last SUBMIT */
	bool holes;			/* in their seqnos */
	bool starts_with_metadata;
	const char *fault;
};

/* The line "snapshot REASON TS" of the METADATA text. */
static void frozen_line(struct frozen *frozen, const struct grtrace_rec_metadata *metadata)
{
	size_t length = le16toh(metadata->hdr.size) - sizeof(*metadata);
	char text[2048], *line;

	if (length >= sizeof(text))
		length = sizeof(text) - 1;
	memcpy(text, metadata->text, length);
	text[length] = '\0';
	line = !strncmp(text, "snapshot ", 9) ? text : strstr(text, "\nsnapshot ");
	if (line)
		sscanf(line + (*line == '\n'), "snapshot %31s %llu", frozen->reason, &frozen->ts);
}

/* Reads the file; returns -errno or its size. */
static ssize_t frozen_read(struct frozen *frozen)
{
	struct stream s = {};
	struct stream_record r;
	ssize_t n = stream_take_file(&s, "snapshot");
	unsigned int i;

	memset(frozen, 0, sizeof(*frozen));
	if (n <= 0)
		goto out;
	while (stream_next(&s, &r)) {
		if (r.type >= GRTRACE_TYPE_LIMIT)
			continue;
		frozen->events++;
		if (r.type != GRTRACE_SUBMIT)
			continue;
		if (!frozen->first)
			frozen->first = r.seqno;
		else if (r.seqno != frozen->last + 1)
			frozen->holes = true;
		frozen->last = r.seqno;
	}
	/* it is a line of the text, which may be in several records */
	for (i = 0; i < s.nr_metadata; i++)
		frozen_line(frozen, s.metadata[i]);
	frozen->cpus = __builtin_popcountll(s.cpus);
	frozen->starts_with_metadata = s.first_cpu == GRTRACE_CPU_NONE;
	frozen->fault = s.fault;
out:
	stream_free(&s);
	return n;
}

/* Waits until there is one, 10 s at most. */
static ssize_t frozen_wait(struct frozen *frozen)
{
	ssize_t n;

	WAIT_UNTIL((n = frozen_read(frozen)) > 0, 10);
	return n;
}

TEST_F(snapshot, newest_of_the_flight_recorder)
{
	struct frozen frozen;
	struct stream *s = &self->stream;
	struct submits submits;

	CONTROL("start");
	ASSERT_EQ(0, emit_submits(self->lines, 1, 5000));
	CONTROL("snapshot");
	ASSERT_LT(0, frozen_read(&frozen));
	EXPECT_NO_FAULT(&frozen);
	EXPECT_TRUE(frozen.starts_with_metadata);
	EXPECT_STREQ("manual", frozen.reason);
	EXPECT_LT(0, frozen.ts);
	EXPECT_FALSE(frozen.holes);
	/* up to the last job, and at most three sub-buffers back */
	EXPECT_EQ(5000, frozen.last);
	EXPECT_LT(5000 - 3 * 4096 / 40, frozen.first);
	EXPECT_LE(2 * 3900 / 40, frozen.events);
	EXPECT_EQ(1, grtrace_stat("snapshots"));

	/* a reader still finds the same, because nothing was removed */
	ASSERT_LT(0, stream_take(s, 0));
	submits = submits_read(s);
	EXPECT_NO_FAULT(s);
	EXPECT_EQ(frozen.last, submits.last);
	EXPECT_EQ(frozen.first, submits.first);
}

/* Its time is of the session's clock. */
TEST_F(snapshot, clocks)
{
	static const struct {
		const char *config;
		clockid_t clock;
	} clocks[] = {
		{ "clock=mono", CLOCK_MONOTONIC }, { "clock=boot", CLOCK_BOOTTIME },
	};
	struct frozen frozen;
	uint64_t begin;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		CONFIG(clocks[i].config);
		CONTROL("start");
		begin = clock_now(clocks[i].clock);
		CONTROL("snapshot");
		ASSERT_LT(0, frozen_read(&frozen));
		EXPECT_LE(begin, frozen.ts) TH_LOG("%s", clocks[i].config);
		EXPECT_GE(clock_now(clocks[i].clock), frozen.ts) TH_LOG("%s", clocks[i].config);
		CONTROL("stop");
	}
}

TEST_F(snapshot, recording_goes_on)
{
	struct frozen frozen, later;
	char *before = malloc(1 << 20), *after = malloc(1 << 20);
	struct stream *s = &self->stream;
	ssize_t size;

	CONTROL("start");
	ASSERT_EQ(0, emit_submits(self->lines, 1, 1000));
	CONTROL("snapshot");
	size = grtrace_read("snapshot", before, 1 << 20);
	ASSERT_LT(0, size);
	ASSERT_LT(0, frozen_read(&frozen));
	EXPECT_EQ(1000, frozen.last);

	ASSERT_EQ(0, emit_submits(self->lines, 1001, 4000));
	EXPECT_EQ(5000, grtrace_stat("written"));
	/* frozen: later events are not in it */
	EXPECT_EQ(size, grtrace_read("snapshot", after, 1 << 20));
	EXPECT_EQ(0, memcmp(before, after, size));

	/* a requested snapshot replaces the older one */
	CONTROL("snapshot");
	ASSERT_LT(0, frozen_read(&later));
	EXPECT_EQ(5000, later.last);
	EXPECT_LT(frozen.ts, later.ts);
	EXPECT_EQ(2, grtrace_stat("snapshots"));

	CONTROL("stop");
	ASSERT_LT(0, stream_take(s, 0));
	EXPECT_EQ(5000, submits_read(s).last);
	EXPECT_EQ(NULL, s->fault);
	EXPECT_EQ(0, grtrace_unaccounted());
	/* after the stop it is still there */
	ASSERT_LT(0, frozen_read(&later));
	EXPECT_EQ(5000, later.last);
}

TEST_F(snapshot, of_all_cpus)
{
	struct frozen frozen;
	unsigned int i;

	CONTROL("start");
	for (i = 0; i < self->cpus; i++) {
		run_on(i);
		ASSERT_EQ(0, emit_submits(self->lines, 1, 10));
	}
	CONTROL("snapshot");
	ASSERT_LT(0, frozen_read(&frozen));
	EXPECT_NO_FAULT(&frozen);
	EXPECT_EQ(self->cpus, frozen.cpus);
	EXPECT_EQ(self->cpus * 10, frozen.events);
}

/* This also works in mode=stop, and the reader still gets each record once. */
TEST_F(snapshot, readers_are_not_disturbed)
{
	struct stream *s = &self->stream;
	struct submits submits;
	struct frozen frozen;
	int fd, i;

	CONFIG("mode=stop n_subbufs=64");
	CONTROL("start");
	fd = stream_open(0);
	ASSERT_LE(0, fd);
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, emit_submits(self->lines, i * 100 + 1, 100));
		CONTROL("snapshot");
		ASSERT_LT(0, frozen_read(&frozen));
		EXPECT_EQ((i + 1) * 100, frozen.last);
		EXPECT_FALSE(frozen.holes);
		EXPECT_NO_FAULT(&frozen);
		/* even in the middle of a record */
		ASSERT_LT(0, stream_fill_once(s, fd, 1003));
	}
	CONTROL("stop");
	ASSERT_LE(0, stream_fill(s, fd, 1 << 16));
	close(fd);
	submits = submits_read(s);
	EXPECT_FALSE(submits.holes);
	EXPECT_EQ(1, submits.first);
	EXPECT_EQ(2000, submits.last);
	EXPECT_NO_FAULT(s);
	EXPECT_EQ(0, s->gaps);
	EXPECT_EQ(20, grtrace_stat("snapshots"));
}

TEST_F(snapshot, start_frees_it)
{
	struct frozen frozen;

	CONTROL("start");
	EMIT("submit 1 1 5 1");
	CONTROL("snapshot");
	ASSERT_LT(0, frozen_read(&frozen));
	CONTROL("discard");
	EXPECT_GE(0, frozen_read(&frozen));
	CONTROL("snapshot");
	ASSERT_LT(0, frozen_read(&frozen));
	CONTROL("stop");
	/* also of a session that has ended */
	CONTROL("snapshot");
	ASSERT_LT(0, frozen_read(&frozen));
	EXPECT_EQ(1, frozen.events);
	CONTROL("start");
	EXPECT_GE(0, frozen_read(&frozen));
}

/* An open file keeps the content that it had when it was opened. */
TEST_F(snapshot, open_file_outlives_it)
{
	struct stream *s = &self->stream;
	int fd;

	CONTROL("start");
	ASSERT_EQ(0, emit_submits(self->lines, 1, 50));
	CONTROL("snapshot");
	fd = grtrace_open("snapshot", O_RDONLY);
	ASSERT_LE(0, fd);
	s->mixed = true;
	ASSERT_LT(0, stream_fill_once(s, fd, 100));
	CONTROL("discard");
	ASSERT_EQ(0, emit_submits(self->lines, 51, 50));
	CONTROL("snapshot");
	ASSERT_LT(0, stream_fill(s, fd, 1 << 16));
	close(fd);
	EXPECT_EQ(50, submits_read(s).last);
	EXPECT_NO_FAULT(s);
}

TEST_F(snapshot, small_reads_give_the_same_bytes)
{
	char *whole = malloc(1 << 20), *bits = malloc(1 << 20);
	ssize_t size, n, used = 0;
	int fd;

	CONTROL("start");
	ASSERT_EQ(0, emit_submits(self->lines, 1, 300));
	CONTROL("snapshot");
	size = grtrace_read("snapshot", whole, 1 << 20);
	ASSERT_LT(8192, size);
	fd = grtrace_open("snapshot", O_RDONLY);
	ASSERT_LE(0, fd);
	do {
		n = read(fd, bits + used, 7);
		ASSERT_LE(0, n);
		used += n;
	} while (n);
	EXPECT_EQ(size, used);
	EXPECT_EQ(0, memcmp(whole, bits, size));
	/* from anywhere */
	EXPECT_EQ(100, pread(fd, bits, 100, size - 100));
	EXPECT_EQ(0, memcmp(whole + size - 100, bits, 100));
	EXPECT_EQ(50, pread(fd, bits, 100, size - 50));
	EXPECT_EQ(0, pread(fd, bits, 100, size));
	EXPECT_EQ(0, pread(fd, bits, 100, 1ll << 40));
	close(fd);
}

/* Makes a job slow in the queue, then slow on the hardware, then fail. */
static void provoke(struct __test_metadata *_metadata, unsigned int seqno)
{
	EMITF("submit 1 1 5 %u", seqno);
	usleep(SLOW_US);
	EMITF("pick 1 1 5 %u\nstart 1 1 5 %u", seqno, seqno);
	usleep(SLOW_US);
	EMITF("end 1 1 5 %u\nerror 1 1 5 %u", seqno, seqno);
}

GRTRACE_FIXTURE(trigger, "mode=overwrite slow_queue_us=100000 slow_exec_us=100000")

FIXTURE_VARIANT(trigger) {
	const char *reason, *others;
	const char *before, *cause;	/* lines: after them and a time, only this reason */
};

FIXTURE_VARIANT_ADD(trigger, slow_queue) {
	"slow_queue", "slow_exec,error", "submit 1 1 5 1", "pick 1 1 5 1",
};

FIXTURE_VARIANT_ADD(trigger, slow_exec) {
	"slow_exec", "slow_queue,error", "submit 1 1 5 1\npick 1 1 5 1\nstart 1 1 5 1",
	"end 1 1 5 1",
};

FIXTURE_VARIANT_ADD(trigger, error) {
	"error", "slow_queue,slow_exec", "irq 1 1 5 1", "error 1 1 5 1",
};

TEST_F(trigger, takes_one_until_it_is_discarded)
{
	struct frozen first, second;

	CONFIGF("snapshot_on=%s", variant->reason);
	CONTROL("start");
	EXPECT_GE(0, frozen_read(&first));
	provoke(_metadata, 1);
	ASSERT_LT(0, frozen_wait(&first)) TH_LOG("no snapshot");
	EXPECT_NO_FAULT(&first);
	EXPECT_STREQ(variant->reason, first.reason);
	EXPECT_EQ(1, grtrace_stat("snapshots"));
	EXPECT_LE(2, first.events);

	/* it is held: the same happens again, and the first snapshot stays */
	provoke(_metadata, 2);
	usleep(SLOW_US);
	ASSERT_LT(0, frozen_read(&second));
	EXPECT_EQ(first.ts, second.ts);
	EXPECT_EQ(first.events, second.events);
	EXPECT_EQ(1, grtrace_stat("snapshots"));

	/* a requested one replaces it */
	CONTROL("snapshot");
	ASSERT_LT(0, frozen_read(&second));
	EXPECT_STREQ("manual", second.reason);
	EXPECT_EQ(2, grtrace_stat("snapshots"));

	/* armed again, and not fired by earlier events */
	CONTROL("discard");
	usleep(SLOW_US);
	EXPECT_GE(0, frozen_read(&second));
	provoke(_metadata, 3);
	ASSERT_LT(0, frozen_wait(&second)) TH_LOG("no snapshot");
	EXPECT_STREQ(variant->reason, second.reason);
	EXPECT_LT(first.ts, second.ts);
	EXPECT_EQ(3, grtrace_stat("snapshots"));
	EXPECT_EQ(0, grtrace_unaccounted());
}

/* The trigger is armed, and holds its fire until the requested snapshot is discarded. */
TEST_F(trigger, leaves_a_requested_one)
{
	struct frozen first, second;

	CONFIGF("snapshot_on=%s", variant->reason);
	CONTROL("start");
	EMIT("submit 2 1 5 1");
	CONTROL("snapshot");
	ASSERT_LT(0, frozen_read(&first));
	provoke(_metadata, 1);
	usleep(SLOW_US);
	ASSERT_LT(0, frozen_read(&second));
	EXPECT_STREQ("manual", second.reason);
	EXPECT_EQ(first.ts, second.ts);
	EXPECT_EQ(1, second.events);
	EXPECT_EQ(1, grtrace_stat("snapshots"));
	CONTROL("discard");
	provoke(_metadata, 2);
	ASSERT_LT(0, frozen_wait(&second)) TH_LOG("no snapshot");
	EXPECT_STREQ(variant->reason, second.reason);
}

TEST_F(trigger, only_what_was_asked_for)
{
	struct frozen frozen;

	/* all reasons except this one are enabled, and only this one occurs */
	CONFIGF("snapshot_on=%s", variant->others);
	CONTROL("start");
	EMIT(variant->before);
	usleep(SLOW_US);
	EMIT(variant->cause);
	usleep(SLOW_US);
	EXPECT_GE(0, frozen_read(&frozen)) TH_LOG("of %s", frozen.reason);
	EXPECT_EQ(0, grtrace_stat("snapshots"));
	/* it did occur, and the other reasons still take a snapshot */
	provoke(_metadata, 2);
	ASSERT_LT(0, frozen_wait(&frozen));
	EXPECT_STRNE(variant->reason, frozen.reason);
	EXPECT_EQ(1, grtrace_stat("snapshots"));
}

/* Its driver reports no ERROR. */
TEST_F(trigger, a_job_that_failed_is_an_error)
{
	struct frozen frozen;

	CONFIG("snapshot_on=error");
	CONTROL("start");
	EMIT("submit 1 1 5 1\nend 1 1 5 1\ncomplete 1 1 5 1");
	usleep(SLOW_US);
	EXPECT_GE(0, frozen_read(&frozen));
	EMIT("submit 1 1 5 2\nend 1 1 5 2\ncomplete 1 1 5 2 arg=65531");
	ASSERT_LT(0, frozen_wait(&frozen)) TH_LOG("no snapshot");
	EXPECT_STREQ("error", frozen.reason);
	EXPECT_EQ(1, grtrace_stat("snapshots"));
}

TEST_F(trigger, none_when_off)
{
	struct frozen frozen;

	CONTROL("start");
	provoke(_metadata, 1);
	usleep(SLOW_US);
	EXPECT_GE(0, frozen_read(&frozen));
	EXPECT_EQ(0, grtrace_stat("snapshots"));
	/* the rules work nevertheless */
	EXPECT_EQ(1, grtrace_stat("slow_queue"));
	EXPECT_EQ(1, grtrace_stat("slow_exec"));
}

TEST_HARNESS_MAIN
