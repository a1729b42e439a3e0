// SPDX-License-Identifier: GPL-2.0
//
// Summary: blkparse's tables at the end of a run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "capture_set.h"
#include "event.h"
#include "id_map.h"
#include "job_tracker.h"

namespace grtrace {

// Events by type, for one CPU, ring or process; each counts for what it stands
// for.
struct EventCounts {
	std::array<uint64_t, GRTRACE_FENCE + 1> by_type = {};
	uint64_t failed = 0; // COMPLETE with an error

	void add(const Event &event);
	void add(const EventCounts &other);
	bool any() const;
};

// Counts every printed event and every job of one capture; renders at the end.
// Memory grows with CPUs, rings and processes.
class Summary : public JobSink {
public:
	// Jobs and events are of this capture, which must outlive it.
	explicit Summary(Capture &capture) : capture_(capture) {}

	void add(const Event &event);
	void job(const Job &job) override;

	// per_program: -s.
	void print(fmt::memory_buffer &out, bool per_program);

private:
	struct Program {
		EventCounts events;
		std::string comm;
		uint64_t jobs = 0;
		uint64_t exec_ns = 0;
		uint64_t wait_ns = 0;
	};

	void print_programs(fmt::memory_buffer &out);
	void print_rings(fmt::memory_buffer &out);
	void print_end(fmt::memory_buffer &out);
	Program &program_of(uint32_t pid);

	Capture &capture_;
	std::vector<EventCounts> cpus_;
	std::vector<EventCounts> rings_;
	IdMap<Program> programs_; // by tgid
	uint64_t first_ts_ = UINT64_MAX;
	uint64_t last_ts_ = 0;
	uint64_t completed_ = 0;
	uint64_t incomplete_ = 0;
	uint64_t cut_ = 0;
	uint64_t entries_ = 0; // events as recorded, not what they stand for
};

} // namespace grtrace
