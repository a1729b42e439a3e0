// SPDX-License-Identifier: GPL-2.0
//
// What --fail-if understands, where it says that it does not, and when a
// condition holds.
#include <gtest/gtest.h>

#include "words/diff/fail_condition.h"

namespace grtrace {

namespace {

using Verdict = FailCondition::Verdict;

std::string sentence(const char *text)
{
	FailCondition condition;
	const Status status = condition.parse(text);

	return status.ok() ? "" : status.sentence();
}

DiffSeries series(uint64_t from, uint64_t step, int jobs)
{
	DiffSeries series;

	for (int i = 0; i < jobs; i++)
		series.add(from + step * static_cast<uint64_t>(i % 10), 1);
	return series;
}

Verdict judge(const char *text, const DiffFigures &figures, bool by_interval = true)
{
	FailCondition condition;
	const Status status = condition.parse(text);

	std::string why;

	EXPECT_TRUE(status.ok()) << status.sentence();
	return condition.judge(figures, by_interval, why);
}

// Why it cannot be judged.
std::string open_for(const char *text, const DiffFigures &figures)
{
	FailCondition condition;
	std::string why;

	EXPECT_TRUE(condition.parse(text).ok());
	EXPECT_EQ(condition.judge(figures, true, why), Verdict::not_known);
	return why;
}

} // namespace

TEST(FailCondition, what_it_understands)
{
	FailCondition condition;

	ASSERT_TRUE(condition.parse("p99:Q2C>+5%").ok());
	EXPECT_EQ(condition.stage(), Stages::q2c);
	EXPECT_EQ(condition.stat(), DiffStat::p99);
	EXPECT_EQ(condition.text(), "p99:Q2C>+5%");
	for (const char *text :
	     {"p99.9:B2E >= 2.5ms", " mean : Q2I < -10 % ", "n:Q2C<100", "n:Q2C<-5%",
	      "min:C2W<=1ns", "max:E2C>+1s", "p50:D2B>.5us", "n:Q2C<-100"})
		EXPECT_EQ(sentence(text), "");
}

TEST(FailCondition, says_where_it_does_not_understand)
{
	EXPECT_EQ(sentence("p98:Q2C>+5%"), "--fail-if \"p98:Q2C>+5%\": at character 1: \"p98\" is "
					   "not one of n, mean, min, max, p50, p90, p99, p99.9");
	EXPECT_EQ(sentence("p99"), "--fail-if \"p99\": at character 4: a colon and a stage are "
				   "missing");
	EXPECT_EQ(sentence("p99:Q2X>1ms"),
		  "--fail-if \"p99:Q2X>1ms\": at character 5: \"Q2X\" is not one of the stages "
		  "Q2I, I2D, RESET, D2B, B2E, E2C, Q2C, C2W");
	EXPECT_EQ(sentence("p99:Q2C"), "--fail-if \"p99:Q2C\": at character 8: one of > >= < <= is "
				       "missing (quote the condition, or the shell "
				       "takes > and < for itself)");
	EXPECT_EQ(sentence("p99:Q2C==5ms"),
		  "--fail-if \"p99:Q2C==5ms\": at character 8: one of > >= < "
		  "<= is missing (quote the condition, or the shell takes > and < for itself)");
	EXPECT_EQ(sentence("p99:Q2C>=="), "--fail-if \"p99:Q2C>==\": at character 10: a number is "
					  "missing");
	EXPECT_EQ(sentence("p99:Q2C>inf%"),
		  "--fail-if \"p99:Q2C>inf%\": at character 9: a number is "
		  "missing");
	EXPECT_EQ(sentence("p99:Q2C>+-5%"),
		  "--fail-if \"p99:Q2C>+-5%\": at character 10: a number is "
		  "missing");
	EXPECT_EQ(sentence("p99:Q2C>5%"),
		  "--fail-if \"p99:Q2C>5%\": at character 10: percent of what? "
		  "Say +5% for 5 % more than the base, -5% for less");
	EXPECT_EQ(sentence("p99:Q2C>5"), "--fail-if \"p99:Q2C>5\": at character 10: a unit is "
					 "missing: %, ns, us, ms or s");
	EXPECT_EQ(sentence("p99:Q2C>5 mss"), "--fail-if \"p99:Q2C>5 mss\": at character 11: "
					     "\"mss\" is not one of the units %, ns, us, ms, s");
	EXPECT_EQ(sentence("n:Q2C>5ms"),
		  "--fail-if \"n:Q2C>5ms\": at character 8: a number of jobs "
		  "has no unit but %");
	EXPECT_EQ(sentence(""), "--fail-if \"\": at character 1: \"\" is not one of n, mean, "
				"min, max, p50, p90, p99, p99.9");
}

TEST(FailCondition, relative_to_the_base)
{
	// 1000 to 1900 ns, and 10 % more.
	const DiffFigures figures(series(1000, 100, 5000), series(1100, 110, 5000), 1, 200);

	EXPECT_EQ(judge("mean:Q2C>+5%", figures), Verdict::holds);
	EXPECT_EQ(judge("mean:Q2C>+15%", figures), Verdict::does_not_hold);
	EXPECT_EQ(judge("mean:Q2C>+100ns", figures), Verdict::holds);
	EXPECT_EQ(judge("mean:Q2C>+200ns", figures), Verdict::does_not_hold);
	EXPECT_EQ(judge("mean:Q2C<-5%", figures), Verdict::does_not_hold);
	EXPECT_EQ(judge("mean:Q2C<+15%", figures), Verdict::holds);
}

TEST(FailCondition, a_fall)
{
	const DiffFigures figures(series(1100, 110, 5000), series(1000, 100, 2500), 1, 200);

	EXPECT_EQ(judge("mean:Q2C<-5%", figures), Verdict::holds);
	EXPECT_EQ(judge("mean:Q2C<-15%", figures), Verdict::does_not_hold);
	EXPECT_EQ(judge("n:Q2C<-40%", figures), Verdict::holds);
	EXPECT_EQ(judge("n:Q2C<-2500", figures), Verdict::does_not_hold);
	EXPECT_EQ(judge("n:Q2C<=-2500", figures), Verdict::holds);
	EXPECT_EQ(judge("n:Q2C<3000", figures), Verdict::holds);
}

TEST(FailCondition, about_the_new_one_alone)
{
	const DiffFigures figures(series(1000, 100, 5000), series(1100, 110, 5000), 1, 200);

	EXPECT_EQ(judge("max:Q2C>2us", figures), Verdict::holds);
	EXPECT_EQ(judge("max:Q2C>=2.09us", figures), Verdict::holds);
	EXPECT_EQ(judge("max:Q2C>2.09us", figures), Verdict::does_not_hold);
	EXPECT_EQ(judge("min:Q2C<=1.1us", figures), Verdict::holds);
	EXPECT_EQ(judge("mean:Q2C>0.0000015s", figures), Verdict::holds);
	EXPECT_EQ(judge("mean:Q2C>1.7us", figures), Verdict::does_not_hold);
}

TEST(FailCondition, needs_the_interval_unless_told_otherwise)
{
	// Two jobs of a hundred are slow in one, three in the other.
	DiffSeries base, fresh;
	for (int i = 0; i < 100; i++) {
		base.add(i < 2 ? 100000 : 1000, 1);
		fresh.add(i < 3 ? 100000 : 1000, 1);
	}
	const DiffFigures figures(base, fresh, 1, 200);

	EXPECT_EQ(judge("mean:Q2C>+5%", figures), Verdict::does_not_hold);
	EXPECT_EQ(judge("mean:Q2C>+5%", figures, false), Verdict::holds);
	// A p99 of a hundred jobs is one of them.
	EXPECT_EQ(judge("p99:Q2C>+5%", figures), Verdict::not_known);
	EXPECT_EQ(judge("p99:Q2C>+5%", figures, false), Verdict::does_not_hold);
	EXPECT_EQ(open_for("p99:Q2C>+5%", figures),
		  "p99 can be judged from 1000 recorded jobs on in each "
		  "capture, and the base has 100, the new one 100");
	EXPECT_EQ(open_for("p99.9:Q2C>2ms", figures),
		  "p99.9 can be judged from 10000 recorded jobs on, and the "
		  "new capture has 100");
}

// A difference that may be chance is not enough, whichever way the condition looks.
TEST(FailCondition, the_interval_counts_by_its_end_that_speaks_against_it)
{
	DiffSeries low, high;
	for (int i = 0; i < 100; i++) {
		low.add(i < 2 ? 100000 : 1000, 1);
		high.add(i < 3 ? 100000 : 1000, 1);
	}
	const DiffFigures more(low, high, 1, 200), less(high, low, 1, 200);

	for (const char *text : {"mean:Q2C>+5%", "mean:Q2C>=+5%", "mean:Q2C>+100ns",
				 "mean:Q2C>=+100ns", "mean:Q2C>3us", "mean:Q2C>=3us"}) {
		EXPECT_EQ(judge(text, more, false), Verdict::holds) << text;
		EXPECT_EQ(judge(text, more), Verdict::does_not_hold) << text;
	}
	for (const char *text : {"mean:Q2C<-5%", "mean:Q2C<=-5%", "mean:Q2C<-100ns",
				 "mean:Q2C<=-100ns", "mean:Q2C<4us", "mean:Q2C<=4us"}) {
		EXPECT_EQ(judge(text, less, false), Verdict::holds) << text;
		EXPECT_EQ(judge(text, less), Verdict::does_not_hold) << text;
	}
}

TEST(FailCondition, percent_of_nothing)
{
	const DiffFigures figures(series(0, 0, 100), series(5, 0, 100), 1, 200);

	EXPECT_EQ(judge("mean:Q2C>+5%", figures, false), Verdict::not_known);
	EXPECT_EQ(judge("mean:Q2C>+4ns", figures), Verdict::holds);
	EXPECT_EQ(open_for("mean:Q2C>+5%", figures), "the base is 0");
	// Too few jobs and a base of 0 is about the jobs, where nothing is of it.
	const DiffFigures few(series(0, 0, 3), series(5, 0, 3), 1, 200);
	EXPECT_EQ(open_for("mean:Q2C>4ns", few),
		  "mean can be judged from 30 recorded jobs on, and the new "
		  "capture has 3");
}

// Only one was seen of the jobs that a sampled job represents.
TEST(FailCondition, a_weight_is_no_evidence)
{
	DiffSeries few;

	for (int i = 0; i < 20; i++)
		few.add(1000, 100);
	EXPECT_EQ(judge("mean:Q2C>+5%", DiffFigures(few, few, 1, 200)), Verdict::not_known);
}

} // namespace grtrace
