// SPDX-License-Identifier: GPL-2.0
//
// EarlyErrors: ERRORs of jobs of which nothing was seen yet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "read/jobs/job.h"
#include "read/stream/event.h"

namespace grtrace {

// A capture that begins when a job hangs has the ERROR first, and perhaps the job
// later. An ERROR alone makes no job: its key may be anything. Memory: 64 of them.
class EarlyErrors {
public:
	// What an ERROR says, into what is known of its job.
	static void add(Job &job, const Event &event)
	{
		job.failed = true;
		// A reset that went well, with the code 0, comes after what it
		// was for.
		if (!job.error)
			job.error = event.code;
		job.error_kinds |= static_cast<uint8_t>(
			1u << std::min(event.kind, Job::nr_error_kinds - 1));
	}

	void keep(const Event &event)
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

	// The first record of the job; one that is submitted only now is another.
	void give(Job &job, const Event &event)
	{
		if (jobs_.empty())
			return;
		Job *early = find(event);
		if (!early)
			return;
		if (event.type != GRTRACE_SUBMIT) {
			job.failed = true;
			job.error = early->error;
			job.error_kinds = early->error_kinds;
		}
		*early = {};
	}

private:
	static constexpr size_t most = 64;

	Job *find(const Event &event)
	{
		const auto found = std::ranges::find_if(
			jobs_, [&event](const Job &job) {
				return job.failed && job.ctx == event.ctx &&
				       job.seqno == event.seqno &&
				       job.ring == event.ring;
			});
		return found == jobs_.end() ? nullptr : &*found;
	}

	std::vector<Job> jobs_; // one that did not fail is a free place
	size_t oldest_ = 0;
};

} // namespace grtrace
