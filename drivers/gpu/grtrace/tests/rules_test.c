// SPDX-License-Identifier: GPL-2.0
/* The jobs that are too slow, and where their records say so. */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/time64.h>

#include "../stages.h"
#include "../stats.h"
#include "stream.h"

#define QUEUE	GRTRACE_SLOW_QUEUE
#define EXEC	GRTRACE_SLOW_EXEC

/* An event of a job. */
struct rules_step {
	unsigned int type;	/* 0 ends the steps */
	u64 us;			/* when */
	u16 marks;		/* what it is to be marked with */
};

struct rules_case {
	const char *name;
	struct grtrace_rules rules;
	struct rules_step steps[6];
};

#define STEP(_type, _us, ...)	{ GRTRACE_##_type, _us, ##__VA_ARGS__ }
#define USUAL	{ 100, 1000 }	/* as rules_both */
#define MOST	GRTRACE_RULE_MAX_US

/* Slow is more than 100 us in the queue, more than 1000 us on the hardware. */
static const struct grtrace_rules rules_both = { 100, 1000 };

static const struct rules_case rules_cases[] = {
	{ "a fast job", USUAL, {
	  STEP(SUBMIT, 0), STEP(PICK, 10), STEP(COMMIT, 20), STEP(START, 30), STEP(END, 1020),
	  STEP(COMPLETE, 1025) } },
	{ "exactly as long as is allowed", USUAL, {
	  STEP(SUBMIT, 0), STEP(PICK, 100), STEP(END, 1100) } },
	{ "a microsecond longer", USUAL, {
	  STEP(SUBMIT, 0), STEP(PICK, 101, QUEUE), STEP(END, 1102, EXEC) } },
	{ "the first event after the queue tells", USUAL, {
	  STEP(SUBMIT, 0), STEP(PICK, 200, QUEUE), STEP(COMMIT, 400), STEP(START, 600),
	  STEP(COMPLETE, 700) } },
	{ "it may be COMMIT", USUAL, { STEP(SUBMIT, 0), STEP(COMMIT, 101, QUEUE) } },
	{ "it may be START", USUAL, { STEP(SUBMIT, 0), STEP(START, 101, QUEUE) } },
	{ "fast out of the queue, then slow to the hardware", USUAL, {
	  STEP(SUBMIT, 0), STEP(PICK, 50), STEP(COMMIT, 500) } },
	{ "on the hardware from the last event on", USUAL, {
	  STEP(SUBMIT, 0), STEP(PICK, 10), STEP(COMMIT, 900), STEP(START, 1800),
	  STEP(END, 2700) } },
	{ "the first end tells", USUAL, {
	  STEP(SUBMIT, 0), STEP(PICK, 10), STEP(END, 1500, EXEC), STEP(COMPLETE, 3000) } },
	{ "it may be COMPLETE", USUAL, {
	  STEP(SUBMIT, 0), STEP(COMMIT, 10), STEP(COMPLETE, 1011, EXEC) } },
	{ "queue off", { 0, 1000 }, {
	  STEP(SUBMIT, 0), STEP(PICK, 1000000), STEP(END, 1002000, EXEC) } },
	{ "hardware off", { 100, 0 }, {
	  STEP(SUBMIT, 0), STEP(PICK, 1000, QUEUE), STEP(END, 1002000) } },
	{ "the greatest thresholds", { MOST, MOST }, {
	  STEP(SUBMIT, 0), STEP(PICK, MOST), STEP(END, 2ull * MOST + 1, EXEC) } },
	{ "an end without a beginning", USUAL, { STEP(END, 100000), STEP(COMPLETE, 200000) } },
	{ "a job that was submitted before", USUAL, {
	  STEP(PICK, 100000), STEP(COMMIT, 200000), STEP(END, 900000) } },
	{ "ended in the queue", USUAL, { STEP(SUBMIT, 0), STEP(COMPLETE, 100000) } },
	{ "submitted again", USUAL, { STEP(SUBMIT, 0), STEP(SUBMIT, 1000), STEP(PICK, 1050) } },
	{ "the same key again", USUAL, {
	  STEP(SUBMIT, 0), STEP(PICK, 10), STEP(END, 20), STEP(SUBMIT, 5000),
	  STEP(PICK, 5200, QUEUE), STEP(END, 6201, EXEC) } },
	{ "out of the queue a microsecond before it came", USUAL, {
	  STEP(SUBMIT, 1), STEP(PICK, 0), STEP(END, 1001, EXEC) } },
	{ "ended a microsecond before it began", USUAL, {
	  STEP(SUBMIT, 0), STEP(PICK, 2), STEP(END, 1) } },
	{ "the same, of the greatest thresholds", { MOST, MOST }, {
	  STEP(SUBMIT, 2), STEP(PICK, 1), STEP(COMPLETE, 0) } },
	{ "events that are none of these", USUAL, {
	  STEP(SUBMIT, 0), STEP(DEP, 5000), STEP(BLOCKED, 6000), STEP(ERROR, 7000),
	  STEP(PICK, 8000, QUEUE), STEP(IRQ, 10000) } },
};

KUNIT_ARRAY_PARAM_DESC(rules_case, rules_cases, name);

/* As a hook calls it. */
static u16 rules_judge(struct grtrace_jobs *jobs, const struct grtrace_rules *rules,
		       unsigned int type, u64 ctx, u64 seqno, u64 ts)
{
	guard(irqsave)();
	return grtrace_rules_judge(jobs, rules, type, ctx, seqno, ts);
}

/* Begin times: 0, an odd one, and one whose microseconds run over 32 bits. */
static void rules_marks(struct kunit *test)
{
	static const u64 begins[] = {
		0, 123456789012345678ull, (1ull << 32) * NSEC_PER_USEC - 50000,
	};
	const struct rules_case *c = test->param_value;
	struct grtrace_jobs *jobs = test_zalloc(test, sizeof(*jobs));
	const struct rules_step *step;
	unsigned int i;
	u16 marks;

	for (i = 0; i < ARRAY_SIZE(begins); i++)
		for (step = c->steps; step->type; step++) {
			/* another job in between, always fast */
			rules_judge(jobs, &rules_both, GRTRACE_SUBMIT, i, 7, begins[i]);
			marks = rules_judge(jobs, &c->rules, step->type, i, 8,
					    begins[i] + step->us * NSEC_PER_USEC);
			KUNIT_EXPECT_EQ_MSG(test, marks, step->marks,
					    "event %u, type %u, begin %llu", (u32)(step - c->steps),
					    step->type, begins[i]);
			if (step == &c->steps[ARRAY_SIZE(c->steps) - 1])
				break;
		}
}

/* Each job is distinguished from the others, and none is forgotten silently. */
static void rules_in_flight(struct kunit *test)
{
	static const u8 most_percents[] = { 1, 4, 20, 52 };
	u32 n, i, slow, places = GRTRACE_SLOTS_WAYS << GRTRACE_RULES_BITS;
	const u8 *percent = most_percents;
	struct grtrace_jobs *jobs;
	u64 forgotten;

	for (n = places / 4; n <= places * 2; n *= 2, percent++) {
		jobs = test_zalloc(test, sizeof(*jobs));
		forgotten = grtrace_stat_sum(GRTRACE_STAT_RULES_FORGOTTEN);
		for (i = 0; i < n; i++)
			rules_judge(jobs, &rules_both, GRTRACE_SUBMIT, i % 7, i, 0);
		/* every second is slow */
		for (i = 0, slow = 0; i < n; i++)
			if (rules_judge(jobs, &rules_both, GRTRACE_PICK, i % 7,
					i, (i % 2 ? 200 : 20) * NSEC_PER_USEC))
				slow += i % 2 ? 1 : n;
		forgotten = grtrace_stat_sum(GRTRACE_STAT_RULES_FORGOTTEN) -
			    forgotten;
		KUNIT_EXPECT_LE(test, slow, n / 2);
		KUNIT_EXPECT_GE(test, slow + forgotten, n / 2);
		/* what sets of four lose where each job has its set by chance */
		KUNIT_EXPECT_LE_MSG(test, forgotten, n * *percent / 100, "of %u", n);
		if (n > places)
			KUNIT_EXPECT_GE_MSG(test, forgotten, n - places, "of %u", n);
	}
}

struct rules_race {
	struct grtrace_jobs *jobs;
	u64 seqno;
	bool ended;
};

static void rules_race_end(void *data)
{
	struct rules_race *race = data;

	grtrace_rules_judge(race->jobs, &rules_both, GRTRACE_END, 1, race->seqno, 0);
	/* with the acquire in rules_quick_hardware() */
	smp_store_release(&race->ended, true);
}

/* The job ends on another CPU while this one still says that it began. */
static void rules_quick_hardware(struct kunit *test)
{
	struct rules_race race = { .jobs = test_zalloc(test, sizeof(*race.jobs)) };
	unsigned int cpu, i, left = 0;
	u64 ts;

	migrate_disable();
	cpu = cpumask_any_but(cpu_online_mask, smp_processor_id());
	for (i = 0; cpu < nr_cpu_ids && i < 50000; i++) {
		race.seqno = i;
		race.ended = false;
		rules_judge(race.jobs, &rules_both, GRTRACE_SUBMIT, 1, i, 0);
		smp_call_function_single(cpu, rules_race_end, &race, 0);
		/* with the release in rules_race_end() */
		for (ts = 0; !smp_load_acquire(&race.ended); ts += NSEC_PER_USEC)
			rules_judge(race.jobs, &rules_both, GRTRACE_COMMIT, 1, i, ts);
		cond_resched();
	}
	migrate_enable();
	for (i = 0; i < ARRAY_SIZE(race.jobs->slots); i++)
		left += !!atomic64_read(&race.jobs->slots[i]);
	KUNIT_EXPECT_EQ(test, left, 0);
	if (cpu >= nr_cpu_ids)
		kunit_skip(test, "one CPU only");
}

static struct kunit_case rules_test_cases[] = {
	KUNIT_CASE_PARAM(rules_marks, rules_case_gen_params),
	KUNIT_CASE(rules_in_flight),
	KUNIT_CASE_SLOW(rules_quick_hardware),
	{}
};

static struct kunit_suite rules_test_suite = {
	.name = "grtrace_rules",
	.test_cases = rules_test_cases,
};

kunit_test_suite(rules_test_suite);
