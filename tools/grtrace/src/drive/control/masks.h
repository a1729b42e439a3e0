// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <cstdint>
#include <string_view>

// The user's text for a set of events or engine classes, as bits.
namespace grtrace {

// One event by its letter or name, in any case: "Q", "submit",
// "GRTRACE_SUBMIT". Several may be joined by commas.
Status parse_event_mask(std::string_view text, uint64_t *mask);

// Names of engine classes joined by commas, or 0x and hex digits.
Status parse_engine_mask(std::string_view text, uint64_t *mask);

// Hex digits, with or without 0x, up to 64 bits; as blktrace's -A.
Status parse_hex_mask(std::string_view text, uint64_t *mask);

// All events this version of the format has.
uint64_t known_events();

} // namespace grtrace
