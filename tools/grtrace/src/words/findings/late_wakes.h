// SPDX-License-Identifier: GPL-2.0
//
// LateWakes: finds tasks that ran only long after the job that they waited for was complete.
//
//	SYNC_WAIT_ENTER        COMPLETE                 SYNC_WAIT_EXIT
//	  |-- the GPU is the cause --|-- woken late: the CPU is --|
//
// A task may wait for several fences at once, and returns when the last of them is signalled, or
// the first. So waits of a thread that overlap are one, which begins to be late at the last
// COMPLETE. If one of their jobs is not complete, or not known, nothing is known of all of them.
#pragma once

#include <cstdint>

#include "words/data/id_map.h"
#include "words/data/spans.h"
#include "words/findings/cause.h"

namespace grtrace {

class LateWakes {
public:
	// To wake a task usually takes less.
	static constexpr uint64_t least_ns = 1000000;

	// Both must outlive it.
	LateWakes(CauseSink &sink, const LossSpans &losses) : sink_(sink), losses_(losses) {}

	// A thread waited for a fence: job is that of the fence, nullptr if it is not known.
	void waited(const WaitingJob *job, uint32_t pid, uint32_t process, uint64_t from,
		    uint64_t to);
	// The job of the thread's last wait is one that the report is about.
	void count(const JobName &job, uint32_t pid);
	// No more waits come.
	void finish();

private:
	// The waits of a thread that overlap.
	struct Waits {
		WaitingJob last; // the job that was complete last
		uint64_t from = UINT64_MAX;
		uint64_t to = 0;
		uint32_t process = 0;
		bool open = false;
		bool known = true;
	};

	void close(Waits &waits);

	CauseSink &sink_;
	const LossSpans &losses_;
	IdMap<Waits> threads_; // by pid
};

} // namespace grtrace
