// SPDX-License-Identifier: GPL-2.0
//
// WaitCauses: finds what each job waited for, while a capture is read.
#pragma once

#include <cstdint>
#include <vector>

#include "read/capture/capture.h"
#include "words/data/spans.h"
#include "words/delays/process_list.h"
#include "words/findings/cause.h"
#include "words/findings/job_log.h"
#include "words/findings/late_wakes.h"
#include "words/findings/not_over.h"
#include "words/findings/wait_split.h"
#include "words/tracker/job_watcher.h"

namespace grtrace {

// A job that ran until its timeout, or was found hanging.
struct Hang {
	JobName name;
	uint32_t process = 0;
	uint64_t start = 0;
	uint64_t left = 0; // when it left its ring, or was reset and handed over again
	int32_t error = 0;
	bool again = false; // it was handed over again
	bool timed_out = false; // false: it was found hanging
	bool before = false; // it began before the capture
	uint32_t guilty_pid = 0; // 0: the driver blames no task

	// Returns how the hang ended.
	const char *until() const
	{
		return timed_out ? "until its timeout" : "until it was found hanging";
	}
};

// A job ends after everything it waited for. So the logs remember finished jobs, and the
// executions and fences of each ring, up to their limits. Memory also grows with
// processes.
class WaitCauses : public JobWatcher {
public:
	// All arguments must outlive it.
	WaitCauses(Capture &capture, const LossSpans &losses, CauseSink &sink)
		: capture_(capture), sink_(sink), wakes_(sink, losses),
		  split_(rings_, jobs_, losses)
	{
	}

	JobWatcher *watcher_of_moves() override { return nullptr; }
	void moved(const Job &, JobPhase, uint64_t) override {}
	void blocked(const Job &job, uint64_t from, uint64_t to) override;
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override;
	void executed(const Job &job) override;
	void waited_for_fence(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			      uint64_t from, uint64_t to) override;
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override;
	void still_waits(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			 uint64_t since) override;
	void forget_before(uint64_t ts) override;
	// No more records come for the job: the sink receives the causes of its wait. With
	// counts false it does not want those of tasks that wait for the job.
	void over(const Job &job, bool counts = true);
	// No more records come for any job.
	void finish();

	const std::vector<Hang> &hangs() const { return hangs_; }
	bool tells_fences() const { return tells_fences_; }
	// After finish(): what was not over when the capture ended.
	const NotOver &not_over() const { return not_over_; }
	DelayProcess process(uint32_t number) const;

private:
	static constexpr size_t hangs_max = 4096;
	static constexpr size_t needs_max = 64; // per job

	// A fence that a DEP names.
	struct Need {
		uint64_t ctx;
		uint32_t seqno;
	};

	WaitRing &ring_of(uint32_t id);
	void add_execution(const Job &job, uint32_t process, uint64_t start, uint64_t end);
	void note_hang(const Job &job, uint64_t end);
	void note_end(const Job &job, uint64_t end);
	void note_needs(const Job &job);
	void keep(const Job &job, uint32_t process, bool ignored);

	Capture &capture_;
	CauseSink &sink_;
	ProcessList processes_;
	LateWakes wakes_;
	WaitSplit::Rings rings_;
	JobLog jobs_;
	// Set by the first DEP, BLOCKED or wait of a task. Jobs that are over by then need
	// not be looked up, because their fences are signalled.
	bool fences_matter_ = false;
	bool tells_fences_ = false; // a DEP or BLOCKED was recorded
	WaitSplit split_;
	std::vector<Hang> hangs_;
	NotOver not_over_;
	std::vector<std::vector<Need>> needs_; // by slot of the job
	std::vector<uint64_t> kept_; // by slot: its COMPLETE when jobs_ took it
};

} // namespace grtrace
