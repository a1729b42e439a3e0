// SPDX-License-Identifier: GPL-2.0
//
// Describes a note or an ioctl in a sentence, and what is rarely in the record of an event.
#pragma once

#include <string>

#include "read/stream/event.h"
#include "read/stream/session.h"

namespace grtrace {

// Control characters are made harmless for a terminal. An ioctl is a number here: grtrace-parse
// knows the names.
using NoteText = std::string(const Event &event, const Session &session);
NoteText note_text;

// Returns the task that an ERROR names, "game.exe:1234"; empty if it names none.
std::string guilty_text(const Event &error);

// Returns what an ERROR says beside its kind and code, `by game.exe:1234 "ring gfx timeout"`, or
// the result of a SYNC_WAIT_EXIT, "-ETIME"; empty if there is nothing.
std::string detail_text(const Event &event);

} // namespace grtrace
