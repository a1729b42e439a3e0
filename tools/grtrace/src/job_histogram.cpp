// SPDX-License-Identifier: GPL-2.0
#include "job_histogram.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace grtrace {

void JobHistogram::job(const Job &job, JobLabel)
{
	uint64_t value = (job.*duration_)();

	if (value != Job::none)
		histogram_.add(value, job.weight);
}

// At least 12 rows, at most 40 marks.
void JobHistogram::print(fmt::memory_buffer &out)
{
	std::vector<uint64_t> rows = histogram_.by_microseconds();
	auto it = std::back_inserter(out);

	rows.resize(std::max<size_t>(rows.size(), 12));
	uint64_t most = *std::max_element(rows.begin(), rows.end());

	fmt::format_to(it, "\n{:>12} {:>12} {:>10}  {}\n", "from us", "to us",
		       "jobs", what_);
	for (size_t i = 0; i < rows.size(); i++) {
		// A row that is not empty shows at least one mark.
		uint64_t marks = most ? (rows[i] * 40 + most - 1) / most : 0;

		fmt::format_to(it, "{:>12} {:>12} {:>10}  {:#>{}}\n",
			       i ? 1ull << (i - 1) : 0, 1ull << i, rows[i], "",
			       marks);
	}
}

} // namespace grtrace
