// SPDX-License-Identifier: GPL-2.0
//
// Bootstrap: computes how much a figure varies by chance.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "words/diff/diff_series.h"

namespace grtrace {

// The figures that are compared. n, min and max have no interval: n is a count, and
// resampling says nothing about extremes.
enum class DiffStat : uint8_t { n, mean, min, max, p50, p90, p99, p99_9 };
constexpr size_t nr_diff_stats = 8;

const char *diff_stat_name(DiffStat stat);
// Returns false if there is no figure of this name.
bool diff_stat_by_name(std::string_view name, DiffStat &stat);
bool has_interval(DiffStat stat);
// Returns how many recorded values an interval needs at least: 30, and 10 beyond a
// percentile.
uint64_t least_values(DiffStat stat);

// The random numbers of splitmix64, which are the same on every machine.
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
	// Returns 0 to limit - 1; limit is so small that the bias does not matter.
	size_t below(size_t limit) { return static_cast<size_t>((next() >> 32) * limit >> 32); }

private:
	uint64_t state_;
};

// The block bootstrap: repeats `draws` times: draw as many blocks as there are, with
// replacement, and compute the figures of the result. All jobs take part, not a sample of
// them, so the p99.9 of a million jobs is based on a thousand jobs. Because it draws blocks
// instead of jobs, it is also right for jobs that resemble their neighbours.
//
// A multinomial draw from one histogram of all jobs would be faster, but assumes that jobs
// are independent. A bounded sample of jobs would keep the order of jobs, but have only a
// few jobs of a tail.
class Bootstrap {
public:
	static constexpr size_t draws = 1000;

	// The values of the figures, for all jobs or for one draw.
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
	std::vector<uint64_t> totals_; // by bucket; reused by each draw
	size_t blocks_;
};

// An interval that contains the true value with 95 % probability. known is false if there
// is nothing to compute the interval from.
struct Interval {
	double low = 0;
	double high = 0;
	bool known = false;
};

// Computes the interval from the values of the draws, in any order. With few blocks, plain
// percentiles give intervals that are too narrow. So the intervals are widened by the
// ratio of Student's t to the normal distribution (the "expanded percentile interval").
Interval interval_of(std::vector<double> &values, size_t blocks);

} // namespace grtrace
