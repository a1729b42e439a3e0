// SPDX-License-Identifier: GPL-2.0
//
// Machine: whose CPUs, tasks, contexts and rings an input names.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "merge/merge_source.h"

namespace grtrace {

// Of the first machine all numbers stay as they are; those of the n-th after it
// get an offset, so that nothing of two machines has the same number:
//
//	CPU	+ n * 4096
//	pid	+ n * 4194304, more than a kernel's greatest
//	context	+ n * 2^48
//
// and the names of its devices and tasks the machine's name in front.
class Machine {
public:
	static constexpr uint32_t cpus = 4096;
	static constexpr uint32_t most = 15;

	Machine(uint32_t number, std::string name)
		: number_(number), name_(std::move(name))
	{
	}

	const std::string &name() const { return name_; }
	std::array<uint8_t, 16> boot_id = {};

	// False: a CPU that no machine has.
	bool place(MergeRecord &record) const;
	// As it is called in the merged capture.
	std::string title(const std::string &name) const;

private:
	uint32_t number_;
	std::string name_;
};

// Rings of all inputs, numbered anew: one that several inputs of a machine name
// is one, and it keeps its id if that is free.
class MergedRings {
public:
	// ring of the input; fresh: it has to be described.
	uint32_t id_of(size_t input, const Machine &machine, const Ring &ring,
		       uint32_t id, bool &fresh);

private:
	struct Known {
		uint32_t id = 0;
		bool described = false;
	};

	uint32_t pick(uint32_t id);

	// By machine, device and ring; of one that nobody described by input.
	std::map<std::tuple<std::string, std::string, std::string>, Known>
		rings_;
	std::vector<std::vector<Known *>> by_input_; // then by its id
	std::vector<bool> used_;
};

} // namespace grtrace
