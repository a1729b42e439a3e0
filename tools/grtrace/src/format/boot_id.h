// SPDX-License-Identifier: GPL-2.0
//
// The boot of a capture: two captures of one boot share a clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace grtrace {

using BootId = std::array<uint8_t, 16>;

// Returns this machine's boot id, or zeros if /proc does not have it.
BootId read_boot_id();

// The kernel leaves the boot id in STREAM_INFO zero, because only /proc has it. This sets
// it in all whole STREAM_INFO records among the bytes. Bytes that are not a stream stay
// as they are.
void fill_boot_id(char *bytes, size_t size, const BootId &id);

} // namespace grtrace
