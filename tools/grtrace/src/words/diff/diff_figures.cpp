// SPDX-License-Identifier: GPL-2.0
#include "words/diff/diff_figures.h"

#include <algorithm>
#include <cmath>

namespace grtrace {

DiffFigures::DiffFigures(const DiffSeries &base, const DiffSeries &fresh, uint64_t seed,
			 size_t draws)
	: base_(base, seed, draws), fresh_(fresh, ~seed, draws), base_values_(base.values()),
	  fresh_values_(fresh.values())
{
}

static double percent_of(double base, double fresh)
{
	return base > 0 ? (fresh / base - 1) * 100 : std::nan("");
}

double DiffFigures::percent(DiffStat stat) const
{
	return percent_of(base_.figure(stat), fresh_.figure(stat));
}

double DiffFigures::more(DiffStat stat) const
{
	return fresh_.figure(stat) - base_.figure(stat);
}

bool DiffFigures::enough(DiffStat stat) const
{
	return has_interval(stat) && std::min(base_values_, fresh_values_) >= least_values(stat);
}

Interval DiffFigures::percent_interval(DiffStat stat) const
{
	std::vector<double> values;

	if (!enough(stat))
		return {};
	for (size_t i = 0; i < base_.size(); i++)
		values.push_back(percent_of(base_.drawn(stat, i), fresh_.drawn(stat, i)));
	return interval_of(values, std::min(base_.blocks(), fresh_.blocks()));
}

Interval DiffFigures::more_interval(DiffStat stat) const
{
	std::vector<double> values;

	if (!enough(stat))
		return {};
	for (size_t i = 0; i < base_.size(); i++)
		values.push_back(fresh_.drawn(stat, i) - base_.drawn(stat, i));
	return interval_of(values, std::min(base_.blocks(), fresh_.blocks()));
}

Interval DiffFigures::fresh_interval(DiffStat stat) const
{
	std::vector<double> values;

	if (!has_interval(stat) || fresh_values_ < least_values(stat))
		return {};
	for (size_t i = 0; i < fresh_.size(); i++)
		values.push_back(fresh_.drawn(stat, i));
	return interval_of(values, fresh_.blocks());
}

bool DiffFigures::differs(DiffStat stat) const
{
	const Interval interval = more_interval(stat);

	return interval.known && (interval.low > 0 || interval.high < 0);
}

} // namespace grtrace
