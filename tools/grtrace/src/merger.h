// SPDX-License-Identifier: GPL-2.0
//
// Merger: the streams of all CPUs in, one stream in order out.
#pragma once

#include <cstdint>
#include <vector>

#include "decoder.h"

namespace grtrace {

// Where an event stands in the order of its session: by gseq, or by time and
// then CPU where the session has no gseq. A stream is in order by itself, so
// its cseq never has to be compared.
struct OrderKey {
	uint64_t major;
	uint64_t minor;

	bool operator<(const OrderKey &other) const
	{
		return major != other.major ? major < other.major :
					      minor < other.minor;
	}
};

inline OrderKey order_key(const Event &event, bool order_clock)
{
	return order_clock ? OrderKey{event.ts, event.cpu} :
			     OrderKey{event.gseq, event.cpu};
}

// k-way merge: holds one event per stream, whatever their length. The stream
// that delivered last is compared with the best of the others first and stays
// in front as long as it wins: events of one CPU come in runs, so most steps
// cost one comparison and no move in the heap.
class Merger {
public:
	// All of them must outlive the merger.
	Merger(std::vector<Decoder *> streams, const Session &session,
	       StreamStats &stats);

	// The event stays good until the next call.
	Next next(const Event *&event);

private:
	struct Head {
		OrderKey key;
		uint32_t stream;
	};

	Next start();
	Next advance();
	void take_best();

	std::vector<Decoder *> streams_;
	std::vector<Event> events_; // the next one of each stream
	std::vector<Head> heap_; // all streams but the front
	const Session &session_;
	StreamStats &stats_;
	Head front_ = {};
	OrderKey last_ = {};
	size_t started_ = 0; // streams that gave their first event
	bool have_front_ = false;
	bool front_used_ = false;
};

} // namespace grtrace
