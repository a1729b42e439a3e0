// SPDX-License-Identifier: GPL-2.0
//
// Filling and reading the window are short loops without a branch that depends on the data;
// rare cases go through refill().
#include "read/capture/merger.h"

#include <bit>

namespace grtrace {

// No place has this number: such an event is returned on its own.
static constexpr uint64_t no_place = UINT64_MAX;

// As many numbers as fit into the processor's first-level cache. More streams need more
// numbers, or each stream would be visited for a single event.
static size_t size_for(size_t streams)
{
	return std::bit_ceil(std::max<size_t>(256, streams * 16));
}

Merger::Merger(const std::vector<Decoder *> &streams, const Session &session, StreamStats &stats)
	: session_(session), stats_(stats), mask_(size_for(streams.size()) - 1), window_(mask_ + 1),
	  placed_((mask_ + 1) / 64)
{
	for (Decoder *stream : streams)
		streams_.push_back({stream});
}

// Makes a run of adjacent places, up to the first one that has no plain record.
const Event *Merger::read_run(uint64_t size)
{
	const Place *place = &place_of(next_);
	Event *event = run_.data();
	uint64_t gseq = next_;

	if (!place->plain.raw) {
		next_++;
		taken_ = &place->stream->pending;
		return taken_;
	}
	for (; size && place->plain.raw; size--, place++)
		place->stream->decoder->read_plain(place->plain, gseq++, *event++);
	next_ = gseq;
	run_next_ = run_.data() + 1;
	run_end_ = event;
	taken_ = event - 1;
	return run_.data();
}

// It only reads: the places are cleared together when all are used.
bool Merger::take_run(const Event *&event)
{
	while (next_ < limit_) {
		const uint64_t ahead = word_of(next_) >> next_ % 64;
		const uint64_t left = limit_ - next_;

		if (ahead & 1) {
			event = read_run(std::min<uint64_t>(
				{uint64_t(std::countr_one(ahead)), left, run_max}));
			return true;
		}

		const uint64_t step = ahead ? std::countr_zero(ahead) : 64 - next_ % 64;
		if (step >= left)
			break;
		next_ += step;
	}
	next_ = std::max(next_, limit_);
	return false;
}

Next Merger::next_run(const Event *&event)
{
	for (;;) {
		if (take_run(event))
			return Next::event;
		event = nullptr;
		Next got = refill(event);
		if (event || got != Next::event)
			return got;
	}
}

void Merger::clear_taken()
{
	if (taken_)
		last_ = order_key(*taken_);
	taken_ = nullptr;
	while (begin_ < next_) {
		const uint64_t bit = begin_ % 64;
		const uint64_t bits = std::min(64 - bit, next_ - begin_);

		placed_[(begin_ & mask_) / 64] &= ~(~0ull >> (64 - bits) << bit);
		begin_ += bits;
	}
}

// Reads the next event of the streams that wait until all earlier events are out.
Next Merger::read_pending()
{
	for (Stream &stream : streams_) {
		if (stream.ended || stream.has_pending || !stream.stopped || stream.from > next_)
			continue;
		Next got = stream.decoder->next(stream.pending);
		if (got == Next::again)
			return got;
		stream.has_pending = got == Next::event;
		stream.ended = got == Next::end;
	}
	return Next::event;
}

// Returns at most the gseq of the stream's next record.
uint64_t Merger::head_of(const Stream &stream)
{
	if (stream.ended)
		return no_place;
	if (stream.has_pending)
		return stream.pending.gseq;
	return stream.stopped ? stream.from : stream.decoder->plain_gseq();
}

bool Merger::is_empty() const
{
	return std::all_of(placed_.begin(), placed_.end(), [](uint64_t bits) { return !bits; });
}

// Returns false if nothing is left. If the window is empty, it continues at the next event,
// because everything before that was lost.
bool Merger::begin_window()
{
	if (is_empty()) {
		uint64_t first = no_place;
		bool ended = true;

		for (const Stream &stream : streams_) {
			first = std::min(first, head_of(stream));
			ended = ended && stream.ended;
		}
		if (ended)
			return false;
		next_ = std::max(next_, first);
	}
	begin_ = next_;
	end_ = next_ < no_place - mask_ ? next_ + mask_ + 1 : no_place;
	limit_ = end_;
	return true;
}

void Merger::place_pending(Stream &stream)
{
	const uint64_t gseq = stream.pending.gseq;

	if (!stream.pending.sequenced || gseq < next_ || gseq >= end_ || is_placed(gseq))
		return;
	placed_[(gseq & mask_) / 64] |= 1ull << gseq % 64;
	place_of(gseq) = {{}, &stream};
	stream.from = gseq + 1;
	stream.has_pending = false;
}

void Merger::fill(Stream &stream)
{
	const uint64_t end = end_;
	const uint64_t mask = mask_;
	Place *const window = window_.data();
	uint64_t *const placed = placed_.data();
	uint64_t from = std::max(stream.from, next_);
	bool beyond = false;
	auto takes = [&](uint64_t gseq, const Decoder::Plain &plain) {
		const size_t at = gseq & mask;
		const uint64_t bit = 1ull << gseq % 64;

		// A number that goes back or comes twice is damage.
		if (gseq - from >= end - from || placed[at / 64] & bit) {
			beyond = gseq >= end && end != no_place;
			return false;
		}
		placed[at / 64] |= bit;
		window[at] = {plain, &stream};
		from = gseq + 1;
		return true;
	};

	stream.decoder->pass_plain(takes);
	stream.from = from;
	stream.stopped = !beyond;
	if (stream.stopped)
		limit_ = std::min(limit_, std::max(next_, from));
}

uint32_t Merger::cpu_of(const Place &place)
{
	return place.plain.raw ? place.stream->decoder->cpu() : place.stream->pending.cpu;
}

// An event without a place is returned where it belongs among the others.
void Merger::find_due(Stream &stream)
{
	const Event &event = stream.pending;
	uint64_t due = event.gseq;

	if (event.sequenced && due >= end_ && end_ != no_place) {
		stream.due = no_place; // later it gets a place there
		return;
	}
	if (due >= next_ && due < end_ && is_placed(due) && event.cpu >= cpu_of(place_of(due)))
		due++;
	stream.due = due;
	limit_ = std::min(limit_, std::max(next_, due));
}

void Merger::deliver_due(const Event *&event)
{
	Stream *first = nullptr;

	for (Stream &stream : streams_)
		if (stream.has_pending && stream.due <= next_ &&
		    (!first || order_key(stream.pending) < order_key(first->pending)))
			first = &stream;
	if (!first)
		return;

	const OrderKey key = order_key(first->pending);
	if (!(key < last_))
		last_ = key;
	else if (first->pending.sequenced)
		stats_.unordered++;
	first->has_pending = false;
	first->stopped = true;
	event = &first->pending;
}

Next Merger::refill(const Event *&event)
{
	clear_taken();
	if (read_pending() == Next::again)
		return Next::again;
	// Events that were read before a refusal are counted, and come out.
	if ((session_.refused && !end_) || !begin_window())
		return Next::end;
	for (Stream &stream : streams_) {
		if (stream.has_pending)
			place_pending(stream);
		if (!stream.has_pending && !stream.ended)
			fill(stream);
	}
	for (Stream &stream : streams_)
		if (stream.has_pending)
			find_due(stream);
	deliver_due(event);
	return Next::event;
}

} // namespace grtrace
