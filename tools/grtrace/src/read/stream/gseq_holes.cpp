// SPDX-License-Identifier: GPL-2.0
//
// Holes come in the order of the numbers, so the holes that a jump could explain are
// found by bisection.
#include "read/stream/gseq_holes.h"

#include <algorithm>

#include "read/stream/sequence.h"

namespace grtrace {

uint64_t GseqHoles::jump(uint64_t first, uint64_t end, uint64_t records)
{
	const auto begin = std::ranges::partition_point(
		holes_, [&](const Hole &one) { return one.end <= first; });
	const auto behind = std::ranges::partition_point(
		holes_, [&](const Hole &one) { return one.first < end; });
	uint64_t numbers = 0;

	for (auto hole = begin; hole != behind; ++hole)
		numbers = add_up(numbers, hole->unclaimed);
	// The records were cut out of earlier packets. If more are missing, whole
	// packets are.
	if (numbers >= records)
		for (auto hole = begin; records; ++hole) {
			const uint64_t same = std::min(hole->unclaimed, records);

			hole->unclaimed -= same;
			records -= same;
		}
	if (!records || end <= passed_)
		return records;

	if (jumps_.size() == most_jumps) {
		Jump &last = jumps_.back();

		last = {std::min(last.first, first), std::max(last.end, end),
			add_up(last.left, records)};
		return records;
	}
	jumps_.insert(std::ranges::upper_bound(jumps_, end, {}, &Jump::end), {first, end, records});
	return records;
}

// Returns how many of these numbers no jump explains.
uint64_t GseqHoles::explain(uint64_t first, uint64_t end)
{
	uint64_t numbers = end - first;

	for (Jump &jump : jumps_) {
		const uint64_t from = std::max(jump.first, first);
		const uint64_t to = std::min(jump.end, end);
		const uint64_t same = std::min({take_off(to, from), jump.left, numbers});

		jump.left -= same;
		numbers -= same;
	}
	return numbers;
}

void GseqHoles::pass(uint64_t gseq)
{
	passed_ = std::max(passed_, gseq);
	std::erase_if(jumps_, [&](const Jump &jump) { return !jump.left || jump.end <= passed_; });
}

uint64_t GseqHoles::add(Hole hole)
{
	const uint64_t numbers = explain(hole.first, hole.end);

	pass(hole.end);
	if (!numbers)
		return 0;
	hole.records = hole.unclaimed = numbers;
	holes_.push_back(hole);
	records_ = add_up(records_, numbers);
	return numbers;
}

bool GseqHoles::fill(uint64_t gseq)
{
	const auto at = std::ranges::partition_point(
		holes_, [&](const Hole &one) { return one.end <= gseq; });

	if (at == holes_.end() || gseq < at->first || !at->records)
		return false;

	Hole below = *at;
	const uint64_t left = at->records - 1;

	records_--;
	below.end = gseq;
	at->first = gseq + 1;
	at->records = std::min(left, at->end - at->first);
	below.records = left - at->records;
	at->unclaimed = std::min(at->unclaimed, at->records);
	below.unclaimed = std::min(below.unclaimed, below.records);
	if (below.records)
		holes_.insert(at, below);
	return true;
}

std::vector<GseqHoles::Hole> GseqHoles::settle(size_t keep)
{
	const auto end = holes_.end() - static_cast<long>(std::min(keep, holes_.size()));
	std::vector<Hole> settled(holes_.begin(), end);

	holes_.erase(holes_.begin(), end);
	std::erase_if(settled, [](const Hole &hole) { return !hole.records; });
	return settled;
}

} // namespace grtrace
