// SPDX-License-Identifier: GPL-2.0
//
// GseqHoles: sequence numbers of a session that are in no file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// Two things show that records are missing: gseq, which has no hole where all
// files are whole, and the cseq of a CPU, which jumps where its own records are
// not there. The same record must not count twice, so a jump explains that many
// missing numbers in its range: those found before it if they are enough, else
// later ones. A number in the range of several is explained by the one that ends
// first, so that as few numbers as possible are left. A jump may be larger:
// records lost before they were written took no gseq.
//
// Memory: this many holes and jumps. If there are more jumps, the last ones
// become one.
class GseqHoles {
public:
	static constexpr size_t most_holes = 4096;
	static constexpr size_t most_jumps = 4096;

	struct Hole {
		uint64_t first;
		uint64_t end; // behind the last
		uint64_t records; // of these numbers: no jump explains them
		uint64_t unclaimed; // of the records: a jump may claim them
		uint64_t from_ts;
		uint64_t to_ts;
		uint32_t cpu; // GRTRACE_CPU_NONE: not known whose they were
	};

	// The cseq of a CPU says that so many of its records are missing, and
	// their numbers are in this range. Returns how many of them are not yet
	// shown by a hole.
	uint64_t jump(uint64_t first, uint64_t end, uint64_t records);
	// No more holes below.
	void pass(uint64_t gseq);
	// The numbers of the hole are in no file; its number of records is set
	// here. Holes come in order.
	uint64_t add(Hole hole);
	// A record with this number came after all. True if it was in a hole.
	bool fill(uint64_t gseq);

	bool full() const { return holes_.size() >= most_holes; }
	// Gives away all but the newest.
	std::vector<Hole> settle(size_t keep);
	// The holes found so far and not filled, settled ones included.
	uint64_t records() const { return records_; }

private:
	struct Jump {
		uint64_t first;
		uint64_t end;
		uint64_t left; // records that are in no hole yet
	};

	uint64_t explain(uint64_t first, uint64_t end);

	std::vector<Hole> holes_; // in order
	std::vector<Jump> jumps_; // by end
	uint64_t passed_ = 0; // no more holes below
	uint64_t records_ = 0;
};

} // namespace grtrace
