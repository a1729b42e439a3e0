// SPDX-License-Identifier: GPL-2.0
//
// refused: whether a capture could not be read at all.
#pragma once

#include "read/capture/capture.h"

namespace grtrace {

// To be called when everything was read. An error was printed, and figures would look as if nothing
// had happened.
inline bool is_refused(const Capture &capture)
{
	return capture.session().refused || !capture.stats().packets;
}

} // namespace grtrace
