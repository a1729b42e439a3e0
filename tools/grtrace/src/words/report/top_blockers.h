// SPDX-License-Identifier: GPL-2.0
//
// TopBlockers: the jobs that were delayed longest, for each cause of delay.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "words/data/spans.h"
#include "words/jobs/job_section.h"

namespace grtrace {

// The part of a job's time that its label blames.
struct Blame {
	const char *part = "-";
	uint64_t ns = Job::none; // none: not recorded
};
Blame blame_of(const Job &job, JobLabel label);

// For each label, keeps the N jobs for which the blamed part is longest.
class TopBlockers : public ReportSection {
public:
	// Both must outlive it.
	TopBlockers(size_t limit, Capture &capture, const LossSpans &losses)
		: limit_(limit), capture_(capture), losses_(losses)
	{
	}

	void job(const Job &job, JobLabel label) override;
	void print(fmt::memory_buffer &out) override;

private:
	struct Entry {
		Job job;
		Blame blame;
		std::string comm;
		std::string note;
	};
	struct Class {
		uint64_t jobs = 0;
		// Sums over the jobs for which both times are known.
		double blamed = 0;
		double total = 0;
		std::vector<Entry> heap; // the shortest in front
	};

	static bool worse(const Job &a, uint64_t a_ns, const Job &b, uint64_t b_ns);
	static bool worse(const Entry &a, const Entry &b)
	{
		return worse(a.job, a.blame.ns, b.job, b.blame.ns);
	}
	std::string comm_of(uint32_t pid);
	std::string note_of(const Job &job, JobLabel label);
	void print_class(fmt::memory_buffer &out, JobLabel label);

	size_t limit_;
	Capture &capture_;
	const LossSpans &losses_;
	std::array<Class, nr_job_labels> classes_;
};

} // namespace grtrace
