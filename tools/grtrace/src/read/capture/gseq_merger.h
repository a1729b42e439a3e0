// SPDX-License-Identifier: GPL-2.0
//
// GseqMerger: merges the streams of all CPUs into one, in the order of gseq.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "read/capture/order_key.h"
#include "read/stream/decoder.h"

namespace grtrace {

// gseq has each number once, so an event's place is known without a comparison
// with any other: it goes into a window of the next numbers, whichever stream
// it is from, and the window is read from its start to its end. A stream gives
// all it has for the window at once, so that one loop decodes many records.
//
//	next_       limit_
//	  |           |
//	  a b . a a c c b . . . .      . is not there: lost, or still to come
//
// Only plain records are read ahead. Anything else in a stream (a packet, a
// note, bytes that are not yet in memory, damage) is not looked at until all
// events before it are out, so that it is reported in its place; the window
// ends there. An event that comes that way is *pending*: it goes into the
// window if it has a place there, else out on its own. So the packet that a
// plain record needs stays the same, and it becomes an event only when it is
// its turn: an event has three times as many bytes as its place here. Events
// without a gap between them are made a *run* at a time, by one short loop.
//
// Memory: the window, which is made for so many streams, and a run.
class GseqMerger {
public:
	// All of them must outlive it. pending: the first event of each stream,
	// one without bytes for a stream that ended.
	GseqMerger(const std::vector<Decoder *> &streams, const std::vector<Event> &pending,
		   StreamStats &stats);

	// The event stays good until the next call.
	Next next(const Event *&event)
	{
		if (run_next_ == run_end_)
			return next_run(event);
		event = run_next_++;
		return Next::event;
	}
	// The same, with those behind it that are already made.
	Next next(std::span<const Event> &run)
	{
		const Event *event;
		const Next got = next(event);

		if (got != Next::event)
			return got;
		// A pending one stands elsewhere.
		if (event + 1 != run_next_) {
			run = {event, 1};
			return got;
		}
		run = {event, run_end_};
		run_next_ = run_end_;
		return got;
	}

private:
	// They stay in the first cache with all that is done for them.
	static constexpr size_t run_max = 64;

	struct Stream {
		Decoder *decoder;
		Event pending;
		bool has_pending;
		bool ended;
		// Its next record does not go into the window; it waits until
		// next_ has passed the records that it placed.
		bool stopped = false;
		uint64_t from = 0;
		uint64_t due = 0; // of its pending event: where next_ has to be
	};

	// An entry of the window. raw is null where it is the stream's pending event.
	struct Place {
		Decoder::Plain plain;
		Stream *stream;
	};

	Next next_run(const Event *&event);
	bool take_run(const Event *&event);
	const Event *read_run(uint64_t size);
	static uint32_t cpu_of(const Place &place);
	Next refill(const Event *&event);
	void clear_taken();
	Next read_pending();
	static uint64_t head_of(const Stream &stream);
	bool is_empty() const;
	bool begin_window();
	void place_pending(Stream &stream);
	void fill(Stream &stream);
	void find_due(Stream &stream);
	void deliver_due(const Event *&event);

	bool is_placed(uint64_t gseq) const { return word_of(gseq) >> gseq % 64 & 1; }
	uint64_t word_of(uint64_t gseq) const { return placed_[(gseq & mask_) / 64]; }
	Place &place_of(uint64_t gseq) { return window_[gseq & mask_]; }

	std::vector<Stream> streams_;
	StreamStats &stats_;
	const size_t mask_; // of gseq: the place in the window
	std::vector<Place> window_; // by gseq
	std::vector<uint64_t> placed_; // bits: is there an event
	uint64_t next_ = 0;
	uint64_t limit_ = 0;
	uint64_t end_ = 0; // of the window, limit_ or beyond
	uint64_t begin_ = 0; // next_ when the window was begun
	std::array<Event, run_max> run_ = {}; // of plain records
	const Event *run_next_ = nullptr;
	const Event *run_end_ = nullptr;
	const Event *taken_ = nullptr; // from the window, the last
	OrderKey last_ = {}; // of what came out
};

} // namespace grtrace
