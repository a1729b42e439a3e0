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

	unwanted_.clear();
	if (!event.is_event() || !event.ctx)
		return unwanted_;
	if (const auto over = over_.find(key); over != over_.end()) {
		if (event.type == GRTRACE_SUBMIT)
			over->second.reset();
		if (over->second)
			return *over->second ? out : unwanted_;
	}
	const auto [held, is_new] = held_.try_emplace(key);
	if (is_new) {
		order_.push_back(key);
		make_room();
	}
	held->second.nr_rows++;
	return held->second.rows;
}

void SlowEvents::settle(const Job &job, JobLabel label, fmt::memory_buffer &out)
{
	const Key key(job.ctx, static_cast<uint32_t>(job.seqno));
	const auto held = held_.find(key);

	if (over_.insert_or_assign(key, is_slow(label)).second)
		ends_.push_back(key);
	if (ends_.size() > max_held) {
		over_.erase(ends_.front());
		ends_.pop_front();
	}
	if (held == held_.end())
		return;
	if (is_slow(label))
		out.append(held->second.rows.begin(), held->second.rows.end());
	held_.erase(held);
}

// The newest stays.
void SlowEvents::make_room()
{
	while (order_.size() > 1 && (held_.size() > max_held || !held_.contains(order_.front()))) {
		if (const auto oldest = held_.find(order_.front()); oldest != held_.end()) {
			dropped_ += oldest->second.nr_rows;
			held_.erase(oldest);
		}
		order_.pop_front();
	}
}

} // namespace grtrace
