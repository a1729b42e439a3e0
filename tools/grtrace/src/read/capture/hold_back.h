// SPDX-License-Identifier: GPL-2.0
//
// HoldBack: sorts one stream in which CPUs alternate.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "read/capture/order_key.h"
#include "read/stream/decoder.h"

namespace grtrace {

// A pipe delivers records in order per CPU only. gseq numbers all written records without a
// hole, so the number of the next event is known: that event passes at once, and others are
// held back until it arrives. A hole that stays (records were overwritten, a packet was
// damaged) is accepted when `limit` events are held, when the pipe is silent for
// ByteReader::wait_ms, or at the end.
class HoldBack {
public:
	// At most this many events are held, unless -b changes it. 8 CPUs with a full
	// sub-buffer of 512 KiB each have 131072 records.
	static constexpr size_t limit = 131072;

	// All arguments must outlive it.
	HoldBack(Decoder &stream, ByteReader &in, StreamStats &stats, size_t most = limit);

	// The event stays valid until the next call.
	Next next(const Event *&event);

private:
	// A held event owns its bytes.
	struct Held {
		Event event;
		std::vector<uint8_t> raw;
	};
	// Events with the same key keep their order.
	using HeldEvents = std::multimap<OrderKey, Held>;

	bool is_due(const OrderKey &key, const Event &event) const;
	bool hold(const OrderKey &key);
	Next deliver(const Event *&event, const Event &from, OrderKey key);
	Next deliver_held(const Event *&event);

	Decoder &stream_;
	ByteReader &in_;
	StreamStats &stats_;
	const size_t most_;
	HeldEvents held_;
	HeldEvents::node_type lent_; // the event that was returned
	Event incoming_ = {};
	uint64_t expected_ = 0; // gseq
	OrderKey last_ = {};
	bool draining_ = false; // the pipe is silent: hold nothing
	bool ended_ = false;
};

} // namespace grtrace
