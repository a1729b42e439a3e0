// SPDX-License-Identifier: GPL-2.0
#include "words/delays/delay_split.h"

#include <algorithm>
#include <utility>

namespace grtrace {

inline DelaySplit::Part &DelaySplit::part_of(uint32_t process)
{
	if (process < parts_.size() && parts_[process].wait == nr_waits_)
		return parts_[process];
	return new_part(process);
}

DelaySplit::Part &DelaySplit::new_part(uint32_t process)
{
	if (process >= parts_.size())
		parts_.resize(process + 1);
	parts_[process] = {.wait = nr_waits_, .covered_from = UINT64_MAX};
	met_.push_back(process);
	return parts_[process];
}

// Returns how much of [from, to] is not yet covered, if everything from covered_from on is.
// There is no branch, because the processor cannot predict whether executions overlap.
static uint64_t cover(uint64_t from, uint64_t to, uint64_t &covered_from)
{
	const uint64_t end = std::min(to, covered_from);

	covered_from = std::min(covered_from, from);
	return std::max(end, from) - from;
}

// Returns how much of the wait is before ts, without the time in which a fence blocks.
inline uint64_t DelaySplit::free_before(uint64_t ts) const
{
	const uint64_t at = std::clamp(ts, submit_, start_);

	if (holds_.empty())
		return at - submit_;

	auto next =
		std::upper_bound(holds_.begin(), holds_.end(), at,
				 [](uint64_t time, const Hold &hold) { return time < hold.to; });
	uint64_t held = next == holds_.begin() ? 0 : next[-1].sum;

	if (next != holds_.end() && next->from < at)
		held += at - next->from;
	return at - submit_ - held;
}

// Goes from the last END to the first: later executions in this loop ended earlier, so they
// reach into no gap after them. wants: chooses executions. fn: gets the execution and its
// two times, on a clock that stops while a fence blocks.
template <typename Wants, typename Fn>
inline void DelaySplit::for_each_executed(Wants wants, Fn fn) const
{
	for (size_t i = ended_.size(); i && ended_[i - 1].end > submit_; i--) {
		const Execution &one = ended_[i - 1];

		if (!wants(one))
			continue;

		const uint64_t start = free_before(one.start);
		const uint64_t end = free_before(one.end);

		if (start < end)
			fn(one, start, end);
	}
}

void DelaySplit::add_executed()
{
	uint64_t covered_from = UINT64_MAX;
	auto all = [](const Execution &) { return true; };
	uint32_t weight = 0; // of the first one
	auto add = [&](const Execution &one, uint64_t start, uint64_t end) {
		Part &part = part_of(one.process);

		weight = weight ? weight : one.weight;
		mixed_ |= one.weight != weight;
		part.executed += Wide(cover(start, end, part.covered_from)) * one.weight;
		executed_ += Wide(cover(start, end, covered_from)) * one.weight;
	};

	mixed_ = false;
	for_each_executed(all, add);
}

// Returns whether several processes executed at once, or jobs of different weights may
// have.
bool DelaySplit::shares_moments() const
{
	Wide all = mixed_;

	for (uint32_t process : met_)
		all += parts_[process].executed;
	return all != executed_;
}

// A process begins or ends an execution, perhaps while it has others.
void DelaySplit::turn(const Edge &edge)
{
	if (!edge.ends) {
		executing_.push_back(edge);
	} else {
		const auto same = std::ranges::find_if(executing_, [&](const Edge &one) {
			return one.process == edge.process && one.weight == edge.weight;
		});
		executing_.erase(same);
	}
	sharers_.clear();
	for (const Edge &one : executing_) {
		const auto known = std::ranges::find(sharers_, one.process, &Sharer::process);

		if (known == sharers_.end())
			sharers_.push_back({one.process, one.weight});
		else
			known->weight = std::max(known->weight, one.weight);
	}
}

// Goes from edge to edge, because no execution begins or ends in between. The share of a
// moment is not a whole number of ns, so it is counted in fractions of a ns.
void DelaySplit::share_moments()
{
	constexpr uint64_t parts_of_ns = 1 << 16;
	auto all = [](const Execution &) { return true; };
	auto add = [&](const Execution &one, uint64_t start, uint64_t end) {
		edges_.push_back({start, one.process, one.weight, false});
		edges_.push_back({end, one.process, one.weight, true});
	};
	uint64_t now = 0;

	edges_.clear();
	executing_.clear();
	sharers_.clear();
	executed_ = 0;
	for (uint32_t process : met_)
		parts_[process].executed = 0;
	for_each_executed(all, add);
	std::stable_sort(edges_.begin(), edges_.end(), [](const Edge &a, const Edge &b) {
		return std::pair(a.ts, a.ends) < std::pair(b.ts, b.ends);
	});
	for (const Edge &edge : edges_) {
		const Wide moment = edge.ts - now;
		const size_t sharers = sharers_.size();
		Wide weights = 0;

		for (const Sharer &sharer : sharers_) {
			parts_[sharer.process].executed +=
				moment * sharer.weight * parts_of_ns / sharers;
			weights += sharer.weight;
		}
		if (sharers)
			executed_ += moment * weights / sharers;
		now = edge.ts;
		turn(edge);
	}
}

// The rounded shares add up to the time that is shared.
void DelaySplit::share_out(uint64_t executed)
{
	Wide all = 0;
	Wide before = 0;

	for (uint32_t process : met_)
		all += parts_[process].executed;

	// Usually no two processes executed at once.
	const bool beside = all && all != executed;

	// The product with a time must fit: hostile times lose their last bits.
	while (all > UINT64_MAX) {
		all = 0;
		for (uint32_t process : met_)
			all += parts_[process].executed >>= 1;
	}
	for (uint32_t process : met_) {
		const Part &part = parts_[process];
		uint64_t ns = static_cast<uint64_t>(part.executed);

		if (beside) {
			const Wide after = before + ns;

			ns = static_cast<uint64_t>(after * executed / all -
						   before * executed / all);
			before = after;
		}
		if (ns || part.blocked)
			shares_.push_back({process, part.blocked > ns, ns + part.blocked});
	}
}

void DelaySplit::split(uint64_t submit, uint64_t start, std::span<const BlockedSpan> blocked,
		       std::span<const Execution> ended)
{
	uint64_t rest = start - submit;

	submit_ = submit;
	start_ = start;
	blocked_ = blocked;
	ended_ = ended;
	nr_waits_++;
	met_.clear();
	shares_.clear();
	executed_ = 0;
	holds_.clear();
	for (const BlockedSpan &span : blocked) {
		const uint64_t from = std::clamp(span.from, submit, start);
		const uint64_t to = std::clamp(span.to, submit, start);

		if (from == to)
			continue;
		part_of(span.process).blocked += to - from;
		rest -= to - from;
		holds_.push_back({from, to, start - submit - rest});
	}
	add_executed();
	if (shares_moments())
		share_moments();

	const uint64_t executed = static_cast<uint64_t>(std::min<Wide>(executed_, rest));

	nobody_ = rest - executed;
	share_out(executed);
}

DelayCause DelaySplit::due_to(const DelayShare &share) const
{
	DelayCause cause;
	uint64_t most = 0;
	auto offer = [&](const auto &one, uint64_t from, uint64_t to) {
		if (to - from <= most)
			return;
		most = to - from;
		cause = {one.ctx, one.seqno};
	};

	auto is_its = [&](const auto &one) { return one.process == share.process; };

	if (!share.blocked)
		for_each_executed(is_its, offer);
	else
		for (const BlockedSpan &span : blocked_)
			if (is_its(span))
				offer(span, std::clamp(span.from, submit_, start_),
				      std::clamp(span.to, submit_, start_));
	return cause;
}

} // namespace grtrace
