// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"
#include "words/translate/event_specs.h"
#include "words/translate/record_filter.h"

#include <drm/grtrace_drm.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace grtrace {

struct CaptureOptions;
class DeviceNames;

// The recording from tracefs that the options of record describe.
struct TracePlan {
	std::string name; // name of the capture: card0, all
	std::string clock = "mono";
	uint32_t clock_id = GRTRACE_CLOCK_MONOTONIC;
	size_t subbuf_kib = 512;
	size_t subbufs = 4;
	bool live = true; // false: a flight recorder, read at the end
	TraceGroups groups;
	RecordFilter filter;
};

// Refuses options that only the module supports; the sentence names these
// options.
Status plan_trace(const CaptureOptions &options, const DeviceNames &devices, TracePlan *plan);

} // namespace grtrace
