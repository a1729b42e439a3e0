// SPDX-License-Identifier: GPL-2.0
//
// NoteKind: what a MESSAGE is about, by the trace event that it tells of.
#pragma once

#include <string_view>

namespace grtrace {

enum class NoteKind { vblank, memory, power, other };

inline constexpr size_t nr_note_kinds = 4;

// A line of `grtrace record --source tracefs` begins with the event's name, one
// that merge made of another tool's event has a colon behind it.
NoteKind note_kind(std::string_view line);

} // namespace grtrace
