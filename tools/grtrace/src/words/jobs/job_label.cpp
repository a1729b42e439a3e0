// SPDX-License-Identifier: GPL-2.0
#include "words/jobs/job_label.h"

#include <algorithm>

namespace grtrace {

const char *job_label_name(JobLabel label)
{
	static const char *const names[nr_job_labels] = {
		"ok",         "failed",         "blocked by a dependency",
		"preempted",  "slow execution", "long queue",
		"host-bound", "incomplete",     "unknown",
	};

	return names[static_cast<size_t>(label)];
}

static uint64_t known(uint64_t duration)
{
	return duration == Job::none ? 0 : duration;
}

static bool is_slow(const Job &job, const JobThresholds &thresholds, uint64_t exec_p90)
{
	uint64_t exec = known(job.exec());

	if (thresholds.slow_exec_ns)
		return exec > thresholds.slow_exec_ns;
	return exec_p90 && exec > JobThresholds::slow_floor_ns && exec > exec_p90 + exec_p90 / 2;
}

uint64_t host_ns(const Job &job)
{
	const uint64_t commit =
		job.commit_ts == Job::none ? Job::none : std::min(job.commit_ts, job.complete_ts);
	const uint64_t before = Job::between(job.pick_ts, commit);
	const uint64_t after = job.completion();

	if (before == Job::none)
		return after;
	if (after == Job::none)
		return before;
	// The two parts overlap.
	if (job.end_ts < commit)
		return job.complete_ts - std::min(job.pick_ts, job.end_ts);
	return before + after;
}

JobLabel label_of(const Job &job, const JobThresholds &thresholds, uint64_t exec_p90)
{
	uint64_t total = job.total();
	auto share = [&]() {
		// Computed in two parts, because 100 times a hostile time would not fit.
		return total / 100 * thresholds.share_percent +
		       total % 100 * thresholds.share_percent / 100;
	};
	auto blames = [&](uint64_t part, uint64_t limit) {
		return part > limit && total != Job::none && part > share();
	};
	if (job.failed)
		return JobLabel::failed;
	if (!job.over())
		return JobLabel::incomplete;
	if (blames(known(job.blocked()), thresholds.blocked_ns))
		return JobLabel::blocked;
	if (job.preempted)
		return JobLabel::preempted;
	if (blames(known(host_ns(job)), thresholds.host_ns))
		return JobLabel::host_bound;
	if (blames(known(job.queue()), thresholds.long_queue_ns))
		return JobLabel::long_queue;
	// This comes last: the job is slower than others, but that is not where most of its
	// time went.
	if (is_slow(job, thresholds, exec_p90))
		return JobLabel::slow_execution;
	return JobLabel::ok;
}

} // namespace grtrace
