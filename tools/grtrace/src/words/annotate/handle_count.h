// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "format/tool_records.h"

namespace grtrace {

// Returns how many buffer objects an ioctl names, if its argument has a field for them.
// Returns GRTRACE_HANDLES_UNKNOWN if there is no such field, or if it is beyond the size
// bytes that were read.
uint32_t count_handles(std::string_view driver, uint32_t cmd, const void *argument, size_t size);

} // namespace grtrace
