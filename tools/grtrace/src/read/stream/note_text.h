// SPDX-License-Identifier: GPL-2.0
//
// Describes a note or an ioctl in a sentence.
#pragma once

#include <string>

#include "read/stream/event.h"
#include "read/stream/session.h"

namespace grtrace {

// Control characters are made harmless for a terminal. An ioctl is a number here: grtrace-parse
// knows the names.
using NoteText = std::string(const Event &event, const Session &session);
NoteText note_text;

} // namespace grtrace
