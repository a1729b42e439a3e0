// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "format/tool_records.h"

namespace grtrace {

// How many buffer objects an ioctl names, where its argument has a field for
// that; GRTRACE_HANDLES_UNKNOWN where it has none, or what was read of it (size
// bytes) does not reach so far.
uint32_t count_handles(std::string_view driver, uint32_t cmd, const void *argument, size_t size);

} // namespace grtrace
