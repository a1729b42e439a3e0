// SPDX-License-Identifier: GPL-2.0
//
// OpenWaits: which task waits for which fence, and since when.
#pragma once

#include <array>
#include <cstdint>

#include "id_map.h"

namespace grtrace {

// A task waits for one fence, or for a few at once. Where SYNC_WAIT_EXITs were
// lost a wait stays open for ever: it goes when the task waits for its fence
// again, or when there are too many.
class OpenWaits {
public:
	void enter(uint32_t pid, uint64_t ctx, uint32_t seqno, uint64_t ts)
	{
		Task &task = tasks_.get(pid);

		free_wait(task, ctx, seqno) = {ctx, seqno, true, ts};
	}

	// Returns whether it was open.
	bool exit(uint32_t pid, uint64_t ctx, uint32_t seqno, uint64_t &since)
	{
		Task *task = tasks_.find(pid);

		if (!task)
			return false;
		for (Wait &wait : task->waits) {
			if (!wait.is(ctx, seqno))
				continue;
			wait.used = false;
			since = wait.since;
			return true;
		}
		return false;
	}

private:
	struct Wait {
		uint64_t ctx = 0;
		uint32_t seqno = 0;
		bool used = false;
		uint64_t since = 0;

		bool is(uint64_t of_ctx, uint32_t of_seqno) const
		{
			return used && ctx == of_ctx && seqno == of_seqno;
		}
	};
	struct Task {
		std::array<Wait, 4> waits;
	};

	static Wait &free_wait(Task &task, uint64_t ctx, uint32_t seqno)
	{
		Wait *oldest = &task.waits[0];

		for (Wait &wait : task.waits)
			if (wait.is(ctx, seqno))
				return wait;
		for (Wait &wait : task.waits) {
			if (!wait.used)
				return wait;
			if (wait.since < oldest->since)
				oldest = &wait;
		}
		return *oldest;
	}

	IdMap<Task, true> tasks_; // by pid
};

} // namespace grtrace
