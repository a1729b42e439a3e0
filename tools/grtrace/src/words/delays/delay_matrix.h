// SPDX-License-Identifier: GPL-2.0
//
// DelayMatrix: the delays between processes on one ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "words/data/id_map.h"
#include "words/data/spans.h"
#include "words/delays/delay_cell.h"
#include "words/delays/delay_split.h"
#include "words/delays/process_list.h"

namespace grtrace {

// A job that waited from SUBMIT to START.
struct DelayedJob {
	uint64_t ctx = 0;
	uint64_t seqno = 0;
	uint64_t submit = 0;
	uint64_t start = 0;
	uint32_t process = 0;
	uint32_t weight = 1;

	uint64_t wait() const { return start - submit; }
};

// Sums up the splits of a ring's jobs. Memory grows with the pairs of victim and culprit,
// up to `pairs_max`; later pairs are charged to "others".
class DelayMatrix {
public:
	static constexpr size_t pairs_max = 4096;

	// proofs: number of jobs to keep in each cell.
	DelayMatrix(uint32_t ring, size_t proofs) : ring_(ring), nr_proofs_(proofs) {}

	void add(const DelayedJob &job, const DelaySplit &split);

	// Appends all cells, by victim and culprit, in no order.
	void tell(const ProcessList &processes, const LossSpans &losses,
		  std::vector<DelayCell> &cells);

private:
	struct Cell {
		uint64_t ns = 0;
		uint64_t jobs = 0;
		// Figures of the victim's jobs.
		uint64_t first_ts = UINT64_MAX;
		uint64_t last_ts = 0;
		uint64_t proved = 0; // a proof has to exceed this
	};
	using Proofs = std::vector<DelayProof>; // a heap, the least in front

	void charge(const DelayedJob &job, const DelaySplit &split, const DelayShare &share);
	uint32_t cell(uint32_t victim, uint32_t culprit);
	uint32_t new_cell(uint32_t victim, uint32_t culprit);
	void prove(uint32_t cell, const DelayedJob &job, const DelaySplit &split,
		   const DelayShare &share);

	uint32_t ring_;
	size_t nr_proofs_;
	// Rarely needed fields are kept outside of the map, so that a search touches only
	// small entries.
	IdMap<uint32_t> numbers_; // numbers of cells, from 1; by victim << 32 | culprit
	std::vector<Cell> cells_;
	std::vector<Proofs> proofs_; // one per cell
};

} // namespace grtrace
