// SPDX-License-Identifier: GPL-2.0
//
// ProcessList: numbers the processes of jobs.
#pragma once

#include <cstdint>
#include <vector>

#include "read/stream/task_table.h"
#include "words/data/id_map.h"
#include "words/delays/delay_cell.h"
#include "words/tracker/job.h"

namespace grtrace {

// A process is a tgid, with the name that its leader had when its first job was seen;
// printers look up the leader's name again. Memory grows with processes.
class ProcessList {
public:
	// Numbers for culprits that are not processes.
	enum : uint32_t { unknown, others, nobody, nr_special };

	ProcessList() : processes_(nr_special) {}

	// To be called when the job's SUBMIT is read.
	uint32_t find(const Job &job, TaskTable &tasks);
	// pid 0: the process is not known.
	uint32_t find(uint32_t pid, TaskTable &tasks);
	const DelayProcess &operator[](uint32_t number) const { return processes_[number]; }

private:
	uint32_t number_of(uint32_t pid, TaskTable &tasks);
	uint32_t look_up(uint32_t pid, TaskTable &tasks);

	std::vector<DelayProcess> processes_;
	IdMap<uint32_t> numbers_; // by tgid
	// By pid; valid until a task gets another record.
	IdMap<uint32_t> known_;
	uint64_t known_since_ = 0;
};

} // namespace grtrace
