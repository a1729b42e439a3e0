// SPDX-License-Identifier: GPL-2.0
//
// TopJobs: the jobs that took longest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "words/jobs/job_section.h"

namespace grtrace {

// Keeps the N worst by total time, SUBMIT to COMPLETE.
class TopJobs : public ReportSection {
public:
	// The capture must outlive it.
	TopJobs(size_t limit, Capture &capture)
		: limit_(limit), wanted_(limit ? 0 : Job::none), capture_(capture)
	{
	}

	void job(const Job &job, JobLabel label) override;
	void print(fmt::memory_buffer &out) override;

private:
	struct Entry {
		Job job;
		JobLabel label;
		std::string comm;
	};

	static bool worse(const Entry &a, const Entry &b) { return a.job.total() > b.job.total(); }

	void keep(const Job &job, JobLabel label);

	size_t limit_;
	uint64_t wanted_; // least total time of the kept jobs
	Capture &capture_;
	std::vector<Entry> heap_; // the shortest in front
};

} // namespace grtrace
