// SPDX-License-Identifier: GPL-2.0
#include "delay_split.h"

#include <algorithm>

namespace grtrace {

// No standard name for it, but all our compilers have it.
__extension__ using Wide = unsigned __int128;

static void add_capped(uint64_t &sum, Wide more)
{
	Wide room = UINT64_MAX - sum;

	sum += static_cast<uint64_t>(std::min(more, room));
}

DelaySplit::Part &DelaySplit::part_of(uint32_t process)
{
	if (process >= index_.size())
		index_.resize(process + 1);
	if (!index_[process]) {
		parts_.push_back({});
		parts_.back().process = process;
		parts_.back().covered_from = UINT64_MAX;
		index_[process] = static_cast<uint32_t>(parts_.size());
	}
	return parts_[index_[process] - 1];
}

void DelaySplit::add_blocked(const BlockedSpan &span, uint64_t from,
			     uint64_t to)
{
	Part &part = part_of(span.process);

	part.blocked += to - from;
	if (to - from <= part.block_most)
		return;
	part.block_most = to - from;
	part.block_ctx = span.ctx;
	part.block_seqno = span.seqno;
}

// What of [from, to] is not yet covered, where only what lies before
// covered_from is not.
static uint64_t cover(uint64_t from, uint64_t to, uint64_t &covered_from)
{
	uint64_t end = std::min(to, covered_from);

	if (end <= from)
		return 0;
	covered_from = from;
	return end - from;
}

// From the last END to the first: what comes later in this loop ended before,
// so it reaches into no gap behind.
void DelaySplit::add_executed(std::span<const Execution> ended, uint64_t from,
			      uint64_t to)
{
	uint64_t covered_from = UINT64_MAX;

	for (Part &part : parts_)
		part.covered_from = UINT64_MAX;
	for (size_t i = ended.size(); i && ended[i - 1].end > from; i--) {
		const Execution &one = ended[i - 1];
		uint64_t start = std::max(one.start, from);
		uint64_t end = std::min(one.end, to);

		if (end <= start)
			continue;
		Part &part = part_of(one.process);
		add_capped(part.executed,
			   Wide(cover(start, end, part.covered_from)) *
				   one.weight);
		add_capped(executed_,
			   Wide(cover(start, end, covered_from)) * one.weight);
		if (end - start <= part.exec_most)
			continue;
		part.exec_most = end - start;
		part.exec_ctx = one.ctx;
		part.exec_seqno = one.seqno;
	}
}

// What all of them executed, so that its product with a time fits: hostile
// times lose their last bits.
static Wide bounded_sum(auto &parts)
{
	Wide sum = 0;

	for (const auto &part : parts)
		sum += part.executed;
	while (sum > UINT64_MAX) {
		sum = 0;
		for (auto &part : parts)
			sum += part.executed /= 2;
	}
	return sum;
}

// The sum of the rounded shares is what there is to share.
void DelaySplit::share_out(uint64_t executed)
{
	const Wide all = bounded_sum(parts_);
	Wide before = 0;

	for (const Part &part : parts_) {
		Wide after = before + part.executed;
		uint64_t ns = part.executed;

		// Mostly nobody executed beside anybody: no division.
		if (all && all != executed)
			ns = static_cast<uint64_t>(after * executed / all -
						   before * executed / all);
		before = after;
		index_[part.process] = 0;
		if (part.blocked > ns)
			shares_.push_back({part.process, ns + part.blocked,
					   part.block_ctx, part.block_seqno,
					   true});
		else if (ns)
			shares_.push_back({part.process, ns + part.blocked,
					   part.exec_ctx, part.exec_seqno,
					   false});
	}
	parts_.clear();
}

void DelaySplit::split(uint64_t submit, uint64_t start,
		       std::span<const BlockedSpan> blocked,
		       std::span<const Execution> ended)
{
	uint64_t rest = start - submit;
	uint64_t blocked_from = start, blocked_until = start;

	shares_.clear();
	executed_ = 0;
	for (const BlockedSpan &span : blocked) {
		uint64_t from = std::clamp(span.from, submit, start);
		uint64_t to = std::clamp(span.to, submit, start);

		blocked_from = std::min(blocked_from, from);
		blocked_until = to;
		if (from == to)
			continue;
		add_blocked(span, from, to);
		rest -= to - from;
	}
	if (blocked_from > submit)
		add_executed(ended, submit, blocked_from);
	if (blocked_until < start)
		add_executed(ended, blocked_until, start);
	executed_ = std::min(executed_, rest);
	nobody_ = rest - executed_;
	share_out(executed_);
}

} // namespace grtrace
