// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/event_merge.h"

#include <algorithm>

namespace grtrace {

EventBuffer *EventMerge::next()
{
	EventBuffer *oldest = nullptr;
	uint64_t oldest_ts = UINT64_MAX, until = UINT64_MAX;

	// Usually the next event is from the same CPU.
	if (current_) {
		const RawEvent *event = current_->front();

		if (event && event->ts <= bound_)
			return current_;
	}
	bound_ = UINT64_MAX;
	for (const std::unique_ptr<EventBuffer> &buffer : buffers_) {
		const RawEvent *event = buffer->front();

		if (!event) {
			until = std::min(until, buffer->complete_until());
		} else if (event->ts < oldest_ts) {
			bound_ = oldest_ts;
			oldest_ts = event->ts;
			oldest = buffer.get();
		} else {
			bound_ = std::min(bound_, event->ts);
		}
	}
	const bool all_due = finished_ || stalled_ >= stalled_most;
	if (!all_due)
		bound_ = std::min(bound_, until);
	current_ = all_due || oldest_ts <= until ? oldest : nullptr;
	return current_;
}

} // namespace grtrace
