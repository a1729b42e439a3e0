// SPDX-License-Identifier: GPL-2.0

#include "unit/jobs_from_text.h"

#include <utility>

namespace grtrace {

JobsRead::JobsRead() : tracker(*this) {}
JobsRead::~JobsRead() = default;

void JobsRead::job(const Job &job)
{
	jobs.push_back(job);
}

JobReading::JobReading(std::vector<Bytes> streams, bool per_cpu)
	: Reading(std::move(streams), per_cpu, "%a %x:%S",
		  [this](const Event &event, const std::vector<Gap> &gaps) {
			  tracker.lose(gaps);
			  tracker.feed(event);
		  })
{
	tracker.finish();
}

JobReading::~JobReading() = default;

std::unique_ptr<JobReading> read_jobs(std::string_view text)
{
	return std::make_unique<JobReading>(bytes_of(text, false));
}

std::unique_ptr<JobReading> read_job_stream(std::string_view text)
{
	return std::make_unique<JobReading>(bytes_of(text, true), false);
}

} // namespace grtrace
