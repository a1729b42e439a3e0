// SPDX-License-Identifier: GPL-2.0
#include "words/export/slow_events.h"

namespace grtrace {

static bool is_slow(JobLabel label)
{
	return label != JobLabel::ok && label != JobLabel::incomplete && label != JobLabel::unknown;
}

fmt::memory_buffer &SlowEvents::place(const Event &event, fmt::memory_buffer &out)
{
	const Key key(event.ctx, event.seqno);

	dropped_.clear();
	if (!event.is_event() || !event.ctx)
		return dropped_;
	// A task may wake up from its wait after the job was over.
	if (const auto last = last_.find(event.ctx); last != last_.end() && !held_.contains(key)) {
		if (last->second.seqno == event.seqno)
			return last->second.slow ? out : dropped_;
		if (static_cast<int32_t>(event.seqno - last->second.seqno) < 0)
			return dropped_;
	}
	const auto [held, is_new] = held_.try_emplace(key);
	if (is_new) {
		order_.push_back(key);
		make_room();
	}
	return held->second;
}

void SlowEvents::settle(const Job &job, JobLabel label, fmt::memory_buffer &out)
{
	const uint32_t seqno = static_cast<uint32_t>(job.seqno);
	const auto held = held_.find({job.ctx, seqno});

	last_[job.ctx] = {seqno, is_slow(label)};
	if (held == held_.end())
		return;
	if (is_slow(label))
		out.append(held->second.begin(), held->second.end());
	held_.erase(held);
}

// The newest stays.
void SlowEvents::make_room()
{
	while (order_.size() > 1 && (held_.size() > max_held || !held_.contains(order_.front()))) {
		held_.erase(order_.front());
		order_.pop_front();
	}
}

} // namespace grtrace
