// SPDX-License-Identifier: GPL-2.0
//
// The names of what the flags of a record say.
#pragma once

#include <cstdint>

namespace grtrace {

// Returns the origin of the time stamp.
const char *time_source_name(uint16_t flags);

// Returns the CPU's context; nullptr for an unknown number.
const char *where_name(uint16_t flags);

} // namespace grtrace
