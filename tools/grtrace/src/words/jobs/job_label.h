// SPDX-License-Identifier: GPL-2.0
//
// JobLabel: one word on why a job took its time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "read/jobs/job.h"

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
};
constexpr size_t nr_job_labels = 8;

const char *job_label_name(JobLabel label);

// Limits above which a time counts as long. A share alone would label any idle job, and an
// absolute time alone would miss short jobs, so a part is to blame only if it exceeds both
// its time limit and its share of the job's total.
struct JobThresholds {
	uint64_t long_queue_ns = 500 * 1000;
	uint64_t blocked_ns = 500 * 1000;
	uint64_t host_ns = 500 * 1000;
	unsigned int share_percent = 50;
	// 0: 1.5 times the 90th percentile of the ring's earlier jobs, once
	// there are slow_after of them, and more than slow_floor_ns.
	uint64_t slow_exec_ns = 0;

	static constexpr uint64_t slow_after = 20;
	static constexpr uint64_t slow_floor_ns = 100 * 1000;
};

// PICK to COMMIT and END to COMPLETE, for which the host had it. A quick job ends,
// or is complete, before its COMMIT is written down: no moment counts twice, and
// none after COMPLETE. Job::none: not known.
uint64_t host_ns(const Job &job);

// exec_p90: of the jobs before this one on its ring, 0 while not known.
JobLabel label_of(const Job &job, const JobThresholds &thresholds, uint64_t exec_p90);

} // namespace grtrace
