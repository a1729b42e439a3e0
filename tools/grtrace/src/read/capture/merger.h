// SPDX-License-Identifier: GPL-2.0
//
// Merger: merges the streams of all CPUs into one, in order.
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

// k-way merge: holds one event per stream, whatever their length. A session with
// gseq has its own merger for that; one without has a tournament by time and CPU.
class Merger {
public:
	// All of them must outlive the merger.
	Merger(std::vector<Decoder *> streams, const Session &session, StreamStats &stats);

	// The events stay good until the next call. As many as are there.
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
	void begin_tournament();
	Next advance();
	Next next_by_clock(const Event *&event);

	std::vector<Decoder *> streams_;
	std::vector<Event> events_; // the next one of each stream
	Tournament tournament_;
	const Session &session_;
	StreamStats &stats_;
	std::unique_ptr<GseqMerger> by_gseq_;
	OrderKey last_ = {};
	size_t started_ = 0; // streams that gave their first event
	bool front_used_ = false;
};

} // namespace grtrace
