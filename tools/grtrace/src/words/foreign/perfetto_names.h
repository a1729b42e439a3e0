// SPDX-License-Identifier: GPL-2.0
//
// PerfettoNames: the names of tasks, which a trace of Perfetto has apart from the events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace grtrace {

// Perfetto looks for the names of tasks from time to time, and after it saw events of new ones.
class PerfettoNames {
public:
	struct Name {
		uint64_t ts; // when it was read
		uint32_t tgid;
		std::string name;
	};

	// Takes the message of all names that were read at a time.
	void take_tree(uint64_t ts, std::string_view tree);
	// Returns the name of a task at a time; nullptr: there is none. Perhaps it was
	// read after the event.
	const Name *find(uint32_t pid, uint64_t ts) const;

private:
	// More than a system has tasks by far; further ones have no names.
	static constexpr size_t names_max = 1 << 20;
	// A number is given again when all others were.
	static constexpr size_t names_of_one_max = 64;

	void add(uint32_t pid, Name name);
	void take_process(uint64_t ts, std::string_view process);
	void take_thread(uint64_t ts, std::string_view thread);

	std::unordered_map<uint32_t, std::vector<Name>> names_; // of each task in their order
	size_t count_ = 0;
};

} // namespace grtrace
