// SPDX-License-Identifier: GPL-2.0
//
// client_name: what a driver means by the number of a client that opened no file.
#pragma once

#include <cstdint>
#include <string_view>

namespace grtrace {

// "vm_update" and so on; nullptr for a number that is of a file, or of a driver that
// numbers nothing. driver may be empty: not known.
const char *client_name(uint64_t client, std::string_view driver);

// Its number; false if there is no such name.
bool client_by_name(std::string_view name, uint64_t &client);

} // namespace grtrace
