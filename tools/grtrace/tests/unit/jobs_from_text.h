// SPDX-License-Identifier: GPL-2.0
//
// From a fixture's text to its jobs.
#pragma once

#include <utility>

#include "unit/from_text.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

struct JobsRead : JobSink {
	void job(const Job &job) override { jobs.push_back(job); }

	JobTracker tracker{*this};
	std::vector<Job> jobs;
};

// The jobs of a capture, beside what a Reading keeps.
struct JobReading : JobsRead, Reading {
	explicit JobReading(std::vector<Bytes> streams, bool per_cpu = true)
		: Reading(std::move(streams), per_cpu, "%a %x:%S",
			  [this](const Event &event, const std::vector<Gap> &gaps) {
				  tracker.lose(gaps);
				  tracker.feed(event);
			  })
	{
		tracker.finish();
	}
};

// One file per CPU.
inline std::unique_ptr<JobReading> read_jobs(std::string_view text)
{
	return std::make_unique<JobReading>(bytes_of(text, false));
}

// One stream.
inline std::unique_ptr<JobReading> read_job_stream(std::string_view text)
{
	return std::make_unique<JobReading>(bytes_of(text, true), false);
}

} // namespace grtrace
