// SPDX-License-Identifier: GPL-2.0
//
// OpenWaits: the fences that each task waits for, and since when.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "words/data/id_map.h"

namespace grtrace {

struct OpenWait {
	uint64_t ctx = 0;
	uint64_t since = 0;
	uint32_t seqno = 0;
	bool chosen = false; // a mark for the user of this table
};

// All open waits of one thread. A task waits for one fence, or for several at once. If a
// SYNC_WAIT_EXIT was lost, the wait would stay open for ever: it is removed when the thread
// waits for its fence again, or when there are too many.
class ThreadWaits {
public:
	static constexpr size_t most = 256;

	// Returns the oldest wait if it had to be removed to make room.
	std::optional<OpenWait> enter(const OpenWait &wait)
	{
		std::optional<OpenWait> forgotten;

		if (OpenWait *known = find(wait.ctx, wait.seqno)) {
			*known = wait;
			return {};
		}
		if (waits_.size() == most) {
			const auto oldest = std::ranges::min_element(waits_, {}, &OpenWait::since);

			forgotten = *oldest;
			waits_.erase(oldest);
		}
		waits_.push_back(wait);
		return forgotten;
	}

	// Returns nothing if the wait was not open.
	std::optional<OpenWait> exit(uint64_t ctx, uint32_t seqno)
	{
		OpenWait *known = find(ctx, seqno);

		if (!known)
			return {};
		const OpenWait wait = *known;
		waits_.erase(waits_.begin() + (known - waits_.data()));
		return wait;
	}

	// Returns the waits in the order in which they were entered.
	std::vector<OpenWait> &all() { return waits_; }

private:
	OpenWait *find(uint64_t ctx, uint32_t seqno)
	{
		for (OpenWait &wait : waits_)
			if (wait.ctx == ctx && wait.seqno == seqno)
				return &wait;
		return nullptr;
	}

	std::vector<OpenWait> waits_;
};

class OpenWaits {
public:
	void enter(uint32_t pid, uint64_t ctx, uint32_t seqno, uint64_t ts)
	{
		if (tasks_.get(pid).enter({ctx, ts, seqno}))
			forgotten_++;
	}

	// Returns whether the wait was open.
	bool exit(uint32_t pid, uint64_t ctx, uint32_t seqno, uint64_t &since)
	{
		ThreadWaits *task = tasks_.find(pid);
		const std::optional<OpenWait> wait = task ? task->exit(ctx, seqno) : std::nullopt;

		if (wait)
			since = wait->since;
		has_exits_ |= wait.has_value();
		return wait.has_value();
	}

	// Calls what(pid, wait) for each wait that is open. There is none if the ends of waits
	// are not recorded: then a task begins one after the other and ends none.
	template <class F> void each(F what)
	{
		constexpr uint64_t at_once_ns = 1000 * 1000;
		bool ends = true;

		tasks_.for_each([&](uint64_t, ThreadWaits &task) {
			const auto &all = task.all();

			ends &= has_exits_ || all.empty() ||
				all.back().since - all.front().since < at_once_ns;
		});
		if (!ends)
			return;
		tasks_.for_each([&](uint64_t pid, ThreadWaits &task) {
			for (const OpenWait &wait : task.all())
				what(static_cast<uint32_t>(pid), wait);
		});
	}

	// Returns how many waits were removed to make room.
	uint64_t forgotten() const { return forgotten_; }

private:
	IdMap<ThreadWaits, true> tasks_; // by pid
	uint64_t forgotten_ = 0;
	bool has_exits_ = false; // an open wait has ended
};

} // namespace grtrace
