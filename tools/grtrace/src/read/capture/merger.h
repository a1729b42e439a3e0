// SPDX-License-Identifier: GPL-2.0
//
// Merger: merges the streams of all CPUs into one, in the order of gseq.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "read/capture/order_key.h"
#include "read/stream/decoder.h"

namespace grtrace {

// Each gseq occurs once, so the place of an event is known without comparing it with any
// other: it goes into a window of the next numbers, regardless of its stream, and the
// window is read from start to end. A stream delivers everything it has for the window
// at once, so that one loop decodes many records.
//
//	next_       limit_
//	  |           |
//	  a b . a a c c b . . . .      . is missing: lost, or still to come
//
// Only plain records are read ahead. Anything else in a stream (a packet, a note, bytes
// that are not yet in memory, damage) is not read until all events before it have been
// returned, so that it is reported in its place; the window ends there. Such an event is
// *pending*: it goes into the window if it has a place there, otherwise it is returned on
// its own. So the packet that a plain record needs stays the same, and the record becomes
// an event only when it is its turn: an event has three times as many bytes as its place in
// the window. Events without a gap between them are made a *run* at a time, by one short
// loop.
//
// Memory: the window, whose size depends on the number of streams, and a run.
class Merger {
public:
	// All arguments must outlive the merger.
	Merger(const std::vector<Decoder *> &streams, const Session &session, StreamStats &stats);

	// The event stays valid until the next call.
	Next next(const Event *&event)
	{
		if (run_next_ == run_end_)
			return next_run(event);
		event = run_next_++;
		return Next::event;
	}
	// Returns the event with all later ones that are already made.
	Next next(std::span<const Event> &run)
	{
		const Event *event;
		const Next got = next(event);

		if (got != Next::event)
			return got;
		// A pending event is not in the run.
		if (event + 1 != run_next_) {
			run = {event, 1};
			return got;
		}
		run = {event, run_end_};
		run_next_ = run_end_;
		return got;
	}

private:
	// A run of this length fits into the first-level cache.
	static constexpr size_t run_max = 64;

	struct Stream {
		Decoder *decoder;
		Event pending = {};
		bool has_pending = false;
		bool ended = false;
		// The stream's next record does not fit into the window, so it waits
		// until next_ has passed the records in the window. The first one is
		// read before any window begins.
		bool stopped = true;
		uint64_t from = 0;
		uint64_t due = 0; // next_ must reach this before the pending event is returned
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
	const Session &session_;
	StreamStats &stats_;
	const size_t mask_; // turns a gseq into a place in the window
	std::vector<Place> window_; // by gseq
	std::vector<uint64_t> placed_; // one bit per place: does it have an event
	uint64_t next_ = 0;
	uint64_t limit_ = 0;
	uint64_t end_ = 0; // end of the window, at limit_ or beyond
	uint64_t begin_ = 0; // value of next_ when the window began
	std::array<Event, run_max> run_ = {}; // made from plain records
	const Event *run_next_ = nullptr;
	const Event *run_end_ = nullptr;
	const Event *taken_ = nullptr; // the last event taken from the window
	OrderKey last_ = {}; // key of the last event returned
};

} // namespace grtrace
