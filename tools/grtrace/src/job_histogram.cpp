// SPDX-License-Identifier: GPL-2.0
#include "job_histogram.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>

#include "paint.h"

namespace grtrace {

// On virtio-gpu SUBMIT tells the type of the command there.
static uint64_t credits(const Job &job, const Session &session)
{
	return job.arg == Job::no_arg || session.rings.find(job.ring).driver ==
						 "virtio_gpu" ?
		       Job::none :
		       job.arg;
}

static const HistogramKind kinds[] = {
	{"lat", "SUBMIT to COMPLETE", "us", 1000,
	 [](const Job &job, const Session &) { return job.total(); }},
	{"queue", "SUBMIT to START", "us", 1000,
	 [](const Job &job, const Session &) { return job.queue(); }},
	{"exec", "START to END", "us", 1000,
	 [](const Job &job, const Session &) { return job.exec(); }},
	{"size", "size of jobs in credits, as the driver counts them",
	 "credits", 1, credits},
};

const HistogramKind *find_histogram(std::string_view word)
{
	for (const HistogramKind &kind : kinds)
		if (word == kind.word)
			return &kind;
	return nullptr;
}

void JobHistogram::job(const Job &job, JobLabel)
{
	uint64_t value = kind_.value(job, capture_.session());

	if (value == Job::none)
		not_told_ += job.weight;
	else
		counts_[static_cast<size_t>(
			std::bit_width(value / kind_.scale))] += job.weight;
}

// From the first bucket that has something to the last, but at least 12.
void JobHistogram::print(fmt::memory_buffer &out)
{
	constexpr size_t names = 44; // columns beside the bars
	uint64_t all =
		std::accumulate(counts_.begin(), counts_.end(), uint64_t(0));
	uint64_t most = *std::max_element(counts_.begin(), counts_.end());
	size_t first = 0, last = counts_.size();
	auto it = std::back_inserter(out);

	while (last > rows_min && !counts_[last - 1])
		last--;
	while (last - first > rows_min && !counts_[first])
		first++;
	fmt::format_to(it, "\nHistogram: {}{}\n{:>12} {:>12} {:>10} {:>5}\n",
		       kind_.title, losses_.empty() ? "" : " *",
		       fmt::format("from {}", kind_.unit), "below", "jobs",
		       "%");
	for (size_t i = first; i < last; i++) {
		// 2^64 does not fit, nor does a number reach it.
		uint64_t below = i < 64 ? 1ull << i : UINT64_MAX;

		fmt::format_to(it, "{:>12} {:>12} {:>10} {:>5.1f}{}{}\n",
			       i ? 1ull << (i - 1) : 0, below, counts_[i],
			       all ? static_cast<double>(counts_[i]) * 100 /
					       static_cast<double>(all) :
				     0,
			       counts_[i] ? "  " : "",
			       bar(most ? static_cast<double>(counts_[i]) /
						   static_cast<double>(most) :
					  0,
				   terminal_.width - names, terminal_.utf8));
	}
	if (not_told_)
		fmt::format_to(it, "{:>12} {:>12} {:>10}\n", "NA", "NA",
			       not_told_);
}

} // namespace grtrace
