// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <string>

namespace grtrace {

// Returns "-EIO" for -5; a number without a name is returned as a number.
std::string errno_text(int32_t error);

} // namespace grtrace
