// SPDX-License-Identifier: GPL-2.0
//
// Report: the jobs of one capture in, the sections the user chose out.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "capture.h"
#include "job_groups.h"
#include "job_tracker.h"
#include "output_file.h"
#include "report_options.h"
#include "stages.h"
#include "top_jobs.h"

namespace grtrace {

// Memory grows with rings, and with contexts and processes if these tables are
// wanted; never with jobs.
class Report : public JobSink {
public:
	// All of them must outlive the report; csv may be null.
	Report(const ReportOptions &options, Capture &capture, OutputFile *csv);

	void job(const Job &job) override;
	void print(fmt::memory_buffer &out);

	// What every report ends with.
	void print_end(fmt::memory_buffer &out) const;

private:
	struct RingStages {
		Stages stages;
		uint64_t exec_p90 = 0; // looked up now and then
	};

	RingStages &ring_stages(uint32_t ring);
	void count(const Job &job);
	std::string ring_title(uint32_t id) const;
	void print_rings(fmt::memory_buffer &out);
	void print_labels(fmt::memory_buffer &out) const;
	void print_histogram(fmt::memory_buffer &out) const;

	const ReportOptions &options_;
	Capture &capture_;
	OutputFile *csv_;
	TopJobs top_;
	JobGroups rings_;
	JobGroups contexts_;
	JobGroups processes_;
	std::vector<std::unique_ptr<RingStages>> stages_; // by ring id
	Histogram histogram_;
	std::array<uint64_t, nr_job_labels> labels_ = {};
	// What the jobs stand for.
	uint64_t jobs_ = 0;
	uint64_t incomplete_ = 0;
	uint64_t begun_before_ = 0;
	uint64_t inferred_ = 0;
	uint64_t cut_ = 0;
	uint64_t slow_queue_ = 0;
	uint64_t slow_exec_ = 0;
};

} // namespace grtrace
