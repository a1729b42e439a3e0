// SPDX-License-Identifier: GPL-2.0
//
// RingMap: a value for each ring, by its id.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace grtrace {

// Any id is accepted. Small ones, as nearly all are, are found as fast as in a vector; a
// large one, of a long session or of a damaged record, costs memory for one value. T() means
// "nothing known yet": ids between those that were asked for may have it.
template <class T> class RingMap {
public:
	T &operator[](uint32_t id) { return id < count_ ? near_[id] : other(id); }

	// Returns nullptr if nothing is known about the ring.
	const T *find(uint32_t id) const
	{
		if (id < near_.size())
			return &near_[id];
		const auto found = far_.find(id);
		return found == far_.end() ? nullptr : &found->second;
	}

	// Calls what(id, value) for each value, by id.
	template <class F> void each(F what)
	{
		for (uint32_t id = 0; id < near_.size(); id++)
			what(id, near_[id]);
		for (auto &[id, value] : far_)
			what(id, value);
	}
	template <class F> void each(F what) const
	{
		for (uint32_t id = 0; id < near_.size(); id++)
			what(id, near_[id]);
		for (const auto &[id, value] : far_)
			what(id, value);
	}

private:
	static constexpr uint32_t near_most = 65536; // values, of some 100 bytes

	[[gnu::noinline]] T &other(uint32_t id)
	{
		if (id >= near_most)
			return far_[id];
		// Grows by a quarter, because each of thousands of captures may have such
		// a table.
		if (id >= near_.capacity())
			near_.reserve(id + id / 4 + 1);
		near_.resize(id + 1);
		count_ = id + 1;
		return near_[id];
	}

	std::vector<T> near_; // by id
	uint32_t count_ = 0; // near_.size(), for which a vector divides
	std::map<uint32_t, T> far_;
};

} // namespace grtrace
