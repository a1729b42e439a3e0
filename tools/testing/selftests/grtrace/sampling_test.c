// SPDX-License-Identifier: GPL-2.0
/*
 * One job of N: the share is right, a job is whole or not there at all, and the
 * stream says what each event stands for.
 */
#include "../kselftest_harness.h"

#include "grtrace_session.h"

#define JOBS	20000	/* jobs of each test of shares */

/*
 * Checks whether @n of @jobs is a share of one in @sample, within six standard
 * deviations, so that it fails by chance in only one test of 10^9.
 */
static bool is_share(uint64_t n, uint64_t jobs, unsigned int sample)
{
	double mean = (double)jobs / sample;
	double variance = mean * (1 - 1.0 / sample);

	return (n - mean) * (n - mean) <= 36 * variance;
}

/* Reads the CPU's stream to its end; @seen: the events seen of each job. */
static uint64_t weigh(struct stream *s, uint8_t *seen, unsigned int ctxs)
{
	struct stream_record r;
	uint64_t weight = 0;

	while (stream_next(s, &r)) {
		if (r.type >= GRTRACE_TYPE_LIMIT)
			continue;
		seen[(r.ctx - 100) * (JOBS / ctxs) + r.seqno] |=
			1 << (r.type - GRTRACE_SUBMIT);
		if (r.type == GRTRACE_SUBMIT)
			weight += r.sample;
	}
	return weight;
}

GRTRACE_FIXTURE(sampling, "subbuf_size=1048576 n_subbufs=16", uint8_t seen[2 * JOBS];)

FIXTURE_VARIANT(sampling) {
	unsigned int sample;
	unsigned int ctxs;	/* how many contexts the jobs use */
};

FIXTURE_VARIANT_ADD(sampling, one_of_2) { .sample = 2, .ctxs = 1 };
FIXTURE_VARIANT_ADD(sampling, one_of_7) { .sample = 7, .ctxs = 4 };
FIXTURE_VARIANT_ADD(sampling, one_of_100) { .sample = 100, .ctxs = 10 };
/* Each context has few jobs, as with many short processes. */
FIXTURE_VARIANT_ADD(sampling, many_contexts) { .sample = 10, .ctxs = 5000 };

TEST_F_TIMEOUT(sampling, jobs_are_whole_and_their_share_is_right, 600)
{
	/* submit, pick, commit, start, end, complete */
	const uint8_t whole = 1 << 0 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7;
	unsigned int i, per_ctx = JOBS / variant->ctxs, jobs = 0;
	struct stream *s = &self->stream;
	uint64_t weight;

	CONFIGF("sample=%u", variant->sample);
	CONTROL("start");
	for (i = 0; i < JOBS; i++) {
		unsigned int ctx = 100 + i / per_ctx, seqno = i % per_ctx;

		grtrace_lines_add(self->lines,
				  "submit %u 1 5 %u\npick %u 1 5 %u\ncommit %u 1 5 %u fence=%u:%u\n"
				  "start %u 1 5 %u\nend %u 1 5 %u\ncomplete %u 1 5 %u",
				  ctx, seqno, ctx, seqno, ctx, seqno, ctx + 100000, seqno,
				  ctx, seqno, ctx, seqno, ctx, seqno);
	}
	ASSERT_EQ(0, grtrace_lines_write(self->lines));
	CONTROL("stop");

	ASSERT_LT(0, stream_take(s, 0));
	weight = weigh(s, self->seen, variant->ctxs);
	EXPECT_NO_FAULT(s);
	for (i = 0; i < JOBS; i++) {
		if (self->seen[i])
			ASSERT_EQ(whole, self->seen[i]) TH_LOG("job %u", i);
		jobs += !!self->seen[i];
	}
	TH_LOG("%u of %u jobs", jobs, JOBS);
	EXPECT_TRUE(is_share(jobs, JOBS, variant->sample));
	/* the sum of their weights */
	EXPECT_EQ((uint64_t)jobs * variant->sample, weight);
	EXPECT_EQ(6 * JOBS, grtrace_stat("offered"));
	EXPECT_EQ(6 * jobs, grtrace_stat("written"));
	EXPECT_EQ(6 * (JOBS - jobs), grtrace_stat("sampled_out"));
	EXPECT_EQ(0, grtrace_unaccounted());
	/* events that are left out on purpose are not lost */
	EXPECT_EQ(0, grtrace_stat("lost"));
	EXPECT_EQ(0, s->lost_events);
	EXPECT_EQ(0, s->gaps);
}

GRTRACE_FIXTURE(sample, "subbuf_size=1048576 n_subbufs=8")

TEST_F(sample, never_left_out)
{
	unsigned int i, jobs = 0;
	struct stream_record r;

	CONFIG("sample=1000000");
	CONTROL("start");
	for (i = 0; i < 500; i++)
		grtrace_lines_add(self->lines, "submit 1 1 5 %u\nirq 1 1 5 %u\n"
				  "ctx_switch 1 1 5 %u\nerror 1 1 5 %u\nqueue_state %u 1 5 0",
				  i, i, i, i, i);
	ASSERT_EQ(0, grtrace_lines_write(self->lines));
	CONTROL("stop");
	ASSERT_LT(0, stream_take(&self->stream, 0));
	while (stream_next(&self->stream, &r)) {
		jobs += r.type == GRTRACE_SUBMIT;
		if (r.type == GRTRACE_ERROR || r.type == GRTRACE_QUEUE)
			EXPECT_EQ(1, r.sample);
		if (r.type < GRTRACE_TYPE_LIMIT)
			EXPECT_EQ(1000000, self->stream.sample);
	}
	EXPECT_EQ(NULL, self->stream.fault);
	EXPECT_GE(2, jobs);
	EXPECT_EQ(2000 + jobs, grtrace_stat("written"));
	EXPECT_EQ(0, grtrace_unaccounted());
}

#define GROUPS 4000

/*
 * Emits GROUPS times the lines of odd or even numbers, all with that as seqno and of
 * @each events: one of @sample is in the stream, with all its events, and the others
 * not at all. Returns how many there are.
 */
static unsigned int whole_share(struct __test_metadata *_metadata,
				FIXTURE_DATA(sample) *self, unsigned int sample,
				unsigned int each, const char *odd, const char *even)
{
	unsigned int i, n = 0, events[GROUPS] = {};
	struct stream *s = &self->stream;
	struct stream_record r;

	CONFIGF("sample=%u", sample);
	CONTROL("start");
	for (i = 0; i < GROUPS; i++)
		grtrace_lines_add(self->lines, i % 2 ? odd : even, i, i, i, i);
	ASSERT_EQ(0, grtrace_lines_write(self->lines));
	CONTROL("stop");
	ASSERT_LT(0, stream_take(s, 0));
	while (stream_next(s, &r)) {
		if (r.type >= GRTRACE_TYPE_LIMIT)
			continue;
		ASSERT_GT(GROUPS, r.seqno);
		events[r.seqno]++;
	}
	EXPECT_NO_FAULT(s);
	for (i = 0; i < GROUPS; i++) {
		if (events[i])
			ASSERT_EQ(each, events[i]) TH_LOG("job %u", i);
		n += !!events[i];
	}
	EXPECT_TRUE(is_share(n, GROUPS, sample)) TH_LOG("%u", n);
	return n;
}

/* A fence is recorded only if a recorded job named it. */
TEST_F(sample, a_fence_goes_with_its_job)
{
	unsigned int n = whole_share(_metadata, self, 4, 3,
				     "submit 1 1 5 %u fence=900:%u\ncomplete 1 1 5 %u\nfence 900 0 0 %u",
				     "commit 1 1 5 %u fence=900:%u\nend 1 1 5 %u\nfence 900 0 0 %u");

	EXPECT_EQ(3 * n, grtrace_stat("written"));
	EXPECT_EQ(3 * (GROUPS - n), grtrace_stat("sampled_out"));
}

/* A wait is kept if the job whose fence it waits for is kept. */
TEST_F(sample, a_wait_goes_with_its_job)
{
	static const char events[] =
		"submit 7 1 5 %u\nwait_enter 7 0 0 %u\nwait_exit 7 0 0 %u\ncomplete 7 1 5 %u";

	whole_share(_metadata, self, 5, 4, events, events);
}

/* While every job is recorded, every fence is, even one that no job named. */
TEST_F(sample, fences_while_nothing_is_left_out)
{
	static const char * const configs[] = {
		"sample=1", "sample=4 adaptive_sampling=0", "sample=1",
		"adaptive_sampling=1", "adaptive_sampling=0",
	};
	uint64_t written = 0, left_out = 0;
	size_t i;

	CONTROL("start");
	for (i = 0; i < ARRAY_SIZE(configs); i++) {
		CONFIG(configs[i]);
		EMIT("fence 77 0 0 1");
		if (i == 1)
			left_out++;
		else
			written++;
		EXPECT_EQ(written, grtrace_stat("written")) TH_LOG("%s", configs[i]);
		EXPECT_EQ(left_out, grtrace_stat("sampled_out")) TH_LOG("%s", configs[i]);
	}
}

/* Each change of N is reported once, and each packet has one N. */
TEST_F(sample, changes_are_told)
{
	static const uint32_t steps[] = { 1, 10, 3, 1, 1000000, 1 };
	unsigned int i, k, jobs[ARRAY_SIZE(steps)] = {}, notes = 0;
	struct stream *s = &self->stream;
	const struct grtrace_rec_sample *note;
	struct stream_record r;

	CONTROL("start");
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		CONFIGF("sample=%u", steps[i]);
		/* without a change there is no note */
		CONFIGF("sample=%u", steps[i]);
		CONFIG("filter_ring_id=0");
		for (k = 0; k < 2000; k++)
			grtrace_lines_add(self->lines, "submit %u 1 5 %u", i + 1, k);
		ASSERT_EQ(0, grtrace_lines_write(self->lines));
	}
	CONTROL("stop");
	ASSERT_LT(0, stream_take(s, 0));
	while (stream_next(s, &r)) {
		if (r.type == GRTRACE_SAMPLE) {
			note = (const void *)r.rec;
			notes++;
			ASSERT_GT(ARRAY_SIZE(steps), notes);
			EXPECT_EQ(sizeof(*note), le16toh(note->seq.hdr.size));
			EXPECT_EQ(steps[notes], le32toh(note->sample));
			EXPECT_EQ(steps[notes - 1], le32toh(note->previous));
			EXPECT_EQ(GRTRACE_SAMPLE_CONFIG, le32toh(note->reason));
			EXPECT_GE(100, le32toh(note->fill));
		} else if (r.type == GRTRACE_SUBMIT) {
			/* the note comes before the events that it concerns */
			EXPECT_EQ(notes, r.ctx - 1);
			EXPECT_EQ(steps[r.ctx - 1], r.sample);
			jobs[r.ctx - 1]++;
		}
	}
	EXPECT_NO_FAULT(s);
	EXPECT_EQ(ARRAY_SIZE(steps) - 1, notes);
	EXPECT_EQ(2000, jobs[0]);
	EXPECT_TRUE(is_share(jobs[1], 2000, 10)) TH_LOG("%u", jobs[1]);
	EXPECT_TRUE(is_share(jobs[2], 2000, 3)) TH_LOG("%u", jobs[2]);
	EXPECT_EQ(2000, jobs[3]);
	EXPECT_EQ(2000, jobs[5]);
	EXPECT_EQ(0, grtrace_unaccounted());
}

/* A job in the sample of 100 is in the sample of 10, so a lower N cuts no job. */
TEST_F(sample, the_same_jobs_whatever_happens_between)
{
	uint8_t first[1000] = {};
	struct stream_record r;
	unsigned int i, kept = 0;

	for (i = 0; i < 2; i++) {
		unsigned int k;

		CONFIG("sample=10");
		CONTROL("start");
		for (k = 0; k < ARRAY_SIZE(first); k++)
			grtrace_lines_add(self->lines, "%s 3 1 5 %u", i ? "end" : "submit", k);
		ASSERT_EQ(0, grtrace_lines_write(self->lines));
		CONTROL("stop");
		ASSERT_LT(0, stream_take(&self->stream, 0));
		while (stream_next(&self->stream, &r))
			if (r.type < GRTRACE_TYPE_LIMIT)
				first[r.seqno % ARRAY_SIZE(first)]++;
		stream_free(&self->stream);
	}
	for (i = 0; i < ARRAY_SIZE(first); i++) {
		ASSERT_NE(1, first[i]) TH_LOG("job %u", i);
		kept += first[i] / 2;
	}
	EXPECT_TRUE(is_share(kept, ARRAY_SIZE(first), 10)) TH_LOG("%u", kept);
}

TEST_HARNESS_MAIN
