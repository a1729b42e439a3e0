// SPDX-License-Identifier: GPL-2.0
#include "words/delays/delay_matrix.h"

#include <algorithm>

#include "words/data/worst.h"

namespace grtrace {

static bool worse(const DelayProof &a, const DelayProof &b)
{
	return a.part > b.part;
}

// Returns the cell's place in the lists.
inline uint32_t DelayMatrix::cell(uint32_t victim, uint32_t culprit)
{
	const uint64_t row = static_cast<uint64_t>(victim) << 32;
	const uint32_t *number = numbers_.find(row | culprit);

	return number ? *number - 1 : new_cell(victim, culprit);
}

uint32_t DelayMatrix::new_cell(uint32_t victim, uint32_t culprit)
{
	const uint64_t row = static_cast<uint64_t>(victim) << 32;

	if (culprit >= ProcessList::nr_special && culprit != victim && cells_.size() >= pairs_max)
		culprit = ProcessList::others;

	uint32_t &number = numbers_.get(row | culprit);

	if (!number) {
		cells_.emplace_back();
		proofs_.emplace_back();
		number = static_cast<uint32_t>(cells_.size());
	}
	return number - 1;
}

void DelayMatrix::prove(uint32_t cell, const DelayedJob &job, const DelaySplit &split,
			const DelayShare &share)
{
	Proofs &heap = proofs_[cell];
	const DelayCause cause = split.due_to(share);

	keep_worst(heap, nr_proofs_,
		   {job.ctx, job.seqno, job.submit, job.wait(), share.ns, cause.ctx, cause.seqno,
		    share.blocked, false},
		   worse);
	if (heap.size() == nr_proofs_)
		cells_[cell].proved = heap.front().part;
}

inline void DelayMatrix::charge(const DelayedJob &job, const DelaySplit &split,
				const DelayShare &share)
{
	const uint32_t at = cell(job.process, share.process);
	Cell &cell = cells_[at];

	cell.ns += share.ns * job.weight;
	cell.jobs += job.weight;
	cell.first_ts = std::min(cell.first_ts, job.submit);
	cell.last_ts = std::max(cell.last_ts, job.start);
	// Most shares prove nothing new.
	if (share.ns > cell.proved && nr_proofs_)
		prove(at, job, split, share);
}

void DelayMatrix::add(const DelayedJob &job, const DelaySplit &split)
{
	for (const DelayShare &share : split.shares())
		charge(job, split, share);
	// A job that did not wait at all also counts as one of the row's jobs.
	charge(job, split, {ProcessList::nobody, false, split.nobody()});
}

void DelayMatrix::tell(const ProcessList &processes, const LossSpans &losses,
		       std::vector<DelayCell> &cells)
{
	static constexpr Culprit special[ProcessList::nr_special] = {
		Culprit::unknown, Culprit::others, Culprit::nobody};

	numbers_.for_each([&](uint64_t pair, uint32_t number) {
		const Cell &cell = cells_[number - 1];
		Proofs &proofs = proofs_[number - 1];
		uint32_t victim = static_cast<uint32_t>(pair >> 32);
		uint32_t culprit = static_cast<uint32_t>(pair);
		DelayCell told;

		told.ring = ring_;
		told.victim = processes[victim];
		if (culprit == victim)
			told.kind = Culprit::itself;
		else if (culprit < ProcessList::nr_special)
			told.kind = special[culprit];
		else
			told.culprit = processes[culprit];
		told.ns = cell.ns;
		told.jobs = cell.jobs;
		told.touched = losses.touch(cell.first_ts, cell.last_ts);
		std::sort(proofs.begin(), proofs.end(), worse);
		told.proofs = proofs;
		for (DelayProof &proof : told.proofs)
			proof.touched = losses.touch(proof.submit_ts, proof.submit_ts + proof.wait);
		cells.push_back(std::move(told));
	});
}

} // namespace grtrace
