// SPDX-License-Identifier: GPL-2.0
//
// JobGroups: jobs summed up by ring, context or process.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "id_map.h"
#include "job.h"
#include "job_label.h"

namespace grtrace {

// One line of a table: numbers and sums of the jobs there were, of which the
// recorded ones are a sample. No percentiles, so that a table of many contexts
// stays small.
struct JobGroup {
	std::string name;
	uint64_t jobs = 0;
	uint64_t incomplete = 0;
	std::array<uint64_t, nr_job_labels> labels = {};
	// ns, with the number of jobs for which the time was known.
	uint64_t queue = 0, nr_queue = 0;
	uint64_t exec = 0, nr_exec = 0;
	uint64_t wait = 0;
	uint64_t total = 0, nr_total = 0;
	uint64_t max_total = 0;
};

// A table of groups by id. Memory grows with groups.
class JobGroups {
public:
	// Titles of the two columns in front.
	JobGroups(const char *id_title, const char *name_title)
		: id_title_(id_title), name_title_(name_title)
	{
	}

	// The group is new while its name is empty.
	JobGroup &group(uint64_t id) { return groups_.get(id); }
	static void add(JobGroup &group, const Job &job, JobLabel label);

	// Sorted by time of execution, the greatest first.
	void print(fmt::memory_buffer &out);

private:
	const char *id_title_;
	const char *name_title_;
	IdMap<JobGroup> groups_;
};

} // namespace grtrace
