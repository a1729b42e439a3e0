// SPDX-License-Identifier: GPL-2.0
#pragma once

namespace grtrace {

inline constexpr const char *tools_version = "0.1.0";

} // namespace grtrace
