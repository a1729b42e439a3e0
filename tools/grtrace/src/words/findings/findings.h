// SPDX-License-Identifier: GPL-2.0
//
// Findings: the reasons why jobs were late, ranked.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "read/capture/capture.h"
#include "words/findings/wait_causes.h"
#include "words/jobs/job_section.h"

namespace grtrace {

// One reason for which several jobs waited. The first cache line has what changes with each
// wait.
struct alignas(64) Finding {
	CauseKind kind = CauseKind::unknown;
	bool has_proofs = false; // as many as are kept
	uint32_t ring = GRTRACE_RING_NONE; // ring of the reason, if it is a single one
	uint64_t ns = 0; // weighted
	uint64_t jobs = 0; // jobs that were late, or waits that ended late, weighted
	uint64_t from = UINT64_MAX; // when the first wait began
	uint64_t to = 0; // when the last one ended
	uint64_t last_victim = 0; // number of the job that was late last
	uint64_t least_proof = 0; // the least score of its proofs
	uint64_t low_rings = 0; // bit n: ring n is in is_on

	uint32_t process = 0; // process whose jobs are the reason
	uint32_t standstill = 0; // number of what was not over, from 1; 0: it is none
	uint32_t hang = 0; // number of the hang, from 1; 0: it is not a hang
	// number of the driver and timeline whose fences are the reason, from 1; 0: not known
	uint32_t fences = 0;
	uint64_t own_ns = 0; // time that a hung job waited itself
	std::vector<uint32_t> rings; // rings of the waiting jobs, at most rings_max; by id
	// The job that caused most of the time, its share of that time, and how long it
	// ran; 0:0 if no job is to blame.
	JobName root;
	uint64_t root_ns = 0;
	uint64_t root_start = 0;
	uint64_t root_end = 0;
	// The proof: the job that waited longest, and the jobs it waited for, up to the
	// root.
	std::vector<JobName> chain;
	uint64_t chain_ns = 0;

	static constexpr size_t rings_max = 64;

private:
	friend class Findings;
	uint64_t last_waiter = 0; // number of the job that waited last, if only for a moment
	uint64_t waiter_ns = 0; // how long that job waited, not weighted
	std::set<uint32_t> is_on; // the rings of all waiting jobs

	void note_ring(uint32_t id)
	{
		if (id >= 64 || !(low_rings >> id & 1))
			note_new_ring(id);
	}
	void note_new_ring(uint32_t id);
	void list_rings();
	struct Proof {
		uint64_t score = 0;
		uint64_t ns = 0;
		std::vector<JobName> chain;
	};
	static constexpr size_t proofs_max = 4;
	std::vector<Proof> proofs; // the best ones, the best first
};

// When a job is over, its wait from SUBMIT to START is assigned to its causes; causes of
// the same kind and process are one finding. A job is late for a cause if it waited for it at
// least least_each_ns, or if the cause is a hang; what it waits less is in the rest, or any GPU
// with many jobs would be late by the sum of what each step of a job takes. A task that was
// woken late lost time after the COMPLETE that it waited for. So the findings and the rest add up
// to what all jobs waited and all tasks lost, to the ns.
//
// Waits that are too old to be remembered are in the rest.
class Findings : public ReportSection, CauseSink {
public:
	// A finding has at least this share of all waiting, and at least this time.
	static constexpr uint64_t least_percent = 1;
	static constexpr uint64_t least_ns = 1000000;
	// A job that waited less is not late: a worker of the scheduler takes some 10 us to be
	// woken, a frame some 10 ms.
	static constexpr uint64_t least_each_ns = 100000;

	// Both must outlive it.
	Findings(Capture &capture, const LossSpans &losses);

	void blocked(const Job &job, uint64_t from, uint64_t to) override
	{
		causes_.blocked(job, from, to);
	}
	JobWatcher *watcher_of_executions() override { return &causes_; }
	void waited_for_fence(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			      uint64_t from, uint64_t to) override
	{
		causes_.waited_for_fence(job, ctx, seqno, pid, from, to);
	}
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override
	{
		causes_.waited(job, pid, from, to);
	}
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override
	{
		causes_.depends(job, ctx, seqno, on);
	}
	void still_waits(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			 uint64_t since) override
	{
		causes_.still_waits(job, ctx, seqno, pid, since);
	}
	void forget_before(uint64_t ts) override { causes_.forget_before(ts); }
	bool wants_all() const override { return true; }
	void job(const Job &job, JobLabel label) override;
	// Adds a job that may be a cause, but whose own wait does not count.
	void other_job(const Job &job) override;
	// Only waiting between these two times counts.
	void clip(uint64_t from, uint64_t to)
	{
		from_ = from;
		to_ = to;
		clipped_ = true;
	}
	void finish(uint64_t ts) override;
	void print(fmt::memory_buffer &) override {}

	// After finish(): what was not over when the capture ended; then the findings, the
	// longest first.
	const std::vector<Finding> &all() const { return findings_; }
	// How many of them were not over; these are in no sum.
	size_t standing() const { return standing_; }
	const WaitCauses &causes() const { return causes_; }
	// The sums over all jobs that began.
	uint64_t waited_ns() const { return waited_; }
	uint64_t waited_jobs() const { return waited_jobs_; }
	// The time that tasks lost because they were woken late, and with it all waiting.
	uint64_t woken_ns() const { return woken_; }
	uint64_t all_ns() const { return waited_ + woken_; }
	// The waiting that is in no finding.
	uint64_t rest_ns() const { return rest_; }
	// The rest by kind.
	const std::array<uint64_t, nr_cause_kinds> &rest() const { return rest_of_; }
	const std::vector<Hang> &hangs() const { return causes_.hangs(); }
	bool is_told(uint32_t hang) const; // whether the hang is in a finding
	bool concerns(const Hang &hang) const { return hang.start <= to_ && hang.left >= from_; }
	// Returns how long other jobs waited for the hang, and how long the hung job
	// itself waited.
	uint64_t waited_for(uint32_t hang) const;
	uint64_t waited_itself(uint32_t hang) const;
	// Only time in the chosen interval and only chosen jobs count.
	bool is_clipped() const { return clipped_; }
	uint64_t interval_ns() const { return to_ - from_; }
	bool is_chosen() const { return chosen_; }
	// Return the number of jobs without a record of leaving their ring, and the
	// number of jobs that left but have no record of the beginning or the end of
	// their wait.
	uint64_t never_began() const { return never_began_; }
	// Those among them that no finding is about.
	uint64_t untold() const;
	uint64_t unsubmitted() const { return unsubmitted_; }
	uint64_t unstarted() const { return unstarted_; }
	uint64_t unknown() const { return unsubmitted_ + unstarted_; }
	bool knows_all() const { return !unknown() && !never_began_; }
	// Whether there is a record of a fence that a job waited for.
	bool tells_fences() const { return causes_.tells_fences(); }
	DelayProcess process(uint32_t number) const { return causes_.process(number); }

private:
	const Finding *group_of_hang(uint32_t hang) const;
	Finding &group_of(CauseKind kind, uint32_t process, uint32_t hang, uint32_t fences = 0);
	uint32_t fences_of(const Cause &cause);
	void add_standstills();
	bool count(const Job &job);
	// A part of a job's wait, short enough for its cause to depend on the other parts.
	struct ShortWait {
		size_t group = 0; // its place in groups_
		Cause cause;
		size_t via_from = 0; // its chain is in short_chains_
		size_t via_to = 0;
	};
	uint64_t clipped_ns(const Cause &cause) const
	{
		const uint64_t from = std::max(cause.from, from_);
		const uint64_t to = std::min(cause.to, to_);

		return from < to ? to - from : 0;
	}
	void add_wait(Finding &group, const Cause &cause, const std::vector<JobName> &via);
	void add_short_waits();
	void charge(const Cause &cause, const std::vector<JobName> &via) override;
	void charge_wake(const Cause &cause, uint32_t weight) override;
	void note_chain(Finding &group, const Cause &cause, const std::vector<JobName> &via,
			uint64_t ns);
	void retire(uint32_t ring, const RingExecution &execution) override;
	static void choose_chain(Finding &finding);
	static void note_root(Finding &group, const JobName &root, uint64_t ns, uint64_t start,
			      uint64_t end);

	Capture &capture_;
	WaitCauses causes_;
	std::vector<Finding> groups_;
	// Numbers of groups, from 1, by kind and by process or hang; 0: no group.
	std::array<std::vector<uint32_t>, nr_cause_kinds> numbers_;
	std::map<std::pair<std::string, std::string>, uint32_t> fences_; // by driver and timeline
	std::vector<Finding> findings_;
	const Job *victim_ = nullptr; // nullptr: it does not matter
	std::vector<ShortWait> short_waits_; // of the victim
	std::vector<JobName> short_chains_;
	size_t standing_ = 0;
	uint64_t from_ = 0;
	uint64_t to_ = UINT64_MAX;
	bool clipped_ = false;
	bool chosen_ = false;
	uint64_t nr_victims_ = 0;
	uint64_t waited_ = 0;
	uint64_t waited_jobs_ = 0;
	uint64_t woken_ = 0;
	uint64_t never_began_ = 0;
	uint64_t unsubmitted_ = 0;
	uint64_t unstarted_ = 0;
	uint64_t rest_ = 0;
	RingExecution nobody_; // stands for no execution
	std::array<uint64_t, nr_cause_kinds> rest_of_ = {};
};

} // namespace grtrace
