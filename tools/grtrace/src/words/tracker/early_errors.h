// SPDX-License-Identifier: GPL-2.0
//
// EarlyErrors: ERRORs of jobs that have no other record yet.
#pragma once

#include <cstddef>
#include <vector>

#include "read/stream/event.h"
#include "words/tracker/job.h"

namespace grtrace {

// A capture that begins when a job hangs has the ERROR first, and perhaps records of the
// job later. An ERROR alone does not make a job, because its key may be anything. Memory:
// 64 of them.
class EarlyErrors {
public:
	// Adds an ERROR to the facts about the job.
	static void add(Job &job, const Event &event);

	void keep(const Event &event);

	// Adds the kept ERRORs to a job. event: its first record. If that record is a
	// SUBMIT, the ERRORs were those of another job with the same key.
	void give(Job &job, const Event &event)
	{
		if (!jobs_.empty())
			give_kept(job, event);
	}

private:
	static constexpr size_t most = 64;

	Job *find(const Event &event);
	void give_kept(Job &job, const Event &event);

	std::vector<Job> jobs_; // a free place has no ERROR
	size_t oldest_ = 0;
};

} // namespace grtrace
