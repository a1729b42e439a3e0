// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <event-parse.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace grtrace {

// Return the value of a field in a record's bytes; 0 or an empty text if the field does not
// exist or is beyond the end.
uint64_t field_number(tep_format_field *field, std::span<const uint8_t> data);
std::string_view field_text(tep_format_field *field, std::span<const uint8_t> data);
// The same of a field that has the place of its text, which the caller has read.
std::string_view placed_text(const tep_format_field &field, uint64_t place,
			     std::span<const uint8_t> data);

} // namespace grtrace
