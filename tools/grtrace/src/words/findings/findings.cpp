// SPDX-License-Identifier: GPL-2.0
#include "words/findings/findings.h"

#include <algorithm>

namespace grtrace {

Findings::Findings(Capture &capture, const LossSpans &losses)
	: capture_(capture), causes_(capture, losses, *this)
{
}

// Returns true if it is known how long the job waited, and if it waited in the interval.
bool Findings::count(const Job &job)
{
	const uint64_t first = std::min({job.submit_ts, job.pick_ts, job.commit_ts, job.start_ts});

	if (job.queue() != Job::none) {
		const uint64_t from = std::max(job.submit_ts, from_);
		const uint64_t to = std::min(job.start_ts, to_);

		if (from > to)
			return false;
		waited_ += (to - from) * job.weight;
		waited_jobs_ += job.weight;
		return true;
	}
	if (job.gone_ts() < from_ || (first > to_ && first != Job::none))
		return false;
	if (job.left_ts() == Job::none)
		never_began_ += job.weight;
	else if (job.submit_ts == Job::none)
		unsubmitted_ += job.weight;
	else
		unstarted_ += job.weight;
	return false;
}

void Findings::job(const Job &job, JobLabel)
{
	victim_ = count(job) ? &job : nullptr;
	nr_victims_++;
	causes_.over(job);
	add_short_waits();
}

void Findings::other_job(const Job &job)
{
	victim_ = nullptr;
	chosen_ = true;
	causes_.over(job, false);
}

// These waits are grouped by the process whose jobs they waited for, all others by their
// kind.
static bool is_of_process(CauseKind kind)
{
	return kind == CauseKind::own_queue || kind == CauseKind::other_process ||
	       kind == CauseKind::dependency || kind == CauseKind::late_submit ||
	       kind == CauseKind::late_wake || kind == CauseKind::hang;
}

// Fences of no job are grouped by the names of their context.
uint32_t Findings::fences_of(const Cause &cause)
{
	const FenceNames *names = cause.kind == CauseKind::fence ?
					  capture_.session().fences.find(cause.root.ctx) :
					  nullptr;

	if (!names)
		return 0;
	return fences_
		.try_emplace({names->driver, names->timeline},
			     static_cast<uint32_t>(fences_.size() + 1))
		.first->second;
}

Finding &Findings::group_of(CauseKind kind, uint32_t process, uint32_t hang, uint32_t fences)
{
	process = is_of_process(kind) ? process : 0;

	std::vector<uint32_t> &numbers = numbers_[static_cast<size_t>(kind)];
	const size_t place = hang ? hang : fences ? fences : process;

	if (place >= numbers.size())
		numbers.resize(place + 1);

	uint32_t &number = numbers[place];

	if (!number) {
		Finding &group = groups_.emplace_back();

		number = static_cast<uint32_t>(groups_.size());
		group.kind = kind;
		group.process = process;
		group.hang = hang;
		group.fences = fences;
	}
	return groups_[number - 1];
}

void Finding::note_new_ring(uint32_t id)
{
	if (id < 64)
		low_rings |= uint64_t(1) << id;
	is_on.insert(id);
}

void Finding::list_rings()
{
	for (const uint32_t id : is_on)
		if (rings.size() < rings_max)
			rings.push_back(id);
}

void Findings::charge(const Cause &cause, const std::vector<JobName> &via)
{
	const uint64_t ns = clipped_ns(cause);

	if (!victim_ || !ns)
		return;

	const bool hung = cause.kind == CauseKind::hang;
	Finding &group = group_of(cause.kind, cause.process, hung ? cause.execution->hang : 0,
				  fences_of(cause));

	// Whether the job has met the group before cannot be predicted, so nothing here
	// branches on it.
	group.waiter_ns *= uint64_t(group.last_waiter == nr_victims_);
	group.waiter_ns += ns;
	group.last_waiter = nr_victims_;
	if (hung || ns >= least_each_ns)
		return add_wait(group, cause, via);

	const size_t chain = short_chains_.size();

	short_chains_.insert(short_chains_.end(), via.begin(), via.end());
	short_waits_.push_back(
		{static_cast<size_t>(&group - groups_.data()), cause, chain, short_chains_.size()});
}

void Findings::add_wait(Finding &group, const Cause &cause, const std::vector<JobName> &via)
{
	const uint64_t ns = clipped_ns(cause) * victim_->weight;
	const bool met = group.last_victim == nr_victims_;
	RingExecution &execution = cause.execution ? *cause.execution : nobody_;

	group.ring = !group.ns || group.ring == cause.ring ? cause.ring : GRTRACE_RING_NONE;
	group.ns += ns;
	if (cause.kind == CauseKind::hang && victim_->ctx == execution.ctx &&
	    victim_->seqno == execution.seqno && victim_->ring == cause.ring)
		group.own_ns += ns;
	group.from = std::min(group.from, std::max(cause.from, from_));
	group.to = std::max(group.to, std::min(cause.to, to_));
	group.last_victim = nr_victims_;
	group.jobs += uint64_t(!met) * victim_->weight;
	group.note_ring(victim_->ring);
	note_chain(group, cause, via, ns);
	execution.caused[RingExecution::role_of(group.kind)] += ns;
}

// All parts of the job's wait are known: several short ones for the same cause may be long
// together.
void Findings::add_short_waits()
{
	for (const ShortWait &wait : short_waits_) {
		Finding &group = groups_[wait.group];

		if (group.waiter_ns >= least_each_ns) {
			add_wait(group, wait.cause,
				 {short_chains_.data() + wait.via_from,
				  short_chains_.data() + wait.via_to});
			continue;
		}

		const uint64_t ns = clipped_ns(wait.cause) * victim_->weight;

		rest_ += ns;
		rest_of_[static_cast<size_t>(group.kind)] += ns;
	}
	short_waits_.clear();
	short_chains_.clear();
}

void Findings::charge_wake(const Cause &cause, uint32_t weight)
{
	const uint64_t from = std::max(cause.from, from_);
	const uint64_t to = std::min(cause.to, to_);

	if (from >= to)
		return;

	const uint64_t ns = (to - from) * weight;
	Finding &group = group_of(cause.kind, cause.process, 0);

	if (!group.ns)
		group.ring = cause.ring;
	else if (group.ring != cause.ring)
		group.ring = GRTRACE_RING_NONE;
	group.ns += ns;
	group.jobs += weight;
	group.from = std::min(group.from, from);
	group.to = std::max(group.to, to);
	group.note_ring(cause.ring);
	note_root(group, cause.root, ns, from, to);
	woken_ += ns;
}

// Only at the end is it known which job caused most of it, so chains to several jobs are
// kept. If two jobs waited about as long, the one with the longer chain proves more.
void Findings::note_chain(Finding &group, const Cause &cause, const std::vector<JobName> &via,
			  uint64_t ns)
{
	const uint64_t score = (cause.to - cause.from) * via.size();

	if (static_cast<int>(!cause.execution) & static_cast<int>(ns > group.root_ns))
		note_root(group, cause.root, ns, cause.from, cause.to);
	if (group.has_proofs && score <= group.least_proof)
		return;

	const JobName &root = cause.root == JobName() ? via.back() : cause.root;
	std::vector<Finding::Proof> &proofs = group.proofs;
	auto at = std::ranges::find_if(
		proofs, [&](const Finding::Proof &proof) { return proof.chain.back() == root; });

	if (at == proofs.end() && proofs.size() < Finding::proofs_max)
		at = proofs.insert(at, Finding::Proof());
	else if (at == proofs.end())
		--at;
	else if (score <= at->score)
		return;
	at->score = score;
	at->ns = ns;
	at->chain = via;
	if (root != via.back())
		at->chain.push_back(root);
	std::ranges::stable_sort(proofs, std::ranges::greater(), &Finding::Proof::score);
	group.has_proofs = proofs.size() == Finding::proofs_max;
	group.least_proof = proofs.back().score;
}

// The chain must end at the job that is named.
void Findings::choose_chain(Finding &finding)
{
	for (const Finding::Proof &proof : finding.proofs)
		if (finding.root == JobName() || proof.chain.back() == finding.root) {
			finding.chain = proof.chain;
			finding.chain_ns = proof.ns;
			return;
		}
	finding.chain = {finding.root};
}

void Findings::note_root(Finding &group, const JobName &root, uint64_t ns, uint64_t start,
			 uint64_t end)
{
	if (ns <= group.root_ns)
		return;
	group.root = root;
	group.root_ns = ns;
	group.root_start = start;
	group.root_end = end;
}

// Nothing more will be charged to this execution.
void Findings::retire(uint32_t ring, const RingExecution &execution)
{
	const JobName name = {execution.ctx, execution.seqno, ring};
	auto note = [&](CauseKind kind, uint64_t ns) {
		if (ns)
			note_root(group_of(kind, execution.process, execution.hang), name, ns,
				  execution.start, execution.end);
	};

	const uint64_t other = execution.caused[RingExecution::other];

	if (execution.hang)
		return note(CauseKind::hang, other);
	note(CauseKind::own_queue, execution.caused[RingExecution::own]);
	note(CauseKind::dependency, execution.caused[RingExecution::dependency]);
	if (!other)
		return;
	if (capture_.session().rings.find(ring).driver.starts_with("virtio"))
		note(CauseKind::host, other);
	else
		note(execution.process ? CauseKind::other_process : CauseKind::unknown_process,
		     other);
}

void Findings::finish(uint64_t)
{
	causes_.finish();
	for (const Finding &group : groups_) {
		const bool great =
			group.ns >= least_ns && group.ns >= all_ns() / 100 * least_percent;

		if (great) {
			Finding &finding = findings_.emplace_back(group);

			choose_chain(finding);
			finding.list_rings();
		} else {
			rest_ += group.ns;
			rest_of_[static_cast<size_t>(group.kind)] += group.ns;
		}
	}
	std::ranges::stable_sort(findings_, std::ranges::greater(), &Finding::ns);
	add_standstills();
}

// Standstills come first: they may be a hang.
void Findings::add_standstills()
{
	const NotOver &not_over = causes_.not_over();

	for (size_t i = 0; i < not_over.all().size(); i++) {
		const Standstill &one = not_over.all()[i];

		// A wait is of no job.
		if (one.since > to_ || (chosen_ && !one.counts))
			continue;

		const auto at = findings_.begin() + static_cast<ptrdiff_t>(standing_++);
		Finding &finding = *findings_.emplace(at);

		finding.kind = CauseKind::not_over;
		finding.standstill = static_cast<uint32_t>(i + 1);
		finding.process = one.process;
		finding.ring = one.job.ring;
		finding.rings = one.rings;
		finding.jobs = one.behind;
		finding.from = one.since;
		finding.to = not_over.end();
		finding.root = one.job;
		finding.root_start = finding.from;
		finding.root_end = finding.to;
		if (one.job != JobName())
			finding.chain = {one.job};
	}
}

uint64_t Findings::untold() const
{
	return never_began_ - std::min(never_began_, causes_.not_over().never_began());
}

bool Findings::is_told(uint32_t hang) const
{
	return std::ranges::any_of(findings_, [&](const Finding &one) { return one.hang == hang; });
}

const Finding *Findings::group_of_hang(uint32_t hang) const
{
	const std::vector<uint32_t> &numbers = numbers_[static_cast<size_t>(CauseKind::hang)];

	return hang < numbers.size() && numbers[hang] ? &groups_[numbers[hang] - 1] : nullptr;
}

uint64_t Findings::waited_for(uint32_t hang) const
{
	const Finding *group = group_of_hang(hang);

	return group ? group->ns - group->own_ns : 0;
}

uint64_t Findings::waited_itself(uint32_t hang) const
{
	const Finding *group = group_of_hang(hang);

	return group ? group->own_ns : 0;
}

} // namespace grtrace
