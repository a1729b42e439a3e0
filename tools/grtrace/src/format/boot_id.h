// SPDX-License-Identifier: GPL-2.0
//
// The boot of a capture: two captures of one boot share a clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace grtrace {

using BootId = std::array<uint8_t, 16>;

// This machine's, or zeros where /proc does not say.
BootId read_boot_id();

// A kernel leaves the boot id in its STREAM_INFO zeros, as only /proc has it.
// Sets it in all whole records of the bytes. Bytes that are not a stream do not change.
void fill_boot_id(char *bytes, size_t size, const BootId &id);

} // namespace grtrace
