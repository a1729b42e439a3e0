// SPDX-License-Identifier: GPL-2.0
//
// JobLabel: a word that says why a job was slow.
#pragma once

#include <cstddef>
#include <cstdint>

#include "words/tracker/job.h"

namespace grtrace {

enum class JobLabel : uint8_t {
	ok,
	failed,
	blocked,
	preempted,
	slow_execution,
	long_queue,
	host_bound,
	incomplete,
	unknown, // nothing is known to be wrong, but the capture lacks how long it took
};
constexpr size_t nr_job_labels = 9;

const char *job_label_name(JobLabel label);

// A part of a job's time is to blame only if it exceeds both a limit in time and a share
// of the total. Without the limit any idle job would get a label; without the share
// short jobs would be missed. These are the limits.
struct JobThresholds {
	uint64_t long_queue_ns = 500 * 1000;
	uint64_t blocked_ns = 500 * 1000;
	uint64_t host_ns = 500 * 1000;
	unsigned int share_percent = 50;
	// 0: the limit is 1.5 times the 90th percentile of the ring's earlier jobs, once
	// there are slow_after of them, and at least slow_floor_ns.
	uint64_t slow_exec_ns = 0;

	static constexpr uint64_t slow_after = 20;
	static constexpr uint64_t slow_floor_ns = 100 * 1000;
};

// Returns the time for which the host had the job: PICK to COMMIT and END to COMPLETE. No
// moment counts twice, and no moment after COMPLETE counts: a short job may end, or be
// complete, before its COMMIT is recorded. Returns Job::none if it is not known.
uint64_t host_ns(const Job &job);

// exec_p90: from earlier jobs on its ring, 0 while it is not known.
JobLabel label_of(const Job &job, const JobThresholds &thresholds, uint64_t exec_p90);

} // namespace grtrace
