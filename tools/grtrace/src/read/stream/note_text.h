// SPDX-License-Identifier: GPL-2.0
//
// The content of a note or an ioctl as a sentence.
#pragma once

#include <string>

#include "read/stream/event.h"
#include "read/stream/session.h"

namespace grtrace {

// For a terminal: control characters are made harmless.
std::string note_text(const Event &event, const Session &session);

} // namespace grtrace
