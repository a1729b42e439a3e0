// SPDX-License-Identifier: GPL-2.0
//
// MergeSource: one input of a merge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/files/read_progress.h"
#include "lib/text/status.h"
#include "read/stream/event.h"
#include "read/stream/session.h"
#include "words/merge/clock_facts.h"

namespace grtrace {

// Adds the offset. False: the time does not fit into 64 bits, and ts stays.
bool move_time(uint64_t &ts, int64_t offset_ns);

// A record that may be changed: event.raw points to its bytes.
struct MergeRecord {
	Event event = {};
	std::vector<uint8_t> bytes;

	// Room for a record of this type, all else 0; keeps what event has.
	uint8_t *make(uint16_t type, size_t size);
	// Adds it to each of its times. Returns the one that cannot be moved, if
	// there is one.
	std::optional<uint64_t> move(int64_t offset_ns);
};

class MergeSource {
public:
	virtual ~MergeSource() = default;

	// Until clock() and start_ts() are known.
	virtual Status open() = 0;
	virtual const ClockFacts &clock() const = 0;
	// On its clock.
	virtual uint64_t start_ts() const = 0;
	// Reports to it what is read; it must outlive the source.
	virtual void tell(ReadProgress &progress) { progress.expect_pipe(); }
	// In the order of the source. "again" only from a pipe.
	virtual Next next(MergeRecord &record) = 0;
	// After the end: was all of it read?
	virtual Status close() = 0;

	virtual const char *kind() const = 0;
	virtual uint64_t lost() const = 0;
	// nullptr: it has no tables.
	virtual Session *session() { return nullptr; }
};

} // namespace grtrace
