// SPDX-License-Identifier: GPL-2.0
#include "words/report/result_histogram.h"

#include <algorithm>
#include <vector>

#include "format/vocabulary.h"
#include "lib/text/errno_text.h"
#include "lib/text/print_to.h"
#include "words/terminal/paint.h"

namespace grtrace {

void ResultHistogram::job(const Job &job, JobLabel)
{
	jobs_ += job.weight;
	if (job.complete())
		by_error_[job.complete_error] += job.weight;
	else
		unknown_ += job.weight;
	for (size_t kind = 0; kind < by_kind_.size(); kind++)
		if (job.error_kinds >> kind & 1)
			by_kind_[kind] += job.weight;
}

void ResultHistogram::print_row(fmt::memory_buffer &out, const std::string &name, uint64_t count,
				uint64_t most) const
{
	constexpr size_t names = 44; // columns beside the bars
	double share = jobs_ ? static_cast<double>(count) / static_cast<double>(jobs_) : 0;
	double part = most ? static_cast<double>(count) / static_cast<double>(most) : 0;

	print_to(out, "{:<25} {:>10} {:>5.1f}  {}\n", name, count, share * 100,
		 bar(part, terminal_.beside(names), terminal_.utf8));
}

void ResultHistogram::print(fmt::memory_buffer &out)
{
	std::vector<std::pair<int32_t, uint64_t>> errors;
	uint64_t ok = by_error_[0];
	uint64_t most = std::max(ok, unknown_);

	for (const auto &[error, count] : by_error_) {
		if (error)
			errors.emplace_back(error, count);
		most = std::max(most, count);
	}
	std::stable_sort(errors.begin(), errors.end(),
			 [](const auto &a, const auto &b) { return a.second > b.second; });
	print_to(out, "\nHistogram: how jobs ended{}\n{:<25} {:>10} {:>5}\n",
		 losses_.empty() ? "" : " *", "COMPLETE with", "jobs", "%");
	print_row(out, "ok", ok, most);
	for (const auto &[error, count] : errors)
		print_row(out, errno_text(error), count, most);
	if (unknown_)
		print_row(out, "no COMPLETE recorded", unknown_, most);

	bool first = true;
	for (uint32_t kind = 0; kind < by_kind_.size(); kind++) {
		if (!by_kind_[kind])
			continue;
		if (first)
			print_to(out, "with an ERROR, or several\n");
		first = false;
		print_row(out, error_kind_name(kind), by_kind_[kind], most);
	}
}

} // namespace grtrace
