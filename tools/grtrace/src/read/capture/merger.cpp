// SPDX-License-Identifier: GPL-2.0
//
// The order of a session is recorded in its tables, which may be in any file: so the first
// event of each stream is read before any event is returned.
#include "read/capture/merger.h"

namespace grtrace {

// A CPU's clock may step back by this much while the time is being adjusted: its
// records are still in order.
static constexpr uint64_t clock_step_ns = 10 * 1000;

Merger::Merger(std::vector<Decoder *> streams, const Session &session, StreamStats &stats)
	: streams_(std::move(streams)), events_(streams_.size()), session_(session), stats_(stats)
{
}

Tournament::Player Merger::player(uint32_t stream) const
{
	OrderKey key = order_key(events_[stream], session_.order_clock());

	return {key.major, stream, static_cast<uint32_t>(key.minor)};
}

// Reads the first event of each stream. The tournament begins only then, because the
// order may be recorded in any of the streams.
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
	if (!session_.order_clock()) {
		by_gseq_ = std::make_unique<GseqMerger>(streams_, events_, stats_);
		return Next::event;
	}

	std::vector<Tournament::Player> players(streams_.size(), Tournament::left);
	for (uint32_t i = 0; i < streams_.size(); i++)
		if (events_[i].raw)
			players[i] = player(i);
	tournament_.begin(players);
	return Next::event;
}

// Replaces the event in front, which was returned, by the next one of its stream.
Next Merger::advance()
{
	uint32_t stream = tournament_.front().number;
	Next got = streams_[stream]->next(events_[stream]);

	if (got == Next::again)
		return got;
	front_used_ = false;
	tournament_.replace_front(got == Next::end ? Tournament::left : player(stream));
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
	if (tournament_.empty())
		return Next::end;

	const Tournament::Player &front = tournament_.front();
	OrderKey key = {front.major, front.minor};
	if (!(key < last_))
		last_ = key;
	else if (events_[front.number].sequenced && key.major + clock_step_ns < last_.major)
		stats_.unordered++;
	front_used_ = true;
	event = &events_[front.number];
	return Next::event;
}

} // namespace grtrace
