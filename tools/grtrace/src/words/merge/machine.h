// SPDX-License-Identifier: GPL-2.0
//
// Machine: the machine whose CPUs, tasks, contexts and rings an input names.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "words/merge/merge_source.h"

namespace grtrace {

// The numbers of the first machine do not change. The numbers of the n-th machine after it
// get an offset, so that no two machines share a number:
//
//	CPU	+ n * 4096
//	pid     + n * 4194304, more than the greatest pid of a kernel
//	context	+ n * 2^48
//	client	+ n * 2^48, except for those that a driver numbers from 2^64-1 downwards
//
// The machine's name is put before the names of its devices and tasks.
class Machine {
public:
	static constexpr uint32_t cpus = 4096;
	static constexpr uint32_t most = 15;

	Machine(uint32_t number, std::string name) : number_(number), name_(std::move(name)) {}

	const std::string &name() const { return name_; }
	std::array<uint8_t, 16> boot_id = {};

	// Returns false if the CPU cannot exist.
	bool place(MergeRecord &record) const;
	// Returns the name of one of its devices or tasks in the merged capture, with the
	// machine's name in front, or the machine's number if there is no room for the
	// name.
	std::string title(const std::string &name, size_t room) const;

private:
	uint32_t number_;
	std::string name_;
};

// Renumbers the rings of all inputs: a ring that several inputs of a machine name is one
// ring, and it keeps its id if that is free. If an input has several rings of the same
// name, the first of them matches the first in another input.
class MergedRings {
public:
	// rings: the rings of the input; fresh: whether the ring has to be described,
	// because it is new or more is known about it.
	uint32_t id_of(size_t input, const Machine &machine, const RingTable &rings, uint32_t id,
		       bool &fresh);

private:
	struct Known {
		uint32_t id = 0;
		bool described = false;
		uint32_t engine_class = 0; // its description
	};
	struct Key {
		std::string machine;
		std::string device;
		std::string name;
		size_t nth = 0; // place among the rings of that name in an input
		// The input of a ring without a RING record.
		size_t input = 0;
		uint32_t id = 0;

		auto operator<=>(const Key &) const = default;
	};

	static Key key_of(size_t input, const Machine &machine, const RingTable &rings,
			  uint32_t id);
	uint32_t pick(uint32_t id);

	std::map<Key, Known> rings_;
	std::vector<RingMap<Known *>> by_input_; // and then by the id in the input
	std::unordered_set<uint32_t> used_;
};

} // namespace grtrace
