// SPDX-License-Identifier: GPL-2.0
//
// They are few and rare, so a list is searched; the oldest one is replaced.
#include "words/tracker/early_errors.h"

#include <algorithm>

namespace grtrace {

void EarlyErrors::add(Job &job, const Event &event)
{
	job.failed |= event.code != 0;
	// A successful reset, with code 0, comes after the error that caused it.
	if (!job.error)
		job.error = event.code;
	if (!job.guilty_pid)
		job.guilty_pid = error_detail_of(event).pid;
	job.error_ts = std::min(job.error_ts, event.ts);
	job.error_kinds |=
		static_cast<uint8_t>(1u << std::min(event.kind, Job::nr_error_kinds - 1));
}

Job *EarlyErrors::find(const Event &event)
{
	const auto found = std::ranges::find_if(jobs_, [&event](const Job &job) {
		return job.error_kinds && job.ctx == event.ctx && job.seqno == event.seqno &&
		       job.ring == event.ring;
	});

	return found == jobs_.end() ? nullptr : &*found;
}

void EarlyErrors::keep(const Event &event)
{
	Job *job = find(event);

	if (!job) {
		if (jobs_.size() < most)
			jobs_.emplace_back();
		job = &jobs_[oldest_++ % most];
		*job = {};
		job->ctx = event.ctx;
		job->seqno = event.seqno;
		job->ring = event.ring;
	}
	add(*job, event);
}

void EarlyErrors::give_kept(Job &job, const Event &event)
{
	Job *kept = find(event);

	if (!kept)
		return;
	if (event.type != GRTRACE_SUBMIT) {
		job.failed = kept->failed;
		job.error = kept->error;
		job.error_kinds = kept->error_kinds;
		job.error_ts = kept->error_ts;
		job.guilty_pid = kept->guilty_pid;
	}
	*kept = {};
}

} // namespace grtrace
