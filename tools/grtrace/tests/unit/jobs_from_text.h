// SPDX-License-Identifier: GPL-2.0
//
// From a fixture's text to its jobs.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "unit/from_text.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

struct JobsRead : JobSink {
	JobsRead();
	~JobsRead() override;
	void job(const Job &job) override;

	JobTracker tracker;
	std::vector<Job> jobs;
};

// The jobs of a capture, beside what a Reading keeps.
struct JobReading : JobsRead, Reading {
	explicit JobReading(std::vector<Bytes> streams, bool per_cpu = true);
	~JobReading() override;
};

// One file per CPU.
std::unique_ptr<JobReading> read_jobs(std::string_view text);

// One stream.
std::unique_ptr<JobReading> read_job_stream(std::string_view text);

} // namespace grtrace
