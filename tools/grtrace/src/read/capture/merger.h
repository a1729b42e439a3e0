// SPDX-License-Identifier: GPL-2.0
//
// Merger: the streams of all CPUs in, one stream in order out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "read/stream/decoder.h"
#include "read/capture/gseq_merger.h"
#include "read/capture/order_key.h"

namespace grtrace {

// k-way merge: holds one event per stream, whatever their length. A session with
// gseq has its own merger for that; for one without:
//
// A tournament whose nodes keep the *losers*. The stream that delivered last
// plays again on its way from its leaf to the top, against the loser of each
// earlier game: one comparison per level, whose outcome nobody can foresee, so
// it moves the players without a branch.
class Merger {
public:
	// All of them must outlive the merger.
	Merger(std::vector<Decoder *> streams, const Session &session,
	       StreamStats &stats);

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
	// In the order of their events; of equal ones the first stream wins.
	struct Player {
		uint64_t major;
		uint32_t stream;
		uint32_t minor; // a CPU
	};

	static constexpr Player ended = {UINT64_MAX, UINT32_MAX, UINT32_MAX};

	static bool before(const Player &a, const Player &b);
	Player player(uint32_t stream) const;
	void play(Player player, size_t leaf);
	Next start();
	void begin_tournament();
	Next advance();
	Next next_by_clock(const Event *&event);

	std::vector<Decoder *> streams_;
	std::vector<Event> events_; // the next one of each stream
	std::vector<Player> losers_; // by node; 1 is the top
	size_t leaves_; // a power of 2
	const Session &session_;
	StreamStats &stats_;
	std::unique_ptr<GseqMerger> by_gseq_;
	Player front_ = ended;
	OrderKey last_ = {};
	size_t started_ = 0; // streams that gave their first event
	bool front_used_ = false;
};

} // namespace grtrace
