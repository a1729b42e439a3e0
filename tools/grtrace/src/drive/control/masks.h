// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <cstdint>
#include <string_view>

// Turns the user's text for a set of events or engine classes into bits.
namespace grtrace {

// Accepts events by letter or name, in any case: "Q", "submit", "GRTRACE_SUBMIT". Several
// are separated by commas.
Status parse_event_mask(std::string_view text, uint64_t *mask);

// Accepts names of engine classes separated by commas, or 0x and hex digits.
Status parse_engine_mask(std::string_view text, uint64_t *mask);

// Accepts hex digits, with or without 0x, up to 64 bits, like blktrace's -A.
Status parse_hex_mask(std::string_view text, uint64_t *mask);

// Returns all events of this version of the format.
uint64_t known_events();

} // namespace grtrace
