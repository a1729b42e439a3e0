// SPDX-License-Identifier: GPL-2.0
//
// StreamWatcher: receives what a Decoder finds in a file besides events.
#pragma once

#include <cstdint>
#include <string>

namespace grtrace {

// It is for code that deals with the file itself and not only with its events. stream is
// the number that is also in the events of the file, and offsets are positions in it.
// Calls come when bytes are decoded, before a merger returns the events behind them.
class StreamWatcher {
public:
	virtual ~StreamWatcher() = default;

	// A packet begins; record points to its whole PACKET record.
	virtual void packet(uint16_t stream, uint64_t offset, const uint8_t *record) = 0;

	// Receives a LOST, a STOP, a record of the tables, or one of unknown type.
	virtual void note(uint16_t stream, uint64_t offset, const uint8_t *record) = 0;

	// There is damage at this place: text is half a sentence. A Decoder with a watcher
	// reports damage to it instead of to its Diagnostics. at_end: nothing readable
	// follows.
	virtual void damaged(uint16_t stream, uint64_t offset, const std::string &what,
			     bool at_end) = 0;
};

} // namespace grtrace
