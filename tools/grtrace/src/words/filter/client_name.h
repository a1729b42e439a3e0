// SPDX-License-Identifier: GPL-2.0
//
// client_name: the names of drivers' own clients, which have opened no file.
#pragma once

#include <cstdint>
#include <string_view>

namespace grtrace {

// Returns "vm_update" and so on; nullptr if the number belongs to a file, or if the driver
// has no such numbers. driver is empty for an unknown driver.
const char *client_name(uint64_t client, std::string_view driver);

// Finds the number of a name; returns false if there is no such name.
bool client_by_name(std::string_view name, uint64_t &client);

} // namespace grtrace
