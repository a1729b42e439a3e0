// SPDX-License-Identifier: GPL-2.0
//
// FailedJobs: how many jobs failed, where, and which was the first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "words/findings/finding_text.h"
#include "words/tracker/job.h"

namespace grtrace {

class FailedJobs {
public:
	void add(const Job &job, const TaskTable &tasks);
	// Estimated from the recorded ones.
	uint64_t jobs() const { return jobs_; }
	// Returns the job that failed first: with its first ERROR, or else when it was gone.
	const JobName &first() const { return first_; }
	// Returns whether each of them is a hang that one of these findings names.
	bool are_hangs_of(std::span<const Finding> findings) const;
	// Returns an empty text if no job failed.
	std::string sentence(const FindingText &text) const;

private:
	void note_ring(uint32_t ring);

	static constexpr size_t rings_most = 3; // that are named
	static constexpr size_t names_most = 64; // of more jobs, some are in no finding

	uint64_t jobs_ = 0;
	JobName first_;
	uint64_t first_ts_ = UINT64_MAX;
	std::string how_; // the first one failed
	std::vector<uint32_t> rings_;
	std::unordered_set<uint32_t> is_on_; // rings_, to find them
	std::vector<JobName> names_;
	bool too_many_ = false; // not all are in names_
};

// Returns "timeout, -ETIME, by game.exe:1234": the kinds of its ERRORs, its error, and the
// task to blame.
std::string failure_text(const Job &job, const TaskTable &tasks);

} // namespace grtrace
