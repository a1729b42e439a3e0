// SPDX-License-Identifier: GPL-2.0
#include "words/terminal/octave_histogram.h"

#include <algorithm>
#include <numeric>

#include "lib/text/print_to.h"
#include "words/terminal/paint.h"

namespace grtrace {

void OctaveHistogram::print(fmt::memory_buffer &out, const Heading &heading,
			    const Terminal &terminal) const
{
	constexpr size_t names = 44; // columns beside the bars
	uint64_t all = std::accumulate(counts_.begin(), counts_.end(), uint64_t(0));
	uint64_t most = *std::max_element(counts_.begin(), counts_.end());
	size_t first = 0, last = counts_.size();

	while (last > rows_min && !counts_[last - 1])
		last--;
	while (last - first > rows_min && !counts_[first])
		first++;
	print_to(out, "\nHistogram: {}\n{:>12} {:>12} {:>10} {:>5}\n", heading.title,
		 fmt::format("from {}", heading.unit), "below", heading.what, "%");
	for (size_t i = first; i < last; i++) {
		// 2^64 does not fit, and no number reaches it.
		uint64_t below = i < 64 ? 1ull << i : UINT64_MAX;

		print_to(out, "{:>12} {:>12} {:>10} {:>5.1f}{}{}\n", i ? 1ull << (i - 1) : 0, below,
			 counts_[i],
			 all ? static_cast<double>(counts_[i]) * 100 / static_cast<double>(all) : 0,
			 counts_[i] ? "  " : "",
			 bar(most ? static_cast<double>(counts_[i]) / static_cast<double>(most) : 0,
			     terminal.beside(names), terminal.utf8));
	}
	if (not_told_)
		print_to(out, "{:>12} {:>12} {:>10}\n", "NA", "NA", not_told_);
}

} // namespace grtrace
