// SPDX-License-Identifier: GPL-2.0
#include "words/findings/findings.h"

#include <algorithm>
#include <cerrno>

namespace grtrace {

Findings::Findings(Capture &capture, const LossSpans &losses)
	: capture_(capture), split_(rings_, jobs_, losses)
{
}

WaitRing &Findings::ring_of(uint32_t id)
{
	if (id > RingTable::max_id)
		id = GRTRACE_RING_NONE;
	if (id >= rings_.size())
		rings_.resize(id + 1);
	if (!rings_[id]) {
		rings_[id] = std::make_unique<WaitRing>();
		rings_[id]->is_virtual =
			capture_.session().rings.find(id).driver.starts_with("virtio");
	}
	return *rings_[id];
}

void Findings::blocked(const Job &job, uint64_t from, uint64_t to)
{
	ring_of(job.ring).fences.add(job,
				     {from, to, job.blocker_ctx, job.blocker_seqno,
				      processes_.find(job.blocker_pid, capture_.session().tasks)});
}

static bool hung(const Job &job)
{
	constexpr uint8_t kinds = 1 << GRTRACE_ERROR_TIMEOUT | 1 << GRTRACE_ERROR_HANG;

	return job.error_kinds & kinds || job.error == -ETIME || job.error == -ETIMEDOUT;
}

// Known as early as the job left its ring, or late, when the reset was recorded.
void Findings::note_hang(const Job &job, RingExecution *execution)
{
	if (!execution || execution->hang || !hung(job) || hangs_.size() == hangs_max)
		return;
	hangs_.push_back({{job.ctx, job.seqno, job.ring},
			  execution->process,
			  execution->start,
			  execution->end,
			  job.error});
	execution->hang = static_cast<uint32_t>(hangs_.size());
}

void Findings::executed(const Job &job)
{
	ExecLog &log = ring_of(job.ring).executions;
	const uint64_t end = job.left_ts();

	if (end == Job::none || job.start_ts == Job::none || job.start_ts >= end)
		return;
	if (log.full()) {
		for (const RingExecution &execution : log.old_half())
			retire(job.ring, execution);
		log.drop_old_half();
	}
	log.add({job.start_ts, end, job.ctx, job.seqno,
		 processes_.find(job, capture_.session().tasks)});
	if (hung(job))
		note_hang(job, log.find({job.ctx, job.seqno, job.ring}, end));
}

void Findings::job(const Job &job, JobLabel)
{
	const uint32_t process = processes_.find(job, capture_.session().tasks);
	const WaitingJob known(job, process);

	if (hung(job) && job.left_ts() != Job::none)
		note_hang(job, ring_of(job.ring).executions.find(known.name, job.left_ts()));
	if (job.queue() == Job::none) {
		if (job.left_ts() == Job::none)
			never_began_ += job.weight;
		else if (job.submit_ts == Job::none)
			unsubmitted_ += job.weight;
		else
			unstarted_ += job.weight;
	} else {
		waited_ += job.queue() * job.weight;
		waited_jobs_ += job.weight;
		nr_victims_++;
		victim_ = &known;
		if (job.queue())
			split_.split(known, *this);
	}
	jobs_.add(known);
}

// Whose jobs they waited for is what they have in common; else the kind is.
static bool is_of_process(CauseKind kind)
{
	return kind == CauseKind::own_queue || kind == CauseKind::other_process ||
	       kind == CauseKind::dependency || kind == CauseKind::late_submit ||
	       kind == CauseKind::hang;
}

Finding &Findings::group_of(CauseKind kind, uint32_t process, uint32_t hang)
{
	process = is_of_process(kind) ? process : 0;

	std::vector<uint32_t> &numbers = numbers_[static_cast<size_t>(kind)];
	const size_t place = hang ? hang : process;

	if (place >= numbers.size())
		numbers.resize(place + 1);

	uint32_t &number = numbers[place];

	if (!number) {
		Finding &group = groups_.emplace_back();

		number = static_cast<uint32_t>(groups_.size());
		group.kind = kind;
		group.process = process;
		group.hang = hang;
	}
	return groups_[number - 1];
}

void Findings::charge(const Cause &cause, const std::vector<JobName> &via)
{
	const uint64_t ns = (cause.to - cause.from) * victim_->weight;
	const bool hung = cause.kind == CauseKind::hang;
	Finding &group = group_of(cause.kind, cause.process, hung ? cause.execution->hang : 0);

	if (!group.ns)
		group.ring = cause.ring;
	else if (group.ring != cause.ring)
		group.ring = GRTRACE_RING_NONE;
	group.ns += ns;
	group.from = std::min(group.from, cause.from);
	group.to = std::max(group.to, cause.to);
	if (group.last_victim != nr_victims_) {
		group.last_victim = nr_victims_;
		group.jobs += victim_->weight;

		auto at = std::ranges::lower_bound(group.rings, victim_->name.ring);
		if ((at == group.rings.end() || *at != victim_->name.ring) &&
		    group.rings.size() < Finding::rings_max)
			group.rings.insert(at, victim_->name.ring);
	}
	note_chain(group, cause, via, ns);
	if (!cause.execution)
		return;
	if (cause.kind == CauseKind::own_queue)
		cause.execution->own += ns;
	else if (cause.kind == CauseKind::dependency)
		cause.execution->dependency += ns;
	else
		cause.execution->other += ns;
}

// If two waited about as long, the one with the longer chain proves more.
void Findings::note_chain(Finding &group, const Cause &cause, const std::vector<JobName> &via,
			  uint64_t ns)
{
	const uint64_t score = (cause.to - cause.from) * via.size();

	if (score <= group.chain_score)
		return;
	group.chain_score = score;
	group.chain_ns = ns;
	group.chain = via;
	if (cause.root != JobName() && cause.root != via.back())
		group.chain.push_back(cause.root);
	if (!cause.execution)
		note_root(group, cause.root, ns, cause.from, cause.to);
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

// Nothing more will be charged to it.
void Findings::retire(uint32_t ring, const RingExecution &execution)
{
	const JobName name = {execution.ctx, execution.seqno, ring};
	auto note = [&](CauseKind kind, uint64_t ns) {
		if (ns)
			note_root(group_of(kind, execution.process, execution.hang), name, ns,
				  execution.start, execution.end);
	};

	if (execution.hang)
		return note(CauseKind::hang, execution.other);
	note(CauseKind::own_queue, execution.own);
	note(CauseKind::dependency, execution.dependency);
	if (ring_of(ring).is_virtual)
		note(CauseKind::host, execution.other);
	else
		note(execution.process ? CauseKind::other_process : CauseKind::unknown_process,
		     execution.other);
}

void Findings::finish(uint64_t)
{
	for (uint32_t id = 0; id < rings_.size(); id++)
		if (rings_[id])
			for (const RingExecution &execution : rings_[id]->executions.all())
				retire(id, execution);
	for (const Finding &group : groups_) {
		const bool great =
			group.ns >= least_ns && group.ns >= waited_ / 100 * least_percent;

		if (great) {
			findings_.push_back(group);
		} else {
			rest_ += group.ns;
			rest_of_[static_cast<size_t>(group.kind)] += group.ns;
		}
	}
	std::ranges::stable_sort(findings_, std::ranges::greater(), &Finding::ns);
}

bool Findings::is_told(uint32_t hang) const
{
	return std::ranges::any_of(findings_, [&](const Finding &one) { return one.hang == hang; });
}

uint64_t Findings::waited_for(uint32_t hang) const
{
	const std::vector<uint32_t> &numbers = numbers_[static_cast<size_t>(CauseKind::hang)];

	return hang < numbers.size() && numbers[hang] ? groups_[numbers[hang] - 1].ns : 0;
}

// Whatever record names its leader; until then it is one of its threads.
DelayProcess Findings::process(uint32_t number) const
{
	DelayProcess process = processes_[number];
	const Task *leader = capture_.session().tasks.find(process.tgid);

	if (leader && leader->tgid == process.tgid)
		process.comm = leader->name();
	return process;
}

} // namespace grtrace
