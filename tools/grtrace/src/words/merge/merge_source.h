// SPDX-License-Identifier: GPL-2.0
//
// MergeSource: one input of a merge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/text/status.h"
#include "read/stream/event.h"
#include "read/stream/session.h"
#include "words/merge/clock_facts.h"
#include "words/reading/read_progress.h"

namespace grtrace {

// Adds the offset. Returns false and leaves ts unchanged if the result does not fit into 64
// bits.
bool move_time(uint64_t &ts, int64_t offset_ns);

// A record that may be changed: event.raw points to its bytes.
struct MergeRecord {
	Event event = {};
	std::vector<uint8_t> bytes;

	// Makes room for a record of this type; bytes that are not fields of event are zero.
	uint8_t *make(uint16_t type, size_t size);
	// Adds the offset to each of its times. Returns a time that the offset cannot be
	// added to, if there is such a time.
	std::optional<uint64_t> move(int64_t offset_ns);
};

class MergeSource {
public:
	virtual ~MergeSource() = default;

	// Reads until clock() and start_ts() are known.
	virtual Status open() = 0;
	virtual const ClockFacts &clock() const = 0;
	// Returns the start on its own clock.
	virtual uint64_t start_ts() const = 0;
	// Reports what is read to progress, which must outlive the source.
	virtual void tell(ReadProgress &progress) { progress.expect_pipe(); }
	// Returns records in the order of the source. "again" comes only from a pipe.
	virtual Next next(MergeRecord &record) = 0;
	// Checks whether everything was read; to be called at the end.
	virtual Status close() = 0;

	virtual const char *kind() const = 0;
	virtual uint64_t lost() const = 0;
	virtual Session *session() = 0;
	// Whether another program prints what it reads.
	virtual bool is_text() const { return false; }
	// A capture of the same machine is merged as well.
	virtual void leave_to(const Session &) {}
};

} // namespace grtrace
