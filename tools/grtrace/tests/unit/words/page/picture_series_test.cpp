// SPDX-License-Identifier: GPL-2.0
//
// Sums over time equal slow sums, at every width of a bucket.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "dice.h"
#include "words/page/picture_series.h"

namespace grtrace {

namespace {

struct Span {
	uint64_t from, to, weight;
};

// The slow way: what each span shares with a bucket.
double slow_sum(const std::vector<Span> &spans, uint64_t begin, uint64_t end)
{
	double sum = 0;

	for (const Span &span : spans) {
		const uint64_t from = std::max(span.from, begin);
		const uint64_t to = std::min(span.to, end);

		if (from < to)
			sum += double(to - from) * double(span.weight);
	}
	return sum;
}

void expect_slow_sums(const PictureSeries &series, const std::vector<Span> &spans)
{
	double all = 0, told = 0;

	for (size_t i = 0; i < series.size(); i++) {
		const uint64_t begin = (series.first() + i) << series.shift();
		const uint64_t end = begin + (uint64_t(1) << series.shift());

		ASSERT_EQ(series.at(i, 1), slow_sum(spans, begin, end)) << "bucket " << i;
		told += series.at(i, 1);
	}
	for (const Span &span : spans)
		all += double(span.to - span.from) * double(span.weight);
	EXPECT_EQ(told, all);
}

} // namespace

TEST(PictureSeries, equals_a_slow_sum_at_every_level)
{
	PictureSeries series(2);
	std::vector<Span> spans;
	Dice dice(7);

	// Not in order, and later before earlier ones.
	for (int i = 0; i < 300; i++) {
		const uint64_t from = 50000000 + dice.below(100000000);
		const Span span = {from, from + dice.below(2000000), 1 + dice.below(3)};

		spans.push_back(span);
		series.add_span(1, span.from, span.to, span.weight);
	}
	EXPECT_GT(series.shift(), PictureSeries::finest);
	EXPECT_LE(series.size(), PictureSeries::limit);
	EXPECT_GT(series.size(), PictureSeries::limit / 2);
	expect_slow_sums(series, spans);
	for (unsigned int shift = series.shift() + 1; shift < 30; shift += 3) {
		series.coarsen(shift);
		EXPECT_EQ(series.shift(), shift);
		expect_slow_sums(series, spans);
	}
}

TEST(PictureSeries, counts_moments)
{
	PictureSeries series(1);

	series.add_moment(0, 5000, 2);
	series.add_moment(0, 1000, 1);
	series.add_moment(0, 5119, 1);
	ASSERT_EQ(series.first(), 0u);
	ASSERT_EQ(series.size(), 5u);
	EXPECT_EQ(series.at(0, 0), 1);
	EXPECT_EQ(series.at(4, 0), 3);
}

TEST(PictureSeries, folds_a_column_into_another)
{
	PictureSeries series(2);

	series.add_span(0, 0, 100, 1);
	series.add_span(1, 50, 100, 1);
	series.fold(0, 1);
	EXPECT_EQ(series.at(0, 0), 0);
	EXPECT_EQ(series.at(0, 1), 150);
}

TEST(PictureSeries, holds_all_of_time)
{
	PictureSeries series(1);

	series.add_span(0, UINT64_MAX - 5, UINT64_MAX, 1);
	series.add_span(0, 0, UINT64_MAX, 1);
	series.add_moment(0, UINT64_MAX, 1);
	series.add_span(0, 7, 3, 1); // nothing
	EXPECT_LE(series.size(), PictureSeries::limit);
	double sum = 0;
	for (size_t i = 0; i < series.size(); i++)
		sum += series.at(i, 0);
	EXPECT_NEAR(sum, 18446744073709551615.0, 1e6);
}

} // namespace grtrace
