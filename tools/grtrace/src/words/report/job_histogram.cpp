// SPDX-License-Identifier: GPL-2.0
#include "words/report/job_histogram.h"

namespace grtrace {

// A source that knows no credits records 0.
static uint64_t credits(const Job &job, const Session &)
{
	return job.credits ? job.credits : Job::none;
}

static const HistogramKind kinds[] = {
	{"lat", "SUBMIT to COMPLETE", "us", 1000,
	 [](const Job &job, const Session &) { return job.total(); }},
	{"queue", "SUBMIT to START", "us", 1000,
	 [](const Job &job, const Session &) { return job.queue(); }},
	{"exec", "START to END", "us", 1000,
	 [](const Job &job, const Session &) { return job.exec(); }},
	{"size", "size of jobs in credits, as the driver counts them", "credits", 1, credits},
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
		counts_.add_not_told(job.weight);
	else
		counts_.add(value / kind_.scale, job.weight);
}

void JobHistogram::print(fmt::memory_buffer &out)
{
	counts_.print(
		out,
		{fmt::format("{}{}", kind_.title, losses_.empty() ? "" : " *"), kind_.unit, "jobs"},
		terminal_);
}

} // namespace grtrace
