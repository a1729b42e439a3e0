// SPDX-License-Identifier: GPL-2.0
//
// ctf_metadata: the text that describes the bytes to a reader of CTF.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "read/stream/session.h"

namespace grtrace {

using CtfUuid = std::array<uint8_t, 16>;

constexpr uint32_t ctf_magic = 0xc1fc1fc1;

// Returns the same value for the same session.
CtfUuid ctf_uuid(const Session &session);

// Returns the last possible time stamp: readers count ns since the epoch in 63 bits.
uint64_t ctf_last_time(const Session &session);

// Returns the text in TSDL, as in CTF 1.8. The text names the rings, so it is written at
// the end, when all rings are known.
std::string ctf_metadata(const Session &session);

} // namespace grtrace
