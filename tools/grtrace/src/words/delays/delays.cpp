// SPDX-License-Identifier: GPL-2.0
#include "words/delays/delays.h"

#include <algorithm>
#include <tuple>

#include "words/delays/delay_csv.h"
#include "words/delays/delay_table.h"

namespace grtrace {

Delays::Delays(Capture &capture, const LossSpans &losses, DelayRings shown, size_t proofs)
	: capture_(capture), losses_(losses), shown_(shown), proofs_(proofs)
{
}

Delays::RingState &Delays::ring_of(uint32_t id)
{
	std::unique_ptr<RingState> &ring = rings_[id];

	if (!ring)
		ring = std::make_unique<RingState>(id, proofs_);
	return *ring;
}

// If records were lost in that time, it is not known how long the fence blocked.
void Delays::blocked(const Job &job, uint64_t from, uint64_t to)
{
	if (losses_.touch(from, to))
		return;
	ring_of(job.ring).fences.add(job,
				     {from, to, job.blocker_ctx, job.blocker_seqno,
				      processes_.find(job.blocker_pid, capture_.session().tasks)});
}

void Delays::charge(RingState &ring, const DelayedJob &job, std::span<const BlockedSpan> blocked)
{
	split_.split(job.submit, job.start, blocked, ring.window.ended_by(job.start));
	ring.matrix.add(job, split_);

	// Forgotten executions could only have been charged with the unattributed part of
	// the wait, forgotten fences with any part of it.
	auto forgotten = [&](uint64_t until, uint64_t most) {
		return until > job.submit ? std::min(most, until - job.submit) : 0;
	};

	ring.told.forgotten += std::max(forgotten(ring.window.forgot_until(), split_.nobody()),
					forgotten(ring.fences.forgot_until(), job.wait())) *
			       job.weight;
}

void Delays::keep(RingState &ring, const Executed &one)
{
	const DelayedJob &job = one.job;

	if (bool &known = ring.processes.get(job.process);
	    !known && job.process >= ProcessList::nr_special) {
		known = true;
		ring.told.processes++;
	}
	if (job.start >= one.end)
		return;

	Execution &execution = ring.window.add(one.end);

	execution.start = job.start;
	execution.ctx = job.ctx;
	execution.seqno = job.seqno;
	execution.process = job.process;
	execution.weight = job.weight;
}

void Delays::settle(RingState &ring)
{
	std::span<const BlockedSpan> blocked = ring.blocked;

	for (size_t i = 0; i < ring.nr_waiting; i++) {
		const Executed &one = ring.waiting[i];

		if (one.waits)
			charge(ring, one.job, blocked.first(one.nr_blocked));
		blocked = blocked.subspan(one.nr_blocked);
		if (one.runs)
			keep(ring, one);
	}
	ring.nr_waiting = 0;
	ring.blocked.clear();
}

void Delays::executed(const Job &job)
{
	RingState &ring = ring_of(job.ring);
	const uint32_t process = processes_.find(job, capture_.session().tasks);

	if (!job.over())
		return;

	const uint64_t end = job.left_ts();
	const uint64_t start = job.start_ts;
	Executed &one = ring.waiting[ring.nr_waiting++];

	one.job = {job.ctx, job.seqno, job.submit_ts, start, process, job.weight};
	one.end = end;
	one.waits = job.queue() != Job::none;
	one.runs = end != Job::none && start != Job::none;
	one.nr_blocked = one.waits ? ring.fences.find(job, ring.blocked) : 0;
	// A job that failed before it had begun did not execute.
	if (!one.runs && (end != Job::none || start != Job::none))
		ring.told.unseen += job.weight;
	if (ring.nr_waiting == ring.waiting.size() || ring.blocked.size() > BlockedWindow::limit)
		settle(ring);
	else if (ring.nr_waiting == ring.waiting.size() - 1)
		ring.window.expect(ring.waiting.size());
}

// Any record may name its leader; until then the name is that of one of its threads.
void Delays::name_process(DelayProcess &process) const
{
	const Task *leader = capture_.session().tasks.find(process.tgid);

	if (leader && leader->tgid == process.tgid)
		process.comm = leader->name();
}

static auto rank(const DelayCell &cell)
{
	return std::tuple(~cell.ns, cell.kind, cell.culprit.tgid);
}

void Delays::finish(uint64_t)
{
	std::vector<DelayCell> cells;

	rings_.each([&](uint32_t, const std::unique_ptr<RingState> &ring) {
		if (!ring)
			return;
		settle(*ring);
		cells.clear();
		ring->matrix.tell(processes_, losses_, cells);
		for (DelayCell &cell : cells) {
			name_process(cell.victim);
			if (cell.kind == Culprit::process)
				name_process(cell.culprit);
		}
		IdMap<uint64_t> waits;
		for (const DelayCell &cell : cells)
			waits.get(cell.victim.tgid) += cell.ns;
		std::sort(cells.begin(), cells.end(), [&](const DelayCell &a, const DelayCell &b) {
			uint32_t x = a.victim.tgid, y = b.victim.tgid;

			if (x == y)
				return rank(a) < rank(b);
			uint64_t w = waits.get(x), v = waits.get(y);
			return w == v ? x < y : w > v;
		});
		std::move(cells.begin(), cells.end(), std::back_inserter(cells_));
	});
}

std::vector<DelayRing> Delays::rings() const
{
	std::vector<DelayRing> told;

	rings_.each([&](uint32_t, const std::unique_ptr<RingState> &ring) {
		if (ring)
			told.push_back(ring->told);
	});
	return told;
}

void Delays::print(fmt::memory_buffer &out)
{
	DelayTable table(capture_.session(), cells_, proofs_);

	for (const DelayRing &ring : rings())
		if (shown_ == DelayRings::all ||
		    (shown_ == DelayRings::shared && ring.processes > 1))
			table.print(out, ring);
}

void Delays::print_csv(fmt::memory_buffer &out) const
{
	for (const DelayCell &cell : cells_)
		DelayCsv::print(out, cell, capture_.session());
}

} // namespace grtrace
