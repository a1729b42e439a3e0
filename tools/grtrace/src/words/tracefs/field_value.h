// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <event-parse.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace grtrace {

// A field's value in one record's bytes; 0 and empty for one that is not there
// or does not fit into them.
uint64_t field_number(tep_format_field *field, std::span<const uint8_t> data);
std::string_view field_text(tep_format_field *field, std::span<const uint8_t> data);

} // namespace grtrace
