// SPDX-License-Identifier: GPL-2.0
//
// ClockFacts: what a file says of the clock of its times.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <drm/grtrace_drm.h>

#include "lib/text/status.h"

namespace grtrace {

enum class ClockId : uint8_t { monotonic, boot, tai, real, raw, other };

const char *clock_name(ClockId id);

struct ClockFacts {
	ClockId id = ClockId::other;
	std::string said; // its name in the file; empty: the file does not say
	// The boot that the clock counts from; all 0 if that is not known.
	std::array<uint8_t, 16> boot_id = {};
	// One moment on this clock and on the wall clock, ns.
	bool has_real = false;
	uint64_t ts = 0;
	uint64_t real = 0;

	bool has_boot() const { return boot_id != decltype(boot_id){}; }
};

// GRTRACE_CLOCK_* of a STREAM_INFO.
ClockId clock_of_stream(uint32_t clock);
// As ftrace ("mono", "boot") and perf ("monotonic", "boottime") name them.
ClockId clock_of_name(std::string_view name);

// The offset between the times of two clocks.
struct ClockOffset {
	static constexpr uint64_t not_known = UINT64_MAX;

	int64_t ns = 0;
	uint64_t uncertainty_ns = 0; // to both sides
	std::string how; // half a sentence for the user
};

// From `other` to `base`. Fails where the two have nothing in common. apart: they
// are said to be of two machines, which only the boot id could refute.
Status offset_between(const ClockFacts &base, const ClockFacts &other, bool apart,
		      ClockOffset &offset);

} // namespace grtrace
