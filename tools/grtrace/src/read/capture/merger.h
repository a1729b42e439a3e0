// SPDX-License-Identifier: GPL-2.0
//
// Merger: merges the streams of all CPUs into one ordered stream.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lib/data/tournament.h"
#include "read/capture/gseq_merger.h"
#include "read/capture/order_key.h"
#include "read/stream/decoder.h"

namespace grtrace {

// A k-way merge that holds one event per stream, however long the streams are. Sessions
// with gseq use GseqMerger; sessions without gseq use a tournament by time and CPU.
class Merger {
public:
	// All arguments must outlive the merger.
	Merger(std::vector<Decoder *> streams, const Session &session, StreamStats &stats);

	// Returns all events that are ready. They stay valid until the next call.
	Next next(std::span<const Event> &run)
	{
		if (by_gseq_)
			return by_gseq_->next(run);

		const Event *event;
		const Next got = next_by_clock(event);

		if (got == Next::event)
			run = {event, 1};
		return got;
	}

private:
	Tournament::Player player(uint32_t stream) const;
	Next start();
	Next advance();
	Next next_by_clock(const Event *&event);

	std::vector<Decoder *> streams_;
	std::vector<Event> events_; // the next event of each stream
	Tournament tournament_;
	const Session &session_;
	StreamStats &stats_;
	std::unique_ptr<GseqMerger> by_gseq_;
	OrderKey last_ = {};
	size_t started_ = 0; // streams that have delivered their first event
	bool front_used_ = false;
};

} // namespace grtrace
