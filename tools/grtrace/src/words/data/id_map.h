// SPDX-License-Identifier: GPL-2.0
//
// IdMap: a hash from a 64-bit id to a small value.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace grtrace {

// The golden ratio of 2^64: its multiples are spread nearly evenly.
constexpr uint64_t golden_odd = 0x9e3779b97f4a7c15ull;

// The author of a capture cannot know this factor, so he cannot choose ids that all have
// the same hash.
inline uint64_t secret_odd()
{
	std::random_device random;

	return uint64_t(random()) << 32 | random() | 1;
}

// Spreads ids that differ only in a few low bits over all 64 bits.
inline uint64_t hash_id(uint64_t id, uint64_t odd = golden_odd)
{
	id ^= id >> 32;
	id *= odd;
	return id ^ (id >> 29);
}

// Open addressing with linear probing: a hit costs one cache line, and memory is allocated
// only when the table doubles. Ids are never removed one by one, only all together. If a
// run of used places is too long for chance, the run was made on purpose: then all ids
// move to other, unpredictable places.
//
// consecutive: most ids are given out in a row. Then hardly any two ids share a place, and
// each search ends where it begins, which the processor predicts.
template <typename Value, bool consecutive = false> class IdMap {
public:
	Value *find(uint64_t id)
	{
		if (!size_)
			return nullptr;
		for (size_t i = home(id);; i = (i + 1) & mask()) {
			if (!slots_[i].used)
				return nullptr;
			if (slots_[i].id == id)
				return &slots_[i].value;
		}
	}

	// Returns the value of id, and adds a default value if there was none. Pointers
	// from earlier calls become invalid.
	Value &get(uint64_t id)
	{
		if (Value *value = find(id))
			return *value;
		if ((size_ + 1) * 4 > slots_.size() * 3)
			grow();
		size_++;
		Slot &slot = place(id);
		if (distance(slot) <= row_max)
			return slot.value;
		odd_ = secret_odd();
		rebuild(slots_.size());
		return *find(id);
	}

	size_t size() const { return size_; }

	// The longest search for any id: the number of slots that it visits.
	size_t longest_row() const
	{
		size_t longest = 0;

		for (const Slot &slot : slots_)
			if (slot.used)
				longest = std::max(longest, distance(slot));
		return longest;
	}

	void clear()
	{
		slots_.clear();
		size_ = 0;
	}

	template <typename Fn> void for_each(Fn fn)
	{
		for (Slot &slot : slots_)
			if (slot.used)
				fn(slot.id, slot.value);
	}

private:
	struct Slot {
		uint64_t id = 0;
		Value value = {};
		bool used = false;
	};

	// Among millions of ids, rows of a few hundred used places occur by chance.
	static constexpr size_t row_max = 1024;

	size_t mask() const { return slots_.size() - 1; }
	size_t home(uint64_t id) const
	{
		if constexpr (!consecutive)
			return hash_id(id, odd_) & mask();
		// The upper bits depend on all bits of the id.
		return (id ^ id >> 32) * odd_ >> shift_;
	}
	size_t distance(const Slot &slot) const
	{
		const size_t at = static_cast<size_t>(&slot - slots_.data());

		return (at - home(slot.id)) & mask();
	}

	Slot &place(uint64_t id)
	{
		size_t i = home(id);

		while (slots_[i].used)
			i = (i + 1) & mask();
		slots_[i].id = id;
		slots_[i].used = true;
		return slots_[i];
	}

	void grow() { rebuild(slots_.empty() ? 64 : slots_.size() * 2); }

	void rebuild(size_t size)
	{
		std::vector<Slot> old(size);

		old.swap(slots_);
		shift_ = std::countl_zero(mask());
		for (Slot &slot : old)
			if (slot.used)
				place(slot.id).value = std::move(slot.value);
	}

	std::vector<Slot> slots_;
	uint64_t odd_ = golden_odd;
	int shift_ = 0; // shifts a hash down to a place
	size_t size_ = 0;
};

} // namespace grtrace
