// SPDX-License-Identifier: GPL-2.0
//
// GroupTable: sums up jobs by ring, device, engine class, context or process.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "read/capture/capture.h"
#include "words/data/id_map.h"
#include "words/data/spans.h"
#include "words/jobs/job_section.h"
#include "words/jobs/stages.h"

namespace grtrace {

// The property that the jobs of a line have in common.
enum class GroupBy : uint8_t { ring, device, engine, context, process };

// One line: counts and sums of all jobs, estimated from the recorded ones.
struct JobGroup {
	std::string name;
	uint32_t ring = GRTRACE_RING_NONE; // ring of its first job
	uint64_t jobs = 0;
	uint64_t incomplete = 0;
	std::array<uint64_t, nr_job_labels> labels = {};
	// Sums in ns, and the number of jobs whose time was known.
	uint64_t queue = 0, nr_queue = 0;
	uint64_t exec = 0, nr_exec = 0;
	uint64_t wait = 0;
	uint64_t total = 0, nr_total = 0;
	uint64_t max_total = 0;
	// Times of the first and the last record of these jobs.
	uint64_t first_ts = UINT64_MAX;
	uint64_t last_ts = 0;
	std::unique_ptr<Stages> stages; // nullptr: the limit of groups with stages is reached

	void add(const Job &job, JobLabel label);

private:
	void note(uint64_t ts);
};

// Prints a table, and the stages of each group. Memory grows with groups; only the first
// `stages_limit` have stages of their own, of some 30 KiB each.
class GroupTable : public ReportSection {
public:
	static constexpr size_t stages_limit = 1024;

	// Both must outlive the table.
	GroupTable(GroupBy by, Capture &capture, const LossSpans &losses)
		: by_(by), capture_(capture), losses_(losses)
	{
	}

	void job(const Job &job, JobLabel label) override;
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override;
	void print(fmt::memory_buffer &out) override;
	static void print_csv_header(fmt::memory_buffer &out);
	// The lines of the table; durations are ns, NA where no job has it.
	void print_csv(fmt::memory_buffer &out);

private:
	using Line = std::pair<uint64_t, const JobGroup *>;

	// By time of execution, the greatest first.
	std::vector<Line> lines();
	bool id_of(const Job &job, uint64_t &id) const;
	std::string name_of(const Job &job) const;
	JobGroup &group(const Job &job, uint64_t id);
	JobGroup &name_group(const Job &job, uint64_t id);
	void name_process(uint32_t tgid, JobGroup &group);
	bool is_touched(const JobGroup &group) const;
	void print_table(fmt::memory_buffer &out, const std::vector<Line> &lines) const;
	void print_stages(fmt::memory_buffer &out, const std::vector<Line> &lines) const;
	std::string stages_title(const Line &line) const;

	GroupBy by_;
	Capture &capture_;
	const LossSpans &losses_;
	IdMap<JobGroup> groups_;
};

} // namespace grtrace
