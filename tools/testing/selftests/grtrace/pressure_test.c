// SPDX-License-Identifier: GPL-2.0
/*
 * A reader that does not keep up: events are refused while there is room left
 * for errors, or fewer jobs are recorded, and both are reported.
 */
#include "../kselftest_harness.h"

#include "grtrace_session.h"

#define CHANNEL_SIZE (16 * 4096)

GRTRACE_FIXTURE(pressure, "subbuf_size=4096 n_subbufs=16")

TEST_F(pressure, room_is_kept_for_errors)
{
	struct stream *s = &self->stream;
	struct stream_record r;
	uint64_t written, drops;
	unsigned int errors = 0;

	CONFIG("backpressure_threshold=50");
	CONTROL("start");
	ASSERT_EQ(0, emit_submits(self->lines, 0, 5000));
	written = grtrace_stat("written");
	drops = grtrace_stat("backpressure_drops");
	EXPECT_LT(0, drops);
	EXPECT_EQ(0, grtrace_stat("writes_reserve_fail"));
	EXPECT_EQ(5000, written + drops);
	/* about half of the channel, for records and packet headers */
	EXPECT_LT(CHANNEL_SIZE * 2 / 5, grtrace_stat("bytes_written"));
	EXPECT_GT(CHANNEL_SIZE * 2 / 3, grtrace_stat("bytes_written"));

	EMIT("error 1 1 5 9000\nerror 1 1 5 9001");
	EXPECT_EQ(written + 2, grtrace_stat("written"));
	EXPECT_EQ(drops, grtrace_stat("backpressure_drops"));

	/* with room again, events are recorded again */
	ASSERT_LT(0, stream_take(s, 0));
	ASSERT_EQ(0, emit_submits(self->lines, 5000, 500));
	EXPECT_LT(written + 2 + 250, grtrace_stat("written"));
	CONTROL("stop");
	ASSERT_LT(0, stream_take(s, 0));
	while (stream_next(s, &r))
		errors += r.type == GRTRACE_ERROR;
	EXPECT_NO_FAULT(s);
	EXPECT_EQ(2, errors);
	EXPECT_EQ(0, s->gaps);
	EXPECT_EQ(s->events, grtrace_stat("written"));
	EXPECT_EQ(s->lost_pressure, grtrace_stat("backpressure_drops"));
	EXPECT_EQ(s->lost_events, grtrace_stat("lost"));
	EXPECT_EQ(s->lost_pressure, s->lost_events);
	EXPECT_EQ(0, grtrace_unaccounted());
}

TEST_F_TIMEOUT(pressure, thresholds, 600)
{
	static const int percents[] = { 1, 25, 75, 100 };
	uint64_t before = 0, bytes;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(percents); i++) {
		CONFIGF("backpressure_threshold=%d", percents[i]);
		CONTROL("start");
		ASSERT_EQ(0, emit_submits(self->lines, 0, 5000));
		CONTROL("stop");
		bytes = grtrace_stat("bytes_written");
		EXPECT_LT(before, bytes) TH_LOG("%d %%", percents[i]);
		before = bytes;
		EXPECT_GE(CHANNEL_SIZE * (percents[i] + 15) / 100, bytes)
			TH_LOG("%d %%", percents[i]);
		EXPECT_LE(CHANNEL_SIZE * (percents[i] - 15) / 100, (int64_t)bytes)
			TH_LOG("%d %%", percents[i]);
		EXPECT_EQ(0, grtrace_unaccounted());
	}
	/* without a threshold, only events without room are lost */
	CONFIG("backpressure_threshold=0");
	CONTROL("start");
	ASSERT_EQ(0, emit_submits(self->lines, 0, 5000));
	EXPECT_EQ(0, grtrace_stat("backpressure_drops"));
	EXPECT_LT(0, grtrace_stat("writes_reserve_fail"));
}

TEST_F(pressure, threshold_changed_while_running)
{
	uint64_t drops;

	CONTROL("start");
	ASSERT_EQ(0, emit_submits(self->lines, 0, 1000));
	EXPECT_EQ(1000, grtrace_stat("written"));
	CONFIG("backpressure_threshold=10");
	ASSERT_EQ(0, emit_submits(self->lines, 1000, 300));
	drops = grtrace_stat("backpressure_drops");
	EXPECT_LT(200, drops);
	CONFIG("backpressure_threshold=0");
	ASSERT_EQ(0, emit_submits(self->lines, 1300, 100));
	EXPECT_EQ(drops, grtrace_stat("backpressure_drops"));
	EXPECT_EQ(0, grtrace_unaccounted());
}

#define NOTES_MAX 4096

/* The SAMPLE notes of all CPUs; each is on the CPU that wrote it. */
struct notes {
	struct stream streams[CPUS_MAX];
	int fds[CPUS_MAX];
	unsigned int cpus;
	uint32_t sample;		/* N in the newest note */
	unsigned int n;
	struct note {
		uint64_t gseq;
		uint32_t sample, previous, reason, fill;
	} note[NOTES_MAX];
};

static int note_compare(const void *a, const void *b)
{
	const struct note *x = a, *y = b;

	return x->gseq < y->gseq ? -1 : x->gseq > y->gseq;
}

static struct notes *notes_open(unsigned int sample)
{
	struct notes *notes = calloc(1, sizeof(*notes));
	unsigned int i;

	if (!notes)
		return NULL;
	notes->sample = sample;
	notes->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	for (i = 0; i < notes->cpus; i++)
		notes->fds[i] = stream_open(i);
	return notes;
}

static void notes_read(struct __test_metadata *_metadata, struct notes *notes)
{
	const struct grtrace_rec_sample *rec;
	struct stream_record r;
	unsigned int i;

	for (i = 0; i < notes->cpus; i++) {
		struct stream *s = &notes->streams[i];

		ASSERT_LE(0, stream_fill(s, notes->fds[i], 1 << 18));
		while (stream_next(s, &r)) {
			if (r.type != GRTRACE_SAMPLE)
				continue;
			ASSERT_GT(NOTES_MAX, notes->n);
			rec = (const void *)r.rec;
			notes->note[notes->n++] = (struct note) {
				.gseq = r.gseq, .sample = le32toh(rec->sample),
				.previous = le32toh(rec->previous),
				.reason = le32toh(rec->reason), .fill = le32toh(rec->fill),
			};
		}
		EXPECT_NO_FAULT(s);
		EXPECT_EQ(0, s->gaps);
		stream_forget(s);
	}
	qsort(notes->note, notes->n, sizeof(notes->note[0]), note_compare);
	if (notes->n)
		notes->sample = notes->note[notes->n - 1].sample;
}

/* At the end: each note continues from the one before it. */
static void notes_close(struct __test_metadata *_metadata, struct notes *notes, uint32_t sample)
{
	unsigned int i, raised = 0, lowered = 0;
	uint32_t highest = sample, least = sample;

	for (i = 0; i < notes->n; i++) {
		const struct note *note = &notes->note[i];

		EXPECT_EQ(sample, note->previous);
		EXPECT_GE(100, note->fill);
		EXPECT_LE(least, note->sample);
		if (note->sample > note->previous) {
			EXPECT_EQ(GRTRACE_SAMPLE_PRESSURE, note->reason);
			raised++;
		} else {
			EXPECT_EQ(GRTRACE_SAMPLE_RELIEF, note->reason);
			EXPECT_GT(note->previous, note->sample);
			lowered++;
		}
		sample = note->sample;
		if (sample > highest)
			highest = sample;
	}
	TH_LOG("raised %u times, to %u at most, lowered %u times", raised, highest, lowered);
	EXPECT_LT(0, raised);
	EXPECT_LT(0, lowered);
	for (i = 0; i < notes->cpus; i++) {
		close(notes->fds[i]);
		stream_free(&notes->streams[i]);
	}
	free(notes);
}

/*
 * Without a reader N goes up, so that the channel lasts longer. With a reader
 * it goes down again, to its first value.
 */
TEST_F_TIMEOUT(pressure, sampling_adapts, 600)
{
	unsigned int seqno = 0, round;
	struct notes *notes;
	uint64_t left_out;
	double end;

	CONFIG("n_subbufs=64 adaptive_sampling=1");
	CONTROL("start");
	notes = notes_open(1);
	ASSERT_NE(NULL, notes);
	for (round = 0; round < 2; round++) {
		left_out = grtrace_stat("sampled_out");
		end = now() + 60;
		/* not completely full, because SAMPLE notes need room */
		while (grtrace_stat("sampled_out") == left_out && now() < end) {
			ASSERT_EQ(0, emit_submits(self->lines, seqno, 50));
			seqno += 50;
			usleep(10000);
		}
		EXPECT_LT(left_out, grtrace_stat("sampled_out"));
		/* what has nothing to do with N leaves it: no note has another reason */
		CONFIG("filter_ring_id=0");
		end = now() + 60;
		do {
			notes_read(_metadata, notes);
			ASSERT_EQ(0, emit_submits(self->lines, seqno, 10));
			seqno += 10;
			usleep(10000);
		} while (notes->sample != 1 && now() < end);
		EXPECT_EQ(1, notes->sample);
	}
	CONTROL("stop");
	notes_read(_metadata, notes);
	notes_close(_metadata, notes, 1);
	EXPECT_EQ(seqno, grtrace_stat("offered"));
	EXPECT_EQ(0, grtrace_unaccounted());
}

/* N never falls below the configured value, and the key does not change. */
TEST_F_TIMEOUT(pressure, sampling_adapts_from_what_was_asked_for, 600)
{
	struct notes *notes;
	uint64_t before, recorded;
	unsigned int seqno = 0;
	char value[64];
	double end;

	CONFIG("n_subbufs=64 adaptive_sampling=1 sample=4");
	CONTROL("start");
	notes = notes_open(4);
	ASSERT_NE(NULL, notes);
	/* so full that N must go up, but not completely full; in a slow guest it is up by then */
	end = now() + 60;
	do {
		before = grtrace_stat("written");
		ASSERT_EQ(0, emit_submits(self->lines, seqno, 100));
		seqno += 100;
		recorded = grtrace_stat("written") - before;
	} while (recorded > 10 && grtrace_stat("bytes_written") < 64 * 4096 * 9 / 16 &&
		 now() < end);
	/* without any further event, which might need a TASK: a note for each step */
	before = grtrace_stat("notes");
	if (recorded > 10)
		EXPECT_LE(before + 5, grtrace_stat_wait("notes", before + 5));
	end = now() + 60;
	do {
		notes_read(_metadata, notes);
		usleep(10000);
	} while ((!notes->n || notes->sample != 4) && now() < end);
	EXPECT_LT(1, notes->n);
	EXPECT_EQ(4, notes->sample);
	EXPECT_STREQ("4", grtrace_line("config", "sample", '=', value, sizeof(value)));
	CONTROL("stop");
	notes_read(_metadata, notes);
	notes_close(_metadata, notes, 4);
}

/*
 * It is always full, and always has room: nothing is left out for that, not even by what a
 * session of the other mode has left to do.
 */
TEST_F(pressure, a_flight_recorder_takes_all)
{
	CONFIG("backpressure_threshold=10 adaptive_sampling=1");
	CONTROL("start");
	CONTROL("stop");
	CONFIG("mode=overwrite");
	CONTROL("start");
	for (unsigned int seqno = 0; seqno < 5000; seqno += 50) {
		ASSERT_EQ(0, emit_submits(self->lines, seqno, 50));
		usleep(10000);
	}
	EXPECT_LT(0, grtrace_stat("overwritten"));
	EXPECT_EQ(0, grtrace_stat("backpressure_drops"));
	EXPECT_EQ(5000, grtrace_stat("written"));
	EXPECT_EQ(0, grtrace_unaccounted());
}

TEST_HARNESS_MAIN
