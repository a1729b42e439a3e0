// SPDX-License-Identifier: GPL-2.0
//
// ResultHistogram: counts jobs by their result.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "words/data/spans.h"
#include "words/jobs/job_section.h"
#include "words/terminal/terminal.h"

namespace grtrace {

// Counts each job once by the error of its COMPLETE, and once for each kind of ERROR that
// it had. Memory grows with the different errors; there are at most 65536.
class ResultHistogram : public ReportSection {
public:
	// Both must outlive it.
	ResultHistogram(const Terminal &terminal, const LossSpans &losses)
		: terminal_(terminal), losses_(losses)
	{
	}

	void job(const Job &job, JobLabel label) override;
	void print(fmt::memory_buffer &out) override;

private:
	void print_row(fmt::memory_buffer &out, const std::string &name, uint64_t count,
		       uint64_t most) const;

	const Terminal &terminal_;
	const LossSpans &losses_;
	uint64_t jobs_ = 0;
	uint64_t unknown_ = 0; // no COMPLETE was recorded
	std::map<int32_t, uint64_t> by_error_; // 0: ok
	std::array<uint64_t, Job::nr_error_kinds> by_kind_ = {};
};

} // namespace grtrace
