// SPDX-License-Identifier: GPL-2.0
//
// FailedJobs: how many jobs failed, where, and which was the first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "words/findings/finding_text.h"
#include "words/tracker/job.h"

namespace grtrace {

class FailedJobs {
public:
	void add(const Job &job);
	// Estimated from the recorded ones.
	uint64_t jobs() const { return jobs_; }
	// Returns the job that failed first: with its first ERROR, or else when it was gone.
	const JobName &first() const { return first_; }
	// Returns an empty text if no job failed.
	std::string sentence(const FindingText &text) const;

private:
	static constexpr size_t rings_most = 3; // that are named

	uint64_t jobs_ = 0;
	JobName first_;
	uint64_t first_ts_ = UINT64_MAX;
	std::string how_; // the first one failed
	std::vector<uint32_t> rings_;
};

// Returns "timeout, -ETIME": the kinds of its ERRORs, and its error.
std::string failure_text(const Job &job);

} // namespace grtrace
