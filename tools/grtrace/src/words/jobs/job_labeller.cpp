// SPDX-License-Identifier: GPL-2.0
#include "words/jobs/job_labeller.h"

#include "read/stream/ring_table.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

RunningPercentile &JobLabeller::pace_of(uint32_t ring)
{
	std::unique_ptr<RunningPercentile> &pace = paces_[ring];

	if (!pace)
		pace = std::make_unique<RunningPercentile>(900);
	return *pace;
}

// Without one of its ends it is not known how long the job took, if no job of the capture
// has a record of it.
bool JobLabeller::is_unknown(const Job &job) const
{
	return (!job.complete() && lacks(session_, "completions")) ||
	       (job.submit_ts == Job::none && lacks(session_, "submissions"));
}

JobLabel JobLabeller::label(const Job &job)
{
	RunningPercentile &pace = pace_of(job.ring);
	const bool known = pace.values() >= JobThresholds::slow_after;
	JobLabel label = label_of(job, thresholds_, known ? pace.get() : 0);
	const uint64_t exec = job.exec();

	const bool no_ends = lacks(session_, "ends") && lacks(session_, "completions");

	if ((label == JobLabel::ok && is_unknown(job)) ||
	    (label == JobLabel::incomplete && no_ends))
		label = JobLabel::unknown;
	if (exec != Job::none)
		pace.add(exec, job.weight);
	return label;
}

} // namespace grtrace
