// SPDX-License-Identifier: GPL-2.0
//
// Does the interval hold what it promises? Pairs of captures are drawn from
// distributions whose true figures are known; the interval of their difference
// has to cover the true one in about 95 of 100, neither less nor much more.
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "words/diff/bootstrap.h"
#include "words/diff/diff_figures.h"

namespace grtrace {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double z99 = 2.3263478740408408; // of the normal distribution
constexpr double z90 = 1.2815515655446004;

class Source {
public:
	explicit Source(uint64_t seed) : random_(seed) {}

	double uniform()
	{
		return (static_cast<double>(random_.next() >> 11) + 0.5) / 9007199254740992.0;
	}
	double exponential() { return -std::log(uniform()); }
	double normal() { return std::sqrt(2 * exponential()) * std::cos(2 * pi * uniform()); }

private:
	DiffRandom random_;
};

DiffSeries exponential(Source &source, size_t jobs, double mean)
{
	DiffSeries series;

	for (size_t i = 0; i < jobs; i++)
		series.add(static_cast<uint64_t>(mean * source.exponential()), 1);
	return series;
}

// exp() of an autoregressive process: each job is like the one before it.
std::vector<uint64_t> alike(Source &source, size_t jobs, double median, double likeness)
{
	const double fresh = std::sqrt(1 - likeness * likeness);
	std::vector<uint64_t> values;
	double state = source.normal();

	for (size_t i = 0; i < jobs; i++) {
		state = likeness * state + fresh * source.normal();
		values.push_back(static_cast<uint64_t>(median * std::exp(0.5 * state)));
	}
	return values;
}

DiffSeries series_of(const std::vector<uint64_t> &values)
{
	DiffSeries series;

	for (uint64_t value : values)
		series.add(value, 1);
	return series;
}

DiffSeries autocorrelated(Source &source, size_t jobs, double median, double likeness)
{
	return series_of(alike(source, jobs, median, likeness));
}

// The same jobs in any order, as if each stood for itself.
DiffSeries shuffled(std::vector<uint64_t> values, DiffRandom &random)
{
	for (size_t i = values.size(); i > 1; i--)
		std::swap(values[i - 1], values[random.below(i)]);
	return series_of(values);
}

struct Trial {
	DiffStat stat;
	double truth; // percent
	int covered = 0;
	int differs = 0;
};

void try_pair(std::vector<Trial> &trials, const DiffSeries &base, const DiffSeries &fresh,
	      uint64_t seed)
{
	const DiffFigures figures(base, fresh, seed, 400);

	for (Trial &trial : trials) {
		const Interval percent = figures.percent_interval(trial.stat);

		ASSERT_TRUE(percent.known);
		trial.covered += percent.low <= trial.truth && trial.truth <= percent.high;
		trial.differs += figures.differs(trial.stat);
	}
}

} // namespace

TEST(Bootstrap, covers_the_difference_of_independent_jobs)
{
	constexpr int pairs = 300;
	std::vector<Trial> trials = {{DiffStat::mean, 10},
				     {DiffStat::p50, 10},
				     {DiffStat::p90, 10},
				     {DiffStat::p99, 10}};
	Source source(1);

	for (int i = 0; i < pairs; i++)
		try_pair(trials, exponential(source, 2000, 1e6), exponential(source, 3000, 1.1e6),
			 7 + i);
	// 95 % of 300 are 285, give or take 11 (3 sigma).
	for (const Trial &trial : trials) {
		EXPECT_GE(trial.covered, 273) << diff_stat_name(trial.stat);
		EXPECT_LE(trial.covered, 297) << diff_stat_name(trial.stat);
	}
	// And 10 % more on average are found in nearly all of them.
	EXPECT_GE(trials[0].differs, 200);
}

TEST(Bootstrap, covers_the_difference_of_jobs_that_are_like_their_neighbours)
{
	constexpr int pairs = 200;
	std::vector<Trial> trials = {
		{DiffStat::mean, 20}, {DiffStat::p50, 20}, {DiffStat::p90, 20}};
	Source source(2);

	for (int i = 0; i < pairs; i++)
		try_pair(trials, autocorrelated(source, 20000, 1e6, 0.9),
			 autocorrelated(source, 20000, 1.2e6, 0.9), 7 + i);
	// 190, give or take 9; blocks of 200 jobs still lack a little.
	for (const Trial &trial : trials) {
		EXPECT_GE(trial.covered, 178) << diff_stat_name(trial.stat);
		EXPECT_LE(trial.covered, 199) << diff_stat_name(trial.stat);
	}
}

// The order is kept because without it nearly all would look certain.
TEST(Bootstrap, one_by_one_they_would_not_be_covered)
{
	constexpr int pairs = 60;
	std::vector<Trial> trials = {{DiffStat::mean, 20}, {DiffStat::p50, 20}};
	Source source(2);
	DiffRandom random(3);

	for (int i = 0; i < pairs; i++)
		try_pair(trials, shuffled(alike(source, 20000, 1e6, 0.9), random),
			 shuffled(alike(source, 20000, 1.2e6, 0.9), random), 7 + i);
	for (const Trial &trial : trials)
		EXPECT_LE(trial.covered, 42) << diff_stat_name(trial.stat);
}

TEST(Bootstrap, two_captures_of_the_same_rarely_differ)
{
	constexpr int pairs = 200;
	std::vector<Trial> trials = {{DiffStat::mean, 0}, {DiffStat::p50, 0}, {DiffStat::p99, 0}};
	Source source(3);

	for (int i = 0; i < pairs; i++)
		try_pair(trials, autocorrelated(source, 5000, 1e6, 0.5),
			 autocorrelated(source, 5000, 1e6, 0.5), 7 + i);
	// 5 % of 200 are 10, give or take 9.
	for (const Trial &trial : trials)
		EXPECT_LE(trial.differs, 20) << diff_stat_name(trial.stat);
}

TEST(Bootstrap, figures_are_those_of_the_distribution)
{
	Source source(4);
	const DiffSeries series = autocorrelated(source, 200000, 1e6, 0);
	const Bootstrap bootstrap(series, 1, 100);

	EXPECT_EQ(bootstrap.figure(DiffStat::n), 200000);
	EXPECT_NEAR(bootstrap.figure(DiffStat::mean) / 1e6, std::exp(0.125), 0.01);
	EXPECT_NEAR(bootstrap.figure(DiffStat::p50) / 1e6, 1, 0.01);
	EXPECT_NEAR(bootstrap.figure(DiffStat::p90) / 1e6, std::exp(0.5 * z90), 0.02);
	EXPECT_NEAR(bootstrap.figure(DiffStat::p99) / 1e6, std::exp(0.5 * z99), 0.05);
}

TEST(Bootstrap, equal_values_are_exact)
{
	DiffSeries base, fresh;

	for (int i = 0; i < 1000; i++) {
		base.add(20000, 1);
		fresh.add(20200, 1); // in the same bucket of a Histogram
	}
	const DiffFigures figures(base, fresh, 1, 200);

	EXPECT_EQ(figures.base().figure(DiffStat::p99), 20000);
	EXPECT_EQ(figures.fresh().figure(DiffStat::p99), 20200);
	EXPECT_NEAR(figures.percent(DiffStat::p50), 1, 1e-9);
	EXPECT_TRUE(figures.differs(DiffStat::p50));
	EXPECT_NEAR(figures.percent_interval(DiffStat::p50).low, 1, 1e-9);
}

TEST(Bootstrap, the_same_seed_draws_the_same)
{
	Source source(5);
	const DiffSeries a = exponential(source, 500, 1e6);
	const DiffSeries b = exponential(source, 500, 1e6);
	const Interval once = DiffFigures(a, b, 9, 200).percent_interval(DiffStat::mean);
	const Interval again = DiffFigures(a, b, 9, 200).percent_interval(DiffStat::mean);
	const Interval other = DiffFigures(a, b, 10, 200).percent_interval(DiffStat::mean);

	EXPECT_EQ(once.low, again.low);
	EXPECT_EQ(once.high, again.high);
	EXPECT_NE(once.low, other.low);
}

TEST(Bootstrap, few_jobs_have_no_interval)
{
	Source source(6);
	const DiffSeries few = exponential(source, 29, 1e6);
	const DiffSeries some = exponential(source, 999, 1e6);
	const DiffFigures figures(few, some, 1, 200);
	const DiffFigures more(some, some, 1, 200);

	EXPECT_FALSE(figures.percent_interval(DiffStat::mean).known);
	EXPECT_FALSE(figures.differs(DiffStat::mean));
	EXPECT_TRUE(more.percent_interval(DiffStat::p90).known);
	EXPECT_FALSE(more.percent_interval(DiffStat::p99).known);
	EXPECT_FALSE(more.percent_interval(DiffStat::max).known);
}

TEST(Bootstrap, a_share_of_nothing_is_none)
{
	DiffSeries zero, one;

	for (int i = 0; i < 100; i++) {
		zero.add(0, 1);
		one.add(1, 1);
	}
	const DiffFigures figures(zero, one, 1, 200);

	EXPECT_TRUE(std::isnan(figures.percent(DiffStat::mean)));
	EXPECT_FALSE(figures.percent_interval(DiffStat::mean).known);
	// The difference in ns is known, so it is seen.
	EXPECT_TRUE(figures.differs(DiffStat::mean));
}

TEST(DiffSeries, a_weight_counts_as_so_many_jobs)
{
	DiffSeries series;

	series.add(100, 9);
	series.add(300, 1);
	const Bootstrap bootstrap(series, 1, 100);

	EXPECT_EQ(series.values(), 2u);
	EXPECT_EQ(series.jobs(), 10u);
	EXPECT_EQ(bootstrap.figure(DiffStat::mean), 120);
	EXPECT_EQ(bootstrap.figure(DiffStat::p50), 100);
	EXPECT_EQ(bootstrap.figure(DiffStat::p99), 300);
}

TEST(DiffSeries, blocks_are_bounded_and_all_jobs_are_in_them)
{
	DiffSeries series;

	for (uint64_t i = 0; i < 100000; i++) {
		series.add(i * i, 2);
		ASSERT_LE(series.blocks().size(), DiffSeries::most_blocks);
	}
	double jobs = 0;
	uint64_t counts = 0;
	for (const DiffSeries::Block &block : series.blocks()) {
		jobs += block.jobs;
		for (uint32_t count : block.counts)
			counts += count;
	}
	EXPECT_EQ(jobs, 200000);
	EXPECT_EQ(counts, 200000u);
	EXPECT_GE(series.blocks().size(), DiffSeries::most_blocks / 2);
}

TEST(DiffSeries, hostile_values_and_weights)
{
	DiffSeries series;

	for (int i = 0; i < 300; i++) {
		series.add(UINT64_MAX - 1, UINT32_MAX);
		series.add(0, UINT32_MAX);
	}
	const DiffFigures figures(series, series, 1, 100);

	EXPECT_EQ(figures.percent(DiffStat::p99), 0);
}

} // namespace grtrace
