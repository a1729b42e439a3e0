// SPDX-License-Identifier: GPL-2.0
//
// DelayCsv: delays between processes, as lines for other programs.
#pragma once

#include <fmt/format.h>

#include "read/stream/session.h"
#include "words/delays/delay_cell.h"

namespace grtrace {

// One line per cell, with the job that proves most of it. kind: process, itself, unknown,
// others or nobody; how: ran or blocked. ns, wait and part are durations in ns; NA means
// missing.
class DelayCsv {
public:
	static void print_header(fmt::memory_buffer &out);
	static void print(fmt::memory_buffer &out, const DelayCell &cell, const Session &session);
};

} // namespace grtrace
