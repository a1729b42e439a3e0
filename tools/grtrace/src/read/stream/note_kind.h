// SPDX-License-Identifier: GPL-2.0
//
// NoteKind: what a MESSAGE is about, by the trace event that it tells of.
#pragma once

#include <string_view>

namespace grtrace {

enum class NoteKind { vblank, memory, power, other };

inline constexpr size_t nr_note_kinds = 4;

// Lines of `grtrace record --source tracefs` begin with the event's name; in
// those that merge made of other tools' events it has a colon behind it, and
// may have its system and a colon before it.
std::string_view note_event(std::string_view line);

NoteKind note_kind(std::string_view line);

} // namespace grtrace
