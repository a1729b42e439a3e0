// SPDX-License-Identifier: GPL-2.0
#include "read/capture/merger.h"

#include <bit>

namespace grtrace {

// A CPU's clock may step back that far while time is being adjusted: its
// records are in order all the same.
static constexpr uint64_t clock_step_ns = 10 * 1000;

Merger::Merger(std::vector<Decoder *> streams, const Session &session,
	       StreamStats &stats)
	: streams_(std::move(streams)), events_(streams_.size()),
	  leaves_(std::bit_ceil(streams_.size())), session_(session),
	  stats_(stats)
{
}

bool Merger::before(const Player &a, const Player &b)
{
	using Key = unsigned __int128;

	auto key = [](const Player &player) {
		uint64_t minor = uint64_t(player.minor) << 32 | player.stream;

		return Key(player.major) << 64 | minor;
	};
	return key(a) < key(b);
}

Merger::Player Merger::player(uint32_t stream) const
{
	OrderKey key = order_key(events_[stream], session_.order_clock());

	return {key.major, stream, static_cast<uint32_t>(key.minor)};
}

// The winner of all games from the leaf to the top comes to the front.
void Merger::play(Player player, size_t leaf)
{
	for (size_t node = (leaves_ + leaf) / 2; node; node /= 2) {
		Player &other = losers_[node];
		bool lost = before(other, player);
		uint64_t mask = -static_cast<uint64_t>(lost);
		uint32_t low = static_cast<uint32_t>(mask);
		uint64_t major = (player.major ^ other.major) & mask;
		uint32_t stream = (player.stream ^ other.stream) & low;
		uint32_t minor = (player.minor ^ other.minor) & low;

		player = {player.major ^ major, player.stream ^ stream,
			  player.minor ^ minor};
		other = {other.major ^ major, other.stream ^ stream,
			 other.minor ^ minor};
	}
	front_ = player;
}

// Reads the first event of each stream. They play only after all of them are
// there: which order holds may stand in any of the streams.
Next Merger::start()
{
	while (started_ < streams_.size()) {
		Next got = streams_[started_]->next(events_[started_]);

		if (got == Next::again)
			return got;
		if (got == Next::end)
			events_[started_].raw = nullptr;
		started_++;
	}
	if (session_.refused)
		return Next::end;
	if (session_.order_clock())
		begin_tournament();
	else
		by_gseq_ =
			std::make_unique<GseqMerger>(streams_, events_, stats_);
	return Next::event;
}

void Merger::begin_tournament()
{
	// From the leaves up: who wins goes on, who loses stays.
	std::vector<Player> winners(2 * leaves_, ended);
	losers_.assign(leaves_, ended);
	for (uint32_t i = 0; i < streams_.size(); i++)
		if (events_[i].raw)
			winners[leaves_ + i] = player(i);
	for (size_t node = leaves_ - 1; node; node--) {
		const Player &left = winners[2 * node];
		const Player &right = winners[2 * node + 1];
		bool swap = before(right, left);

		winners[node] = swap ? right : left;
		losers_[node] = swap ? left : right;
	}
	front_ = winners[1];
}

// Replaces the event in front, which was handed out, by its stream's next.
Next Merger::advance()
{
	uint32_t stream = front_.stream;
	Next got = streams_[stream]->next(events_[stream]);

	if (got == Next::again)
		return got;
	front_used_ = false;
	play(got == Next::end ? ended : player(stream), stream);
	return Next::event;
}

Next Merger::next_by_clock(const Event *&event)
{
	if (started_ < streams_.size()) {
		if (const Next got = start(); got != Next::event)
			return got;
		if (by_gseq_)
			return by_gseq_->next(event);
	}
	if (front_used_ && advance() == Next::again)
		return Next::again;
	if (front_.stream == ended.stream)
		return Next::end;

	OrderKey key = {front_.major, front_.minor};
	if (!(key < last_))
		last_ = key;
	else if (events_[front_.stream].sequenced &&
		 key.major + clock_step_ns < last_.major)
		stats_.unordered++;
	front_used_ = true;
	event = &events_[front_.stream];
	return Next::event;
}

} // namespace grtrace
