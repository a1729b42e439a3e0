// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/fd.h"
#include "lib/text/status.h"
#include "words/tracefs/raw_events.h"

extern "C" { // the header has no extern "C"
#include <kbuffer.h>
}

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace grtrace {

// The events of a CPU, from the sub-buffers read so far. It holds only a few sub-buffers,
// no matter how long its owner waits for other CPUs.
class EventBuffer {
public:
	// The event after a loss has the number of lost events, or this if it is not known.
	static constexpr int64_t lost_unknown = -1;

	EventBuffer(uint32_t cpu, Fd fd, size_t subbuf_bytes);
	~EventBuffer();

	// Reads all available sub-buffers for which there is room; @now is a time on the
	// events' clock taken before the call.
	Status fill(uint64_t now);

	// Adds a sub-buffer as if it had been read.
	void push(std::vector<uint8_t> subbuf);

	// Returns the next event; nullptr if there is none.
	const RawEvent *front();
	int64_t lost_before() const { return lost_; }
	void pop();

	// All later events have at least this time.
	uint64_t complete_until() const { return complete_until_; }
	bool is_drained() const { return drained_; }
	int fd() const { return fd_.get(); }
	uint32_t cpu() const { return cpu_; }
	uint64_t last_ts() const { return last_ts_; } // time of the last event taken

private:
	bool load();

	const uint32_t cpu_;
	const size_t subbuf_bytes_;
	Fd fd_;
	struct kbuffer *kbuffer_;
	std::deque<std::vector<uint8_t>> subbufs_; // the first one is loaded
	std::vector<uint8_t> spare_;
	RawEvent event_;
	bool loaded_ = false;
	bool has_event_ = false;
	bool drained_ = false;
	int64_t lost_ = 0;
	uint64_t newest_ts_ = 0; // the time at which the last sub-buffer begins
	uint64_t last_ts_ = 0;
	uint64_t complete_until_ = 0;
};

} // namespace grtrace
