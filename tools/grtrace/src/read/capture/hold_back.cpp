// SPDX-License-Identifier: GPL-2.0
//
// Events are copied only if they have to wait. In a pipe that is read as fast as it is written,
// hardly any have to.
#include "read/capture/hold_back.h"

namespace grtrace {

HoldBack::HoldBack(Decoder &stream, ByteReader &in, StreamStats &stats, size_t most)
	: stream_(stream), in_(in), stats_(stats), most_(most)
{
}

// LOST takes no gseq: it is due when the record before it was returned.
bool HoldBack::is_due(const OrderKey &key, const Event &event) const
{
	return event.sequenced ? key.gseq <= expected_ : key.gseq < expected_;
}

bool HoldBack::hold(const OrderKey &key)
{
	held_.emplace(key, Held{incoming_, {incoming_.raw, incoming_.raw + incoming_.size}});
	return held_.size() >= most_;
}

Next HoldBack::deliver(const Event *&event, const Event &from, OrderKey key)
{
	// A LOST comes when its CPU writes again, even if that is later than its place.
	if (!(key < last_))
		last_ = key;
	else if (from.sequenced)
		stats_.unordered++;
	if (from.sequenced && key.gseq >= expected_)
		expected_ = key.gseq + 1;
	event = &from;
	return Next::event;
}

Next HoldBack::deliver_held(const Event *&event)
{
	lent_ = held_.extract(held_.begin());
	lent_.mapped().event.raw = lent_.mapped().raw.data();
	return deliver(event, lent_.mapped().event, lent_.key());
}

Next HoldBack::next(const Event *&event)
{
	for (;;) {
		if (!held_.empty() && (ended_ || draining_ ||
				       is_due(held_.begin()->first, held_.begin()->second.event)))
			return deliver_held(event);
		draining_ = false;
		if (ended_)
			return Next::end;

		Next got = stream_.next(incoming_);
		if (got == Next::end) {
			ended_ = true;
			continue;
		}
		if (got == Next::again) {
			draining_ = in_.waited() && !held_.empty();
			if (draining_)
				continue;
			return got;
		}

		OrderKey key = order_key(incoming_);
		bool best = held_.empty() || key < held_.begin()->first;
		if (best && is_due(key, incoming_))
			return deliver(event, incoming_, key);
		if (hold(key))
			return deliver_held(event);
	}
}

} // namespace grtrace
