// SPDX-License-Identifier: GPL-2.0
//
// Bootstrap: how much a figure could vary by chance.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "words/diff/diff_series.h"

namespace grtrace {

// The figures that are compared. n, min and max have no interval: n is what it is, and
// resampling says nothing about extremes.
enum class DiffStat : uint8_t { n, mean, min, max, p50, p90, p99, p99_9 };
constexpr size_t nr_diff_stats = 8;

const char *diff_stat_name(DiffStat stat);
// False if there is none of this name.
bool diff_stat_by_name(std::string_view name, DiffStat &stat);
bool has_interval(DiffStat stat);
// The least number of recorded values from which an interval is computed: 30, and
// 10 beyond a percentile.
uint64_t least_values(DiffStat stat);

// Random numbers that are the same everywhere: splitmix64.
class DiffRandom {
public:
	explicit DiffRandom(uint64_t seed) : state_(seed) {}

	uint64_t next()
	{
		uint64_t x = state_ += 0x9e3779b97f4a7c15ull;

		x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
		x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
		return x ^ (x >> 31);
	}
	// 0 to limit - 1; limit is small, so that the bias is none.
	size_t below(size_t limit) { return static_cast<size_t>((next() >> 32) * limit >> 32); }

private:
	uint64_t state_;
};

// The block bootstrap: `draws` times, as many blocks as there are get drawn,
// with replacement, and the figures of the result are computed. All jobs take
// part, not a sample of them, so that a p99.9 of a million jobs rests on a
// thousand of them; and as blocks are drawn and not jobs, it is also right for
// jobs that are like their neighbours.
//
// A multinomial draw from one histogram of all jobs would cost less, but takes
// jobs for independent. A bounded sample of jobs would keep their order, but has
// only few jobs of a tail.
class Bootstrap {
public:
	static constexpr size_t draws = 1000;

	// A figure: of all jobs, and of each draw.
	using Figures = std::array<double, nr_diff_stats>;

	Bootstrap(const DiffSeries &series, uint64_t seed, size_t number = draws);

	double figure(DiffStat stat) const { return all_[index(stat)]; }
	double drawn(DiffStat stat, size_t draw) const { return drawn_[draw][index(stat)]; }
	size_t size() const { return drawn_.size(); }
	size_t blocks() const { return blocks_; }

private:
	static size_t index(DiffStat stat) { return static_cast<size_t>(stat); }
	Figures figures(const DiffSeries &series, const std::vector<uint32_t> &times);

	Figures all_ = {};
	std::vector<Figures> drawn_;
	std::vector<uint64_t> totals_; // by bucket; kept between draws
	size_t blocks_;
};

// An interval that holds the true value with 95 %. known is false where there
// is nothing to compare it with.
struct Interval {
	double low = 0;
	double high = 0;
	bool known = false;
};

// From the draws' values, in any order. Percentiles of few blocks come out too
// narrow, as their spread is not known better than by that many; so these are
// taken as much further out as Student's t is than the normal distribution
// (the "expanded percentile interval").
Interval interval_of(std::vector<double> &values, size_t blocks);

} // namespace grtrace
