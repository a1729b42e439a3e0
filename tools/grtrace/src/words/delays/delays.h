// SPDX-License-Identifier: GPL-2.0
//
// Delays: which process delayed which.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "read/stream/ring_map.h"
#include "words/data/spans.h"
#include "words/delays/blocked_window.h"
#include "words/delays/delay_cell.h"
#include "words/delays/delay_matrix.h"
#include "words/delays/delay_split.h"
#include "words/delays/exec_window.h"
#include "words/delays/process_list.h"
#include "words/jobs/job_section.h"

namespace grtrace {

// A job waits from SUBMIT to START; delay_split.h explains which process is charged with
// that. Only jobs that left the ring and have both times count.
//
// A job executes from START until it left its ring, including time for which it was
// preempted. The execution time of a job without START is unknown, so it is charged with
// nothing.
//
// When a job has executed, everything about its wait is known, so each ring has a window of
// executions and one of blocking fences. Only these windows and the matrices need memory.
//
// The next job is usually one of another ring, and the rings' windows and matrices are far
// apart in memory. So jobs wait, a cache line each, until their ring has several, and are
// then settled together.
class Delays : public ReportSection {
public:
	// Both must outlive the section. shown: the rings that print() prints; proofs:
	// number of jobs to keep for each cell.
	Delays(Capture &capture, const LossSpans &losses, DelayRings shown, size_t proofs);

	void blocked(const Job &job, uint64_t from, uint64_t to) override;
	JobWatcher *watcher_of_executions() override { return this; }
	void executed(const Job &job) override;
	void finish(uint64_t ts) override;
	void print(fmt::memory_buffer &out) override;
	void print_csv(fmt::memory_buffer &out) const;

	// Valid after finish(). Sorted by ring, then by victim, the one with the longest
	// wait first, then by culprit, the one with the most time first. The cells of a
	// victim on a ring add up to the wait of the victim's jobs there. A victim always
	// has a cell for "nobody", in which all its jobs are counted.
	const std::vector<DelayCell> &cells() const { return cells_; }
	std::vector<DelayRing> rings() const;

private:
	// A job that left its ring.
	struct alignas(64) Executed {
		DelayedJob job;
		uint64_t end = 0;
		// The next nr_blocked spans of its ring belong to it.
		uint32_t nr_blocked = 0;
		bool waits = false; // the length of its wait is known
		bool runs = false;
	};
	struct RingState {
		RingState(uint32_t id, size_t proofs) : matrix(id, proofs) { told.id = id; }

		std::array<Executed, 16> waiting;
		size_t nr_waiting = 0;
		std::vector<BlockedSpan> blocked; // for the waiting jobs
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
	RingMap<std::unique_ptr<RingState>> rings_;
	std::vector<DelayCell> cells_;
};

} // namespace grtrace
