// SPDX-License-Identifier: GPL-2.0
#include "merger.h"

#include <algorithm>

namespace grtrace {

Merger::Merger(std::vector<Decoder *> streams, const Session &session,
	       StreamStats &stats)
	: streams_(std::move(streams)), events_(streams_.size()),
	  session_(session), stats_(stats)
{
}

// std::*_heap put the greatest in front; the least is wanted.
template <typename Head> static bool later(const Head &a, const Head &b)
{
	return b.key < a.key;
}

void Merger::take_best()
{
	have_front_ = !heap_.empty();
	if (!have_front_)
		return;
	std::pop_heap(heap_.begin(), heap_.end(), later<Head>);
	front_ = heap_.back();
	heap_.pop_back();
}

// Reads the first event of each stream. Keys are made only after all of them
// are there: which order holds may stand in any of the streams.
Next Merger::start()
{
	while (started_ < streams_.size()) {
		Next got = streams_[started_]->next(events_[started_]);

		if (got == Next::again)
			return got;
		if (got == Next::event)
			heap_.push_back({{}, static_cast<uint32_t>(started_)});
		started_++;
	}
	for (Head &head : heap_)
		head.key =
			order_key(events_[head.stream], session_.order_clock());
	std::make_heap(heap_.begin(), heap_.end(), later<Head>);
	take_best();
	return Next::event;
}

// Replaces the event in front, which was handed out, by its stream's next.
Next Merger::advance()
{
	Event &event = events_[front_.stream];
	Next got = streams_[front_.stream]->next(event);

	if (got == Next::again)
		return got;
	front_used_ = false;
	if (got == Next::end) {
		take_best();
		return Next::event;
	}
	front_.key = order_key(event, session_.order_clock());
	if (!heap_.empty() && heap_.front().key < front_.key) {
		Head front = front_;

		take_best();
		heap_.push_back(front);
		std::push_heap(heap_.begin(), heap_.end(), later<Head>);
	}
	return Next::event;
}

Next Merger::next(const Event *&event)
{
	if (started_ < streams_.size() && start() == Next::again)
		return Next::again;
	if (front_used_ && advance() == Next::again)
		return Next::again;
	if (!have_front_)
		return Next::end;

	if (front_.key < last_)
		stats_.unordered++;
	else
		last_ = front_.key;
	front_used_ = true;
	event = &events_[front_.stream];
	return Next::event;
}

} // namespace grtrace
