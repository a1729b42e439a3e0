// SPDX-License-Identifier: GPL-2.0
//
// refused: whether a capture could not be read at all.
#pragma once

#include "read/capture/capture_set.h"

namespace grtrace {

// To be called when everything was read. An error was printed, and figures would look as if nothing
// had happened.
inline bool is_refused(const Capture &capture)
{
	return capture.session().refused || !capture.stats().packets;
}

// Returns whether nothing at all could be read.
inline bool are_refused(const CaptureSet &captures)
{
	size_t refused = 0;

	for (size_t i = 0; i < captures.size(); i++)
		refused += is_refused(captures.capture(i));
	return refused == captures.size();
}

} // namespace grtrace
