// SPDX-License-Identifier: GPL-2.0
#include "words/diff/bootstrap.h"

#include <algorithm>
#include <cmath>

namespace grtrace {

namespace {

struct StatKind {
	const char *name;
	double part; // of the jobs below it; 0: no percentile
};

constexpr StatKind stat_kinds[nr_diff_stats] = {
	{"n", 0},     {"mean", 0},  {"min", 0},    {"max", 0},
	{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999},
};

constexpr size_t first_percentile = 4;

const StatKind &kind_of(DiffStat stat)
{
	return stat_kinds[static_cast<size_t>(stat)];
}

// Returns the value of Student's t with this many degrees of freedom that 2.5 % exceed:
// that of the normal distribution and the first terms of the expansion around it.
double students_t(double freedom)
{
	constexpr double z = 1.959963984540054;
	const double z3 = z * z * z, z5 = z3 * z * z;

	return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom);
}

} // namespace

const char *diff_stat_name(DiffStat stat)
{
	return kind_of(stat).name;
}

bool diff_stat_by_name(std::string_view name, DiffStat &stat)
{
	for (size_t i = 0; i < nr_diff_stats; i++) {
		if (name != stat_kinds[i].name)
			continue;
		stat = DiffStat(i);
		return true;
	}
	return false;
}

bool has_interval(DiffStat stat)
{
	return stat == DiffStat::mean || kind_of(stat).part > 0;
}

uint64_t least_values(DiffStat stat)
{
	const double part = kind_of(stat).part;

	if (part == 0)
		return 30;
	return std::max<uint64_t>(30, static_cast<uint64_t>(std::lround(10 / (1 - part))));
}

Bootstrap::Bootstrap(const DiffSeries &series, uint64_t seed, size_t number)
	: totals_(series.end_bucket()), blocks_(series.blocks().size())
{
	std::vector<uint32_t> times(blocks_, 1);
	DiffRandom random(seed);

	if (!blocks_)
		return;
	all_ = figures(series, times);
	drawn_.reserve(number);
	while (drawn_.size() < number) {
		std::fill(times.begin(), times.end(), 0);
		for (size_t i = 0; i < blocks_; i++)
			times[random.below(blocks_)]++;
		drawn_.push_back(figures(series, times));
	}
}

Bootstrap::Figures Bootstrap::figures(const DiffSeries &series, const std::vector<uint32_t> &times)
{
	const std::vector<DiffSeries::Block> &blocks = series.blocks();
	Figures figures = {};
	double sum = 0;
	uint64_t total = 0;

	std::fill(totals_.begin(), totals_.end(), 0);
	for (size_t b = 0; b < blocks.size(); b++) {
		const DiffSeries::Block &block = blocks[b];
		uint64_t *into = totals_.data() + block.first;

		if (!times[b])
			continue;
		for (size_t i = 0; i < block.counts.size(); i++)
			into[i] += uint64_t(block.counts[i]) * times[b];
		figures[index(DiffStat::n)] += block.jobs * times[b];
		sum += block.sum * times[b];
	}
	for (size_t i = series.first_bucket(); i < totals_.size(); i++)
		total += totals_[i];
	figures[index(DiffStat::min)] = static_cast<double>(series.min());
	figures[index(DiffStat::max)] = static_cast<double>(series.max());
	if (!total)
		return figures;
	figures[index(DiffStat::mean)] = sum / figures[index(DiffStat::n)];

	size_t stat = first_percentile;
	uint64_t before = 0;
	for (size_t i = series.first_bucket(); i < totals_.size() && stat < nr_diff_stats; i++) {
		const double here = static_cast<double>(totals_[i]);

		for (; stat < nr_diff_stats; stat++) {
			const double wanted = stat_kinds[stat].part * static_cast<double>(total) -
					      static_cast<double>(before);

			if (wanted > here || !totals_[i])
				break;
			figures[stat] = series.value_in(i, wanted / here);
		}
		before += totals_[i];
	}
	return figures;
}

Interval interval_of(std::vector<double> &values, size_t blocks)
{
	const size_t number = values.size();

	if (blocks < 2 || number < 100)
		return {};
	for (double value : values)
		if (!std::isfinite(value))
			return {};
	std::sort(values.begin(), values.end());

	const double freedom = static_cast<double>(blocks - 1);
	const double far = students_t(freedom) * std::sqrt(static_cast<double>(blocks) / freedom);
	const double outside = std::erfc(far / std::sqrt(2.0)) / 2;
	const size_t cut = static_cast<size_t>(std::floor(outside * static_cast<double>(number)));

	return {values[cut], values[number - 1 - cut], true};
}

} // namespace grtrace
