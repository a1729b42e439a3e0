// SPDX-License-Identifier: GPL-2.0
//
// IdMap: a hash from a 64-bit id to a small value.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// Spreads ids that differ only in a few low bits over the whole word.
inline uint64_t hash_id(uint64_t id)
{
	id ^= id >> 32;
	id *= 0x9e3779b97f4a7c15ull;
	return id ^ (id >> 29);
}

// Open addressing with linear probing: one cache line for a hit, no allocation
// but when it doubles. Ids are never removed one by one, only all together.
//
// consecutive: so most ids were given out. Then hardly two of them have one
// place, and each search ends where it begins: a guess that is right.
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

	// The value of id, made by default if there was none. Pointers from
	// earlier calls die.
	Value &get(uint64_t id)
	{
		if (Value *value = find(id))
			return *value;
		if ((size_ + 1) * 4 > slots_.size() * 3)
			grow();
		size_++;
		return place(id).value;
	}

	size_t size() const { return size_; }

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

	size_t mask() const { return slots_.size() - 1; }
	size_t home(uint64_t id) const
	{
		if constexpr (!consecutive)
			return hash_id(id) & mask();
		// Upper bits of the multiples of the golden ratio: of however
		// many, the places are nearly as far apart as they can be.
		return (id ^ id >> 32) * 0x9e3779b97f4a7c15ull >> shift_;
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

	void grow()
	{
		std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);

		old.swap(slots_);
		shift_ = std::countl_zero(mask());
		for (Slot &slot : old)
			if (slot.used)
				place(slot.id).value = std::move(slot.value);
	}

	std::vector<Slot> slots_;
	int shift_ = 0; // from an upper bit to a place
	size_t size_ = 0;
};

} // namespace grtrace
