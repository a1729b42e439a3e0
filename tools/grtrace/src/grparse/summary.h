// SPDX-License-Identifier: GPL-2.0
//
// Summary: prints blkparse's tables at the end of a run.
#pragma once

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "grparse/event_counts.h"
#include "grparse/program_table.h"
#include "read/capture/capture_set.h"
#include "read/jobs/job_tracker.h"
#include "read/stream/event.h"

namespace grtrace {

// Counts every printed event and every job of one capture; prints at the end. Memory grows
// with CPUs, rings and processes.
class Summary : public JobSink {
public:
	// Jobs and events must be of this capture, which must outlive the summary.
	explicit Summary(Capture &capture) : capture_(capture) {}

	void add(const Event &event);
	void job(const Job &job) override;

	void print(fmt::memory_buffer &out, const ProgramStyle &programs);

private:
	void print_rings(fmt::memory_buffer &out);
	void print_end(fmt::memory_buffer &out);

	Capture &capture_;
	std::vector<EventCounts> cpus_;
	std::vector<EventCounts> rings_;
	ProgramTable programs_;
	uint64_t first_ts_ = UINT64_MAX;
	uint64_t last_ts_ = 0;
	uint64_t completed_ = 0;
	uint64_t incomplete_ = 0;
	uint64_t cut_ = 0;
	uint64_t entries_ = 0; // recorded events, without their weights
};

} // namespace grtrace
