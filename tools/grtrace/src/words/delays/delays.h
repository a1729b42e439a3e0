// SPDX-License-Identifier: GPL-2.0
//
// Delays: who delayed whom.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "words/data/spans.h"
#include "words/delays/blocked_window.h"
#include "words/delays/delay_cell.h"
#include "words/delays/delay_matrix.h"
#include "words/delays/delay_split.h"
#include "words/delays/exec_window.h"
#include "words/delays/process_list.h"
#include "words/jobs/job_section.h"

namespace grtrace {

// A job waits from SUBMIT to START; see delay_split.h for the process charged with
// that. Only jobs that left the ring and have both times count.
//
// A job executes from START until it left its ring, time for which it was
// preempted included. When a job without START executed is unknown, so it is
// charged with nothing.
//
// Everything about a wait is known when its job has executed, so each ring has
// a window of executions and one of blocking fences. Memory is that of these
// windows and of the matrices.
//
// The next job is most likely one of another ring, and a ring's window and matrix
// are far apart. So jobs wait until their ring has some, a cache line for each,
// and are settled together.
class Delays : public ReportSection {
public:
	// Both must outlive the section. shown: what print() prints; proofs:
	// jobs to keep for each cell.
	Delays(Capture &capture, const LossSpans &losses, DelayRings shown, size_t proofs);

	void blocked(const Job &job, uint64_t from, uint64_t to) override;
	JobWatcher *watcher_of_executions() override { return this; }
	void executed(const Job &job) override;
	void finish(uint64_t ts) override;
	void print(fmt::memory_buffer &out) override;
	void print_csv(fmt::memory_buffer &out) const;

	// From finish() on: by ring, then victims with the longest wait first,
	// then culprits with the most time first. The cells of a victim on a
	// ring add up to the wait of its jobs there; it always has one for
	// "nobody", in which all its jobs are counted.
	const std::vector<DelayCell> &cells() const { return cells_; }
	std::vector<DelayRing> rings() const;

private:
	// A job that left its ring.
	struct alignas(64) Executed {
		DelayedJob job;
		uint64_t end = 0;
		// Spans of its ring's, after those of the jobs before it.
		uint32_t nr_blocked = 0;
		bool waits = false; // it is known how long
		bool runs = false;
	};
	struct RingState {
		RingState(uint32_t id, size_t proofs) : matrix(id, proofs) { told.id = id; }

		std::array<Executed, 16> waiting;
		size_t nr_waiting = 0;
		std::vector<BlockedSpan> blocked; // of those waiting
		BlockedWindow fences;
		ExecWindow<> window;
		DelayMatrix matrix;
		DelayRing told;
		IdMap<bool> processes;
	};
	RingState &ring_of(uint32_t id);
	void name_process(DelayProcess &process) const;
	void settle(RingState &ring);
	void charge(RingState &ring, const DelayedJob &job, std::span<const BlockedSpan> blocked);
	void keep(RingState &ring, const Executed &one);

	Capture &capture_;
	const LossSpans &losses_;
	DelayRings shown_;
	size_t proofs_;
	ProcessList processes_;
	DelaySplit split_;
	std::vector<std::unique_ptr<RingState>> rings_; // by id
	std::vector<DelayCell> cells_;
};

} // namespace grtrace
