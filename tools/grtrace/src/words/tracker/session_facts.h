// SPDX-License-Identifier: GPL-2.0
//
// The sentences of a report about a session's rings and sources.
#pragma once

#include <string>
#include <string_view>

#include "read/stream/session.h"

namespace grtrace {

// Returns "card0 gfx", or "ring 7" if no record described it.
std::string ring_title(const Session &session, uint32_t ring);

// Returns whether the sources do not report the fact.
bool lacks(const Session &session, std::string_view fact);

} // namespace grtrace
