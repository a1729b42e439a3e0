// SPDX-License-Identifier: GPL-2.0
//
// nearest: finds the known name that an unknown name resembles.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace grtrace {

// Returns " (did you mean NAME?)" to be appended to a sentence, or an empty string if no
// name resembles the typed one.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names);

} // namespace grtrace
