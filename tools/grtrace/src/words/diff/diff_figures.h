// SPDX-License-Identifier: GPL-2.0
//
// DiffFigures: compares one stage of two captures.
#pragma once

#include "words/diff/bootstrap.h"

namespace grtrace {

// The captures are independent, so the n-th draw of one is compared with the
// n-th of the other.
class DiffFigures {
public:
	DiffFigures(const DiffSeries &base, const DiffSeries &fresh, uint64_t seed,
		    size_t draws = Bootstrap::draws);

	const Bootstrap &base() const { return base_; }
	// The name is not "new", which is a keyword of C++.
	const Bootstrap &fresh() const { return fresh_; }
	// Return how many recorded jobs the figures are based on.
	uint64_t base_values() const { return base_values_; }
	uint64_t fresh_values() const { return fresh_values_; }

	// Returns by how many percent of the base the new figure is greater; NaN if the
	// base is 0 or missing.
	double percent(DiffStat stat) const;
	// Returns the same difference in ns; for n, in jobs.
	double more(DiffStat stat) const;

	Interval percent_interval(DiffStat stat) const;
	Interval more_interval(DiffStat stat) const;
	Interval fresh_interval(DiffStat stat) const;

	// Returns whether the difference is more than chance, with 95 %.
	bool differs(DiffStat stat) const;

private:
	bool enough(DiffStat stat) const;

	Bootstrap base_;
	Bootstrap fresh_;
	uint64_t base_values_;
	uint64_t fresh_values_;
};

} // namespace grtrace
