// SPDX-License-Identifier: GPL-2.0
//
// GseqHoles: the sequence numbers of a session that are in no file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// Two numbers show that records are missing: gseq has no hole if all files are whole, and the
// cseq of a CPU jumps where the CPU's own records are missing. The same record must not count
// twice, so a jump over n records explains n missing numbers in its
// range: first those that were found before it, then later ones. A number in the range of several
// jumps is explained by the jump that ends first, so that as few numbers as possible are
// left. A jump may be larger than the hole: records lost before they were written have no
// gseq.
//
// Memory is limited to this many holes and jumps. If there are more jumps, the last ones
// are combined.
class GseqHoles {
public:
	static constexpr size_t most_holes = 4096;
	static constexpr size_t most_jumps = 4096;

	struct Hole {
		uint64_t first;
		uint64_t end; // one above the last number
		uint64_t records; // how many of these numbers no jump explains
		uint64_t unclaimed; // how many of the records a jump may still claim
		uint64_t from_ts;
		uint64_t to_ts;
		uint32_t cpu; // GRTRACE_CPU_NONE: it is not known which CPU wrote them
	};

	// The cseq of a CPU shows that this many of its records are missing, with numbers
	// in this range. Returns how many of these records are not in a hole yet.
	uint64_t jump(uint64_t first, uint64_t end, uint64_t records);
	// No more holes below this number will come.
	void pass(uint64_t gseq);
	// Adds a hole, whose numbers are in no file, and counts its records. Holes come in
	// order.
	uint64_t add(Hole hole);
	// A record with this number came after all. Returns true if it was in a hole.
	bool fill(uint64_t gseq);

	bool full() const { return holes_.size() >= most_holes; }
	// Removes all but the newest holes and returns them.
	std::vector<Hole> settle(size_t keep);
	// Returns the records of all holes that were not filled, settled ones included.
	uint64_t records() const { return records_; }

private:
	struct Jump {
		uint64_t first;
		uint64_t end;
		uint64_t left; // records that are not in a hole yet
	};

	uint64_t explain(uint64_t first, uint64_t end);

	std::vector<Hole> holes_; // in order
	std::vector<Jump> jumps_; // by end
	uint64_t passed_ = 0; // no more holes below this will come
	uint64_t records_ = 0;
};

} // namespace grtrace
