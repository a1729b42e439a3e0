// SPDX-License-Identifier: GPL-2.0
#include "words/delays/blocked_window.h"

#include <algorithm>

namespace grtrace {

void BlockedWindow::add(const Job &job, const BlockedSpan &span)
{
	if (entries_.size() == limit)
		drop(entries_.begin() + limit / 2);
	uint64_t &until = held_until_[place_of(job.ctx)];

	until = std::max(until, span.to);
	// The place is nearly always one of the last.
	auto at = entries_.end();

	while (at != entries_.begin() && span.to < at[-1].span.to)
		--at;
	entries_.insert(at, {job.ctx, job.seqno, span});
}

void BlockedWindow::drop(std::vector<Entry>::iterator kept)
{
	if (kept == entries_.begin())
		return;
	forgot_until_ = std::max(forgot_until_, (kept - 1)->span.to);
	entries_.erase(entries_.begin(), kept);
}

void BlockedWindow::forget_until(uint64_t ts)
{
	drop(std::ranges::upper_bound(entries_, ts, {},
				      [](const Entry &entry) { return entry.span.to; }));
}

uint32_t BlockedWindow::find_held(const Since &job, std::vector<BlockedSpan> &found) const
{
	const size_t before = found.size();
	uint64_t until = 0;
	size_t first = entries_.size();

	// Most spans since then belong to other contexts.
	for (size_t i = entries_.size(); i && entries_[i - 1].span.to > job.ts; i--)
		if (entries_[i - 1].ctx == job.ctx)
			first = i - 1;
	for (size_t i = first; i < entries_.size(); i++) {
		const Entry &entry = entries_[i];
		BlockedSpan span = entry.span;

		// A later job may be blocked while this one is on the ring. For jobs from
		// before the capture no wrap is known, so 32 bits have to show which one is
		// later.
		const uint32_t behind =
			static_cast<uint32_t>(entry.seqno) - static_cast<uint32_t>(job.seqno);

		if (entry.ctx != job.ctx || static_cast<int32_t>(behind) > 0)
			continue;
		span.held = entry.seqno;
		span.from = std::max(span.from, until);
		if (span.from >= span.to)
			continue;
		until = span.to;
		found.push_back(span);
	}
	return static_cast<uint32_t>(found.size() - before);
}

} // namespace grtrace
