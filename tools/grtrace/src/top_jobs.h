// SPDX-License-Identifier: GPL-2.0
//
// TopJobs: the jobs that took longest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "job.h"
#include "job_label.h"
#include "session.h"

namespace grtrace {

// Keeps the N worst by total time, SUBMIT to COMPLETE.
class TopJobs {
public:
	explicit TopJobs(size_t limit) : limit_(limit) {}

	void add(const Job &job, JobLabel label, Session &session);
	void print(fmt::memory_buffer &out, const Session &session);

private:
	struct Entry {
		Job job;
		JobLabel label;
		std::string comm;
	};

	static bool worse(const Entry &a, const Entry &b)
	{
		return a.job.total() > b.job.total();
	}

	size_t limit_;
	std::vector<Entry> heap_; // the least bad in front
};

} // namespace grtrace
