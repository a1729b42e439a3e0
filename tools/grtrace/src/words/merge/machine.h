// SPDX-License-Identifier: GPL-2.0
//
// Machine: whose CPUs, tasks, contexts and rings an input names.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "words/merge/merge_source.h"

namespace grtrace {

// The numbers of the first machine stay as they are; those of the n-th after it
// get an offset, so that nothing of two machines has the same number:
//
//	CPU	+ n * 4096
//	pid	+ n * 4194304, more than a kernel's greatest
//	context	+ n * 2^48
//	client	+ n * 2^48, except for those that a driver numbers from 2^64-1 downwards
//
// and the names of its devices and tasks the machine's name in front.
class Machine {
public:
	static constexpr uint32_t cpus = 4096;
	static constexpr uint32_t most = 15;

	Machine(uint32_t number, std::string name) : number_(number), name_(std::move(name)) {}

	const std::string &name() const { return name_; }
	std::array<uint8_t, 16> boot_id = {};

	// False: a CPU that no machine has.
	bool place(MergeRecord &record) const;
	// The name of one of its devices or tasks in the merged capture, with
	// the machine's name in front, or its number if only so many characters
	// fit.
	std::string title(const std::string &name, size_t room) const;

private:
	uint32_t number_;
	std::string name_;
};

// Rings of all inputs, numbered again: a ring that several inputs of a machine
// name is one ring, and it keeps its id if that is free. Where an input has
// several of one name, the first of them is the first of another input.
class MergedRings {
public:
	// rings: of the input; fresh: it has to be described, for the first
	// time or because more is known of it.
	uint32_t id_of(size_t input, const Machine &machine, const RingTable &rings, uint32_t id,
		       bool &fresh);

private:
	struct Known {
		uint32_t id = 0;
		bool described = false;
		uint32_t engine_class = 0; // as described
	};
	struct Key {
		std::string machine;
		std::string device;
		std::string name;
		size_t nth = 0; // of those of an input
		// A ring without a RING record.
		size_t input = 0;
		uint32_t id = 0;

		auto operator<=>(const Key &) const = default;
	};

	static Key key_of(size_t input, const Machine &machine, const RingTable &rings,
			  uint32_t id);
	uint32_t pick(uint32_t id);

	std::map<Key, Known> rings_;
	std::vector<std::vector<Known *>> by_input_; // then by its id
	std::vector<bool> used_;
};

} // namespace grtrace
