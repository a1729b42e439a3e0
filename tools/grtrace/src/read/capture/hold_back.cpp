// SPDX-License-Identifier: GPL-2.0
//
// Events are copied only if they have to wait. In a pipe that is read as fast as it is written,
// hardly any have to.
#include "read/capture/hold_back.h"

#include <algorithm>

namespace grtrace {

HoldBack::HoldBack(Decoder &stream, ByteReader &in, const Session &session, StreamStats &stats,
		   size_t most)
	: stream_(stream), in_(in), session_(session), stats_(stats), most_(most)
{
}

bool HoldBack::later(const Held &a, const Held &b)
{
	if (b.key < a.key)
		return true;
	return !(a.key < b.key) && b.arrival < a.arrival;
}

// LOST takes no gseq: it is due when the record before it was returned.
bool HoldBack::is_due(const OrderKey &key, const Event &event) const
{
	if (session_.order_clock())
		return false;
	return event.sequenced ? key.major <= expected_ : key.major < expected_;
}

bool HoldBack::hold(const OrderKey &key)
{
	uint32_t slot;

	if (free_.empty()) {
		slot = static_cast<uint32_t>(slots_.size());
		slots_.emplace_back();
	} else {
		slot = free_.back();
		free_.pop_back();
	}
	slots_[slot].event = incoming_;
	slots_[slot].raw.assign(incoming_.raw, incoming_.raw + incoming_.size);
	heap_.push_back({key, arrivals_++, slot});
	std::push_heap(heap_.begin(), heap_.end(), later);
	return heap_.size() >= most_;
}

Next HoldBack::deliver(const Event *&event, const Event &from, OrderKey key)
{
	// A LOST comes when its CPU writes again, even if that is later than its place.
	if (!(key < last_))
		last_ = key;
	else if (from.sequenced)
		stats_.unordered++;
	if (from.sequenced && key.major >= expected_)
		expected_ = key.major + 1;
	event = &from;
	return Next::event;
}

Next HoldBack::deliver_held(const Event *&event)
{
	std::pop_heap(heap_.begin(), heap_.end(), later);
	Held held = heap_.back();
	heap_.pop_back();

	Slot &slot = slots_[held.slot];
	slot.event.raw = slot.raw.data();
	lent_ = held.slot;
	return deliver(event, slot.event, held.key);
}

Next HoldBack::next(const Event *&event)
{
	if (lent_ != UINT32_MAX) {
		free_.push_back(lent_);
		lent_ = UINT32_MAX;
	}

	for (;;) {
		if (!heap_.empty()) {
			const Held &best = heap_.front();

			if (ended_ || draining_ || is_due(best.key, slots_[best.slot].event))
				return deliver_held(event);
		}
		draining_ = false;
		if (ended_)
			return Next::end;

		Next got = stream_.next(incoming_);
		if (got == Next::end) {
			ended_ = true;
			continue;
		}
		if (got == Next::again) {
			draining_ = in_.waited() && !heap_.empty();
			if (draining_)
				continue;
			return got;
		}

		OrderKey key = order_key(incoming_, session_.order_clock());
		bool best = heap_.empty() || key < heap_.front().key;
		if (best && is_due(key, incoming_))
			return deliver(event, incoming_, key);
		if (hold(key))
			return deliver_held(event);
	}
}

} // namespace grtrace
