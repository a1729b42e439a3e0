// SPDX-License-Identifier: GPL-2.0
//
// nearest: the known name that an unknown one resembles.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace grtrace {

// " (did you mean NAME?)", ready to be put behind a sentence; empty where none of
// the names resembles it.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names);

} // namespace grtrace
