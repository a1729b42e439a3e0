// SPDX-License-Identifier: GPL-2.0
//
// SlowEvents: rows of events wait until it is known whether their job was slow.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "read/stream/event.h"
#include "words/jobs/job_label.h"
#include "words/tracker/job.h"

namespace grtrace {

// At most max_held jobs wait, and the rows of the oldest job are dropped, and counted, before
// there are more. As many that are over are remembered: a task may still wait for them.
class SlowEvents {
public:
	static constexpr size_t max_held = 65536;

	explicit SlowEvents(uint64_t &dropped) : dropped_(dropped) {}

	// Returns where the row of this event is to be written; out is for rows of chosen
	// jobs.
	fmt::memory_buffer &place(const Event &event, fmt::memory_buffer &out);
	// The job is over.
	void settle(const Job &job, JobLabel label, fmt::memory_buffer &out);

private:
	using Key = std::pair<uint64_t, uint32_t>; // ctx, the low half of seqno

	struct Held {
		fmt::memory_buffer rows;
		uint64_t nr_rows = 0;
	};

	void make_room();

	uint64_t &dropped_; // rows of jobs for which there was no room
	std::map<Key, Held> held_;
	std::deque<Key> order_; // in which they came; some are gone
	// Whether a job that is over was slow; no value: another job has its key.
	std::map<Key, std::optional<bool>> over_;
	std::deque<Key> ends_; // in which they ended
	fmt::memory_buffer unwanted_;
};

} // namespace grtrace
