// SPDX-License-Identifier: GPL-2.0
//
// Findings: why jobs were late, ranked.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "read/capture/capture.h"
#include "words/findings/wait_causes.h"
#include "words/jobs/job_section.h"

namespace grtrace {

// Several jobs waited for one reason.
struct Finding {
	CauseKind kind = CauseKind::unknown;
	uint32_t ring = GRTRACE_RING_NONE; // where the reason lies, if on one only
	uint32_t process = 0; // whose jobs it is
	uint32_t hang = 0; // its number, from 1; 0: it is none
	uint64_t ns = 0; // weighted
	uint64_t own_ns = 0; // what a job that hung waited for itself
	uint64_t jobs = 0; // that waited, weighted
	uint64_t from = UINT64_MAX; // the first of these times
	uint64_t to = 0; // and the last
	std::vector<uint32_t> rings; // of the jobs that waited, at most rings_max; by id
	// The job that caused most of it, that share, and for how long the job
	// ran; 0:0 where none runs.
	JobName root;
	uint64_t root_ns = 0;
	uint64_t root_start = 0;
	uint64_t root_end = 0;
	// The proof: who waited longest, and for whom, up to the root.
	std::vector<JobName> chain;
	uint64_t chain_ns = 0;

	static constexpr size_t rings_max = 64;

private:
	friend class Findings;
	uint64_t last_victim = 0;
	std::vector<bool> is_on; // by ring: one of those jobs

	void note_ring(uint32_t id);
	void list_rings();
	struct Proof {
		uint64_t score = 0;
		uint64_t ns = 0;
		std::vector<JobName> chain;
	};
	static constexpr size_t proofs_max = 4;
	std::vector<Proof> proofs; // the best first
};

// A job's wait, SUBMIT to START, is put to its causes when the job is over; causes
// of one kind, where jobs are to blame of one process, are one finding. So the
// findings and the rest add up to what all jobs waited, to the ns.
//
// Waits too old to be remembered are in the rest.
class Findings : public ReportSection, CauseSink {
public:
	// A finding has at least this share of all waiting, and this much.
	static constexpr uint64_t least_percent = 1;
	static constexpr uint64_t least_ns = 1000000;

	// Both must outlive it.
	Findings(Capture &capture, const LossSpans &losses);

	void blocked(const Job &job, uint64_t from, uint64_t to) override
	{
		causes_.blocked(job, from, to);
	}
	JobWatcher *watcher_of_executions() override { return &causes_; }
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override
	{
		causes_.depends(job, ctx, seqno, on);
	}
	bool wants_all() const override { return true; }
	void job(const Job &job, JobLabel label) override;
	// It is to blame only.
	void other_job(const Job &job) override;
	// Only what jobs waited from here to there counts.
	void clip(uint64_t from, uint64_t to)
	{
		from_ = from;
		to_ = to;
		clipped_ = true;
	}
	void finish(uint64_t ts) override;
	void print(fmt::memory_buffer &) override {}

	// From finish() on: the longest first.
	const std::vector<Finding> &all() const { return findings_; }
	// The sums over all jobs that began.
	uint64_t waited_ns() const { return waited_; }
	uint64_t waited_jobs() const { return waited_jobs_; }
	// The part of it that is in no finding.
	uint64_t rest_ns() const { return rest_; }
	// The rest by kind.
	const std::array<uint64_t, nr_cause_kinds> &rest() const { return rest_of_; }
	const std::vector<Hang> &hangs() const { return causes_.hangs(); }
	bool is_told(uint32_t hang) const; // in a finding
	bool concerns(const Hang &hang) const { return hang.start <= to_ && hang.left >= from_; }
	// How long other jobs are known to have waited for it, and that job itself.
	uint64_t waited_for(uint32_t hang) const;
	uint64_t waited_itself(uint32_t hang) const;
	// Only what lies in an interval counts; and only some jobs do.
	bool is_clipped() const { return clipped_; }
	bool is_chosen() const { return chosen_; }
	// Jobs of which no record says that they left their ring; and those that
	// did, but no record says since when they waited, or until when.
	uint64_t never_began() const { return never_began_; }
	uint64_t unsubmitted() const { return unsubmitted_; }
	uint64_t unstarted() const { return unstarted_; }
	uint64_t unknown() const { return unsubmitted_ + unstarted_; }
	bool knows_all() const { return !unknown() && !never_began_; }
	DelayProcess process(uint32_t number) const { return causes_.process(number); }

private:
	const Finding *group_of_hang(uint32_t hang) const;
	Finding &group_of(CauseKind kind, uint32_t process, uint32_t hang);
	bool count(const Job &job);
	void charge(const Cause &cause, const std::vector<JobName> &via) override;
	void note_chain(Finding &group, const Cause &cause, const std::vector<JobName> &via,
			uint64_t ns);
	void retire(uint32_t ring, const RingExecution &execution) override;
	static void choose_chain(Finding &finding);
	static void note_root(Finding &group, const JobName &root, uint64_t ns, uint64_t start,
			      uint64_t end);

	Capture &capture_;
	WaitCauses causes_;
	std::vector<Finding> groups_;
	// Numbers of groups, from 1, by kind and by process or hang; 0: none.
	std::array<std::vector<uint32_t>, nr_cause_kinds> numbers_;
	std::vector<Finding> findings_;
	const Job *victim_ = nullptr; // nullptr: it does not matter
	uint64_t from_ = 0;
	uint64_t to_ = UINT64_MAX;
	bool clipped_ = false;
	bool chosen_ = false;
	uint64_t nr_victims_ = 0;
	uint64_t waited_ = 0;
	uint64_t waited_jobs_ = 0;
	uint64_t never_began_ = 0;
	uint64_t unsubmitted_ = 0;
	uint64_t unstarted_ = 0;
	uint64_t rest_ = 0;
	std::array<uint64_t, nr_cause_kinds> rest_of_ = {};
};

} // namespace grtrace
