// SPDX-License-Identifier: GPL-2.0
//
// NoteCounter: a number that goes up and down, told by a MESSAGE.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace grtrace {

struct NoteCounter {
	std::string name; // event, and whose it is: "gpu_frequency gpu_id=0"
	uint64_t value; // bytes or Hz
	bool bytes;
};

// Of the events of memory and power that tell one (note_kind.h); nothing where
// the number is not there, or none.
std::optional<NoteCounter> note_counter(std::string_view line);

} // namespace grtrace
