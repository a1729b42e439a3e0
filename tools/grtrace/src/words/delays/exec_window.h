// SPDX-License-Identifier: GPL-2.0
//
// ExecWindow: the last executions of a ring.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace grtrace {

// The time of a job on its ring, and its process.
struct Execution {
	uint64_t start = 0;
	uint64_t end = 0;
	uint64_t ctx = 0;
	uint64_t seqno = 0;
	uint32_t process = 0;
	uint32_t weight = 1;
};

// Takes executions roughly in the order in which they end and keeps between half of `limit`
// and `limit` of the last ones: 160 KiB.
template <typename T = Execution> class ExecWindow {
public:
	static constexpr size_t limit = 4096;

	// Makes a place for an execution, which the caller fills in: a copy of what was
	// just written would wait until it is in the cache.
	T &add(uint64_t end)
	{
		return add(end, [](const T &) {});
	}
	// forget: is called for the executions that are dropped.
	template <typename Fn> T &add(uint64_t end, Fn forget)
	{
		if (executions_.size() == limit)
			drop(executions_.begin() + limit / 2, forget);

		T &place =
			executions_.empty() || executions_.back().end <= end ?
				executions_.emplace_back() :
				*executions_.emplace(std::upper_bound(
					executions_.begin(), executions_.end(), end, ends_after));
		place.end = end;
		return place;
	}
	// Prefetches the last executions and the next place, because some will be added
	// soon. That memory may not exist yet, so the place is a number.
	void expect(size_t executions) const
	{
		constexpr uintptr_t line = 64;
		const uintptr_t end =
			reinterpret_cast<uintptr_t>(executions_.data() + executions_.size());
		const uintptr_t size = executions * sizeof(T);

		for (uintptr_t at = end - size / 2; at < end + size; at += line)
			__builtin_prefetch(reinterpret_cast<const void *>(at), 1);
	}
	// Drops what ended by ts, because no query goes back further.
	template <typename Fn> void forget_until(uint64_t ts, Fn forget)
	{
		drop(std::ranges::upper_bound(executions_, ts, {}, &T::end), forget);
	}
	std::span<T> all() { return executions_; }
	// Returns the executions that ended by ts, in the order of their ends. Most calls
	// ask for the end of one of the last executions.
	std::span<T> ended_by(uint64_t ts)
	{
		auto from = executions_.end(), to = from;
		std::ptrdiff_t step = 1;

		while (from != executions_.begin() && ends_after(ts, from[-1])) {
			to = from - 1;
			from -= std::min(step, from - executions_.begin());
			step *= 2;
		}
		return {executions_.begin(), std::upper_bound(from, to, ts, ends_after)};
	}
	// The same for callers whose times are mostly those of one job after the other: the
	// search begins where the last one ended.
	std::span<T> ended_next(uint64_t ts)
	{
		size_t steps = 8;

		next_ = std::min(next_, executions_.size());
		for (; steps && next_ < executions_.size() && !ends_after(ts, executions_[next_]);
		     steps--)
			next_++;
		for (; steps && next_ && ends_after(ts, executions_[next_ - 1]); steps--)
			next_--;
		if (!steps)
			next_ = ended_by(ts).size();
		return {executions_.data(), next_};
	}
	// Returns nullptr if the window does not have it.
	T *find(uint64_t ctx, uint64_t seqno, uint64_t end)
	{
		const std::span<T> ended = ended_by(end);

		for (size_t i = ended.size(); i && ended[i - 1].end == end; i--)
			if (ended[i - 1].ctx == ctx && ended[i - 1].seqno == seqno)
				return &ended[i - 1];
		return nullptr;
	}
	// Executions that ended before this time may have been forgotten.
	uint64_t forgot_until() const { return forgot_until_; }

private:
	static bool ends_after(uint64_t ts, const T &execution) { return ts < execution.end; }

	template <typename Fn> void drop(typename std::vector<T>::iterator kept, Fn forget)
	{
		if (kept == executions_.begin())
			return;
		std::for_each(executions_.begin(), kept, forget);
		forgot_until_ = std::max(forgot_until_, (kept - 1)->end);
		next_ -= std::min(next_, static_cast<size_t>(kept - executions_.begin()));
		executions_.erase(executions_.begin(), kept);
	}

	std::vector<T> executions_; // by end
	size_t next_ = 0; // what the last ended_next() returned
	uint64_t forgot_until_ = 0;
};

} // namespace grtrace
