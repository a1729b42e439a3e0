// SPDX-License-Identifier: GPL-2.0
//
// ClockFacts: the facts that a file has about the clock of its time stamps.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <drm/grtrace_drm.h>

#include "lib/text/status.h"

namespace grtrace {

enum class ClockId : uint8_t { monotonic, boot, tai, real, raw, other };

const char *clock_name(ClockId id);

// A line that `record` wrote into the kernel's trace, after it had read its clocks.
struct ClockMark {
	uint64_t ts = 0; // of the event, on the trace's clock
	std::array<uint64_t, 3> clocks = {}; // ns, by ClockId: monotonic, boot and tai
};

struct ClockFacts {
	ClockId id = ClockId::other;
	std::string said; // its name in the file; empty: the file has none
	// The boot at which the clock began; all 0 if it is not known.
	std::array<uint8_t, 16> boot_id = {};
	// The same moment on this clock and on the wall clock, in ns.
	bool has_real = false;
	uint64_t ts = 0;
	uint64_t real = 0;

	// The lines that `record` wrote into the trace, in the order of their
	// times.
	std::vector<ClockMark> marks;

	bool has_boot() const { return boot_id != decltype(boot_id){}; }
};

// Converts GRTRACE_CLOCK_* of a STREAM_INFO.
ClockId clock_of_stream(uint32_t clock);
// Accepts the names of ftrace ("mono", "boot") and perf ("monotonic", "boottime").
ClockId clock_of_name(std::string_view name);
// Reads "grtrace_sync mono=NS boot=NS tai=NS" anywhere in the text of an event.
bool read_clock_mark(std::string_view text, ClockMark &mark);

// The offset between the time stamps of two clocks.
struct ClockOffset {
	static constexpr uint64_t not_known = UINT64_MAX;

	int64_t ns = 0;
	uint64_t uncertainty_ns = 0; // in both directions
	std::string how; // half a sentence for the user
};

// Computes the offset from `other` to `base`. Fails if the two clocks have nothing in common.
// apart: the user says that the files are of two machines; this is ignored if both have the
// same boot id.
Status offset_between(const ClockFacts &base, const ClockFacts &other, bool apart,
		      ClockOffset &offset);

} // namespace grtrace
