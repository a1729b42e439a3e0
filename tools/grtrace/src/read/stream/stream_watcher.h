// SPDX-License-Identifier: GPL-2.0
//
// StreamWatcher: what a Decoder meets in a file beside events.
#pragma once

#include <cstdint>
#include <string>

namespace grtrace {

// For who wants to know the file as such, and not only what happened. stream is
// the number that events of the file have, and offsets are those in it. Calls
// come when bytes are decoded, which is before the events behind them come out
// of a merger.
class StreamWatcher {
public:
	virtual ~StreamWatcher() = default;

	// A packet begins; record points to its whole PACKET record.
	virtual void packet(uint16_t stream, uint64_t offset, const uint8_t *record) = 0;

	// LOST, a record of the tables, or one of a type nobody knows.
	virtual void note(uint16_t stream, uint64_t offset, const uint8_t *record) = 0;

	// Something is broken there: half a sentence. A Decoder with a watcher
	// tells it this instead of its Diagnostics. at_end: nothing follows
	// that could be read.
	virtual void damaged(uint16_t stream, uint64_t offset, const std::string &what,
			     bool at_end) = 0;
};

} // namespace grtrace
