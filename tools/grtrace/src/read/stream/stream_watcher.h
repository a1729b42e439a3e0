// SPDX-License-Identifier: GPL-2.0
//
// StreamWatcher: what a Decoder meets in a file beside events.
#pragma once

#include <cstdint>
#include <string>

namespace grtrace {

// For users of the file itself, and not only of its events. stream is the
// number that events of the file have, and offsets are those in it. Calls come
// when bytes are decoded, which is before the events behind them come out of a
// merger.
class StreamWatcher {
public:
	virtual ~StreamWatcher() = default;

	// A packet begins; record points to its whole PACKET record.
	virtual void packet(uint16_t stream, uint64_t offset, const uint8_t *record) = 0;

	// LOST, a record of the tables, or one of an unknown type.
	virtual void note(uint16_t stream, uint64_t offset, const uint8_t *record) = 0;

	// Damage at this place: text is half a sentence. A Decoder with a watcher
	// reports this to it instead of to its Diagnostics. at_end: nothing follows
	// that could be read.
	virtual void damaged(uint16_t stream, uint64_t offset, const std::string &what,
			     bool at_end) = 0;
};

} // namespace grtrace
