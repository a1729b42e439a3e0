// SPDX-License-Identifier: GPL-2.0
//
// Each job that is in flight waits for another one, or for nothing that is known; what it waits
// for in the end is its root:
//
//	it has the ring			nothing: it is a root
//	it is blocked			the job of the fence; without one it is a root
//	it is queued			the first job of its context on the ring, as long as that one
//					is queued; else the job that has the ring
//	it is picked or handed over	the job that has the ring
#include "words/findings/not_over.h"

#include <algorithm>
#include <tuple>

namespace grtrace {

void NotOver::add(const Job &job, uint32_t process, bool counts)
{
	Open &open = open_.emplace_back();

	open.name = {job.ctx, job.seqno, job.ring};
	open.has_ring_since = job.has_ring_since;
	open.since = std::min(job.first_ts(), job.blocked_ts);
	open.blocker_since = job.blocker_since;
	open.blocker_ctx = job.blocker_ctx;
	open.blocker_seqno = job.blocker_seqno;
	open.process = process;
	open.weight = job.weight;
	open.in_queue =
		job.pick_ts == Job::none && job.commit_ts == Job::none && job.start_ts == Job::none;
	open.blocked = open.in_queue && job.blocked_ts != Job::none;
	open.is_sure = !job.touched && !job.cut;
	open.counts = counts;
	open.never_began = job.queue() == Job::none;
}

void NotOver::add_wait(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t process,
		       uint64_t since)
{
	const JobName name = job ? JobName{job->ctx, job->seqno, job->ring} : JobName();

	waits_.push_back({ctx, seqno, process, since, name});
}

uint32_t NotOver::find(uint64_t ctx, uint64_t seqno) const
{
	const auto found = by_key_.find({ctx, static_cast<uint32_t>(seqno)});

	return found == by_key_.end() ? nil : found->second;
}

const NotOver::Ring &NotOver::ring_of(uint32_t open) const
{
	const auto after = std::ranges::upper_bound(rings_, open, {}, &Ring::begin);

	return after[-1];
}

void NotOver::prepare()
{
	std::ranges::sort(open_, {}, [](const Open &one) {
		return std::tuple(one.name.ring, one.name.ctx, one.name.seqno);
	});
	for (uint32_t i = 0; i < open_.size(); i++) {
		const Open &one = open_[i];

		by_key_[{one.name.ctx, static_cast<uint32_t>(one.name.seqno)}] = i;
		if (rings_.empty() || rings_.back().id != one.name.ring)
			rings_.push_back({.id = one.name.ring, .begin = i, .end = i});

		Ring &ring = rings_.back();

		ring.end = i + 1;
		ring.is_sure &= one.is_sure;
		if (one.has_ring_since != Job::none &&
		    (ring.holder == nil || one.has_ring_since < open_[ring.holder].has_ring_since))
			ring.holder = i;
	}
}

// Returns what the job waits for next, or itself.
uint32_t NotOver::step_of(uint32_t number) const
{
	const Open &open = open_[number];
	const Ring &ring = ring_of(number);
	const bool first = number == ring.begin || open_[number - 1].name.ctx != open.name.ctx;

	if (open.has_ring_since != Job::none || (ring.facts.is_virtual && !open.blocked))
		return number;
	if (open.blocked) {
		const uint32_t by = find(open.blocker_ctx, open.blocker_seqno);

		return by == nil ? number : by;
	}
	if (open.in_queue && !first && open_[number - 1].in_queue)
		return number - 1;
	return ring.holder == nil ? number : ring.holder;
}

// The root of one job is kept for all on the way there.
uint32_t NotOver::root_of(uint32_t number)
{
	uint32_t at = number;

	for (size_t depth = 0; open_[at].root == nil && depth < deepest; depth++) {
		const uint32_t next = step_of(at);

		if (next == at)
			break;
		at = next;
	}

	const uint32_t root = open_[at].root == nil ? at : open_[at].root;

	open_[root].root = root;
	for (at = number; open_[at].root == nil;) {
		const uint32_t next = step_of(at);

		open_[at].root = root;
		at = next;
	}
	return root;
}

Standstill::Kind NotOver::kind_of(uint32_t root) const
{
	const Open &open = open_[root];

	if (open.blocked)
		return Standstill::Kind::blocked;
	if (ring_of(root).facts.is_virtual)
		return Standstill::Kind::no_response;
	return open.has_ring_since != Job::none ? Standstill::Kind::on_ring :
						  Standstill::Kind::queued;
}

uint64_t NotOver::since_of(uint32_t root) const
{
	const Open &open = open_[root];

	switch (kind_of(root)) {
	case Standstill::Kind::on_ring:
		return open.has_ring_since;
	case Standstill::Kind::blocked:
		return open.blocker_since;
	default:
		return open.since;
	}
}

// The commands of a ring that the host has are one standstill, and so are the jobs that nothing
// is known to hold; the oldest one gives its time.
void NotOver::add_standstill(uint32_t root)
{
	const Open &open = open_[root];
	const Ring &ring = ring_of(root);
	const Standstill::Kind kind = kind_of(root);
	const uint64_t since = since_of(root);
	const bool joint =
		kind == Standstill::Kind::no_response || kind == Standstill::Kind::queued;

	if (!open.is_sure || !ring.is_sure || since >= end_)
		return;
	if (joint) {
		const auto known = std::ranges::find_if(all_, [&](const Standstill &one) {
			return one.kind == kind && one.job.ring == open.name.ring;
		});

		if (known != all_.end()) {
			open_[root].standstill = static_cast<uint32_t>(known - all_.begin());
			known->jobs += open.weight;
			known->one_process &= known->process == open.process;
			if (since >= known->since)
				return;
			known->since = since;
			known->job = open.name;
			known->process = open.process;
			return;
		}
	}
	if (all_.size() == most)
		return;

	Standstill &added = all_.emplace_back();

	open_[root].standstill = static_cast<uint32_t>(all_.size() - 1);
	added.kind = kind;
	added.job = open.name;
	added.process = open.process;
	added.since = since;
	added.jobs = open.weight;
	added.none_ended = !ring.facts.ended;
	added.rings = {open.name.ring};
	if (kind == Standstill::Kind::blocked) {
		added.fence_ctx = open.blocker_ctx;
		added.fence_seqno = open.blocker_seqno;
	}
}

// Adds a job to the standstill of its root.
void NotOver::join(uint32_t number)
{
	Open &open = open_[number];
	const uint32_t to = open_[open.root].standstill;

	if (to == nil || open.root == number)
		return;
	open.standstill = to;

	Standstill &one = all_[to];

	if (one.kind == Standstill::Kind::queued && open.in_queue &&
	    open.name.ring == one.job.ring) {
		one.jobs += open.weight;
		one.one_process &= open.process == one.process;
		return;
	}
	one.behind += open.weight;
	if (std::ranges::find(one.rings, open.name.ring) == one.rings.end())
		one.rings.push_back(open.name.ring);
}

void NotOver::count_waits()
{
	for (const Wait &wait : waits_) {
		const uint32_t open =
			wait.job == JobName() ? nil : find(wait.job.ctx, wait.job.seqno);
		const uint32_t to = open == nil ? nil : open_[open].standstill;

		if (to == nil) {
			// The job that it waits for is in flight as usual.
			if (open != nil || all_.size() == most || wait.since >= end_ ||
			    end_ - wait.since < limit_of(0))
				continue;

			Standstill &added = all_.emplace_back();

			added.process = wait.process;
			added.since = wait.since;
			added.fence_ctx = wait.ctx;
			added.fence_seqno = wait.seqno;
			continue;
		}
		all_[to].tasks++;
		if (wait.since >= all_[to].waits_since)
			continue;
		all_[to].waits_since = wait.since;
		all_[to].waiter = wait.process;
	}
}

// Keeps those that lasted for long, which is known only when all jobs are in them.
void NotOver::keep_long()
{
	std::vector<Standstill> kept;
	std::vector<uint32_t> place(all_.size(), nil);
	std::vector<uint32_t> order;

	for (uint32_t i = 0; i < all_.size(); i++) {
		const auto ring = std::ranges::find(rings_, all_[i].job.ring, &Ring::id);
		const uint64_t limit = limit_of(ring == rings_.end() ? 0 : ring->facts.longest);

		if (end_ - all_[i].since >= limit)
			order.push_back(i);
	}
	std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) {
		auto rank = [&](const Standstill &one) {
			return std::tuple(~one.behind, one.since);
		};

		return rank(all_[a]) < rank(all_[b]);
	});
	for (const uint32_t number : order) {
		place[number] = static_cast<uint32_t>(kept.size());
		kept.push_back(std::move(all_[number]));
	}
	all_ = std::move(kept);
	for (Open &open : open_) {
		open.standstill = open.standstill == nil ? nil : place[open.standstill];
		if (open.standstill == nil)
			continue;
		all_[open.standstill].counts |= open.counts;
		never_began_ += open.counts && open.never_began ? open.weight : 0;
	}
}

void NotOver::judge()
{
	std::vector<bool> is_root(open_.size());

	for (uint32_t i = 0; i < open_.size(); i++)
		is_root[root_of(i)] = true;
	for (uint32_t i = 0; i < open_.size(); i++)
		if (is_root[i] && open_[i].root == i)
			add_standstill(i);
	for (uint32_t i = 0; i < open_.size(); i++)
		join(i);
	for (Ring &ring : rings_) {
		size_t holders = 0;

		for (uint32_t i = ring.begin; i < ring.end; i++)
			holders += open_[i].has_ring_since != Job::none;
		for (uint32_t i = ring.begin; i < ring.end && (holders > 1 || ring.facts.is_mixed);
		     i++)
			if (open_[i].root == i && open_[i].standstill != nil)
				all_[open_[i].standstill].out_of_order = true;
	}
	keep_long();
	count_waits();
}

const Standstill *NotOver::of(const JobName &job) const
{
	const uint32_t open = find(job.ctx, job.seqno);

	if (open == nil || open_[open].name.ring != job.ring || open_[open].standstill == nil)
		return nullptr;
	return &all_[open_[open].standstill];
}

} // namespace grtrace
