// SPDX-License-Identifier: GPL-2.0
//
// PictureTasks: the submitting tasks, and the processes that get a colour.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "read/stream/task_table.h"
#include "words/data/id_map.h"

namespace grtrace {

// Tasks have the names that they had when they submitted. A process is a tgid with a name.
// The processes that keep the rings busiest have slots, which are columns of the rings'
// PictureSeries; all others share the slot `others`. A later process that works more than
// twice as much as the least busy process with a slot takes over that slot; the earlier
// time of the later process stays with the others. Memory grows with tasks, and with the
// names that they had.
class PictureTasks {
public:
	static constexpr uint32_t slots = 7;
	static constexpr uint32_t others = slots;
	enum : uint32_t { nobody }; // index of the unknown task

	struct Entry {
		uint32_t pid = 0;
		uint32_t tgid = 0;
		uint32_t process = 0;
		std::string comm;
	};
	struct Process {
		uint32_t tgid = 0;
		std::string comm;
		uint32_t slot = others;
		double busy = 0; // ns on all rings
	};

	PictureTasks() : entries_(1), processes_(1) {}

	// Returns the index of the task in entries(). task: nullptr if no record names it;
	// leader: the thread after which its process is named, or nullptr.
	uint32_t find(uint32_t pid, const Task *task, const Task *leader);
	// Reports that the task's process used a ring. Returns its slot. `evicted` is set
	// to that slot if another process had it, else to others.
	uint32_t use(uint32_t task, double busy, uint32_t &evicted);

	const std::vector<Entry> &entries() const { return entries_; }
	const std::vector<Process> &processes() const { return processes_; }

private:
	using Key = std::tuple<uint32_t, uint32_t, std::string>;

	uint32_t process_of(uint32_t tgid, const std::string &comm);
	uint32_t least() const;

	std::vector<Entry> entries_; // [0] is the unknown task
	std::vector<Process> processes_; // [0] is the process of the unknown task
	IdMap<uint32_t> latest_; // pid to entry
	std::map<Key, uint32_t> names_; // pid, tgid, comm to entry
	std::map<Key, uint32_t> groups_; // tgid, 0, comm to process
	std::array<uint32_t, slots> owners_ = {}; // process; 0: free
};

} // namespace grtrace
