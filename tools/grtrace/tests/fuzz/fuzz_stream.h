// SPDX-License-Identifier: GPL-2.0
//
// What we have written ourselves must be readable without damage.
#pragma once

#include <cstdlib>
#include <utility>
#include <vector>

#include "read/capture/capture.h"

namespace grtrace {

inline void check_readable(std::vector<std::vector<uint8_t>> streams,
			   bool per_cpu)
{
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	const Event *event;

	capture.open_memory(std::move(streams), per_cpu);
	while (capture.next(event) == Next::event)
		;
	if (capture.stats().damaged_bytes)
		abort();
}

} // namespace grtrace
