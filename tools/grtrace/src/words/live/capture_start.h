// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "format/boot_id.h"
#include "words/packets/packet_bytes.h"

#include <cstdint>
#include <string>

namespace grtrace {

// The beginning of a capture that this program makes on this machine.
struct CaptureStart {
	uint64_t session = 0; // never 0 once it has begun
	uint64_t start_ts = 0;
	uint64_t start_real = 0;
	uint32_t clock = GRTRACE_CLOCK_MONOTONIC;
	BootId boot_id = {}; // zeros if the kernel has none
	std::string release;

	void start(uint32_t clock_id);
	// Returns the facts for STREAM_INFO; valid as long as this object.
	InfoFacts info() const;
};

// Returns the current time on one of the stream's clocks.
uint64_t clock_now(uint32_t clock_id);

} // namespace grtrace
