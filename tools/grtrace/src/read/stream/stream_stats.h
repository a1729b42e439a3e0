// SPDX-License-Identifier: GPL-2.0
//
// StreamStats: the counts of reading a capture. Everything that is dropped is counted here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "read/stream/gseq_holes.h"
#include "read/stream/sequence.h"

namespace grtrace {

// A place in the stream where records are missing.
struct LossPlace {
	enum class Kind {
		lost, // a LOST record reports it: there was no room
		missing, // cseq jumps: records were overwritten, or cut out of the file
		unseen, // only the sequence numbers show it: records are in no file
	};

	Kind kind;
	uint32_t cpu; // GRTRACE_CPU_NONE: not known
	uint64_t records;
	uint64_t from_ts; // ns of the session's clock
	uint64_t to_ts;
	uint64_t limited = 0; // records: events refused by the rate limit
	uint64_t pressure = 0; // records: events refused by backpressure
};

// A time span in which records of a CPU are in no file, though no LOST reports it.
struct Gap {
	uint64_t from_ts;
	uint64_t to_ts;
	uint32_t cpu; // GRTRACE_CPU_NONE: not known
	uint64_t records;
};

struct CpuStats {
	bool seen = false;
	uint16_t stream = 0; // number of the stream that has its packets
	uint64_t next_cseq = 0;
	uint64_t last_ts = 0;
	uint64_t last_gseq = 0;
	uint64_t base_gseq = 0; // base_gseq of the last packet
	uint64_t records = 0; // sequenced ones
	uint64_t lost = 0; // reported by LOST records
	uint64_t missing = 0; // shown by jumps of cseq
	uint64_t kernel_lost = 0; // field `lost` of the last PACKET or of the STOP
	bool stopped = false; // its STOP was read
	bool lacks_stop = false; // the recording was finished, and there is none
	uint64_t stop_ts = 0; // the time of the STOP
	uint64_t stop_gseq = 0; // the number after all that the session wrote
};

// One per capture. Its decoders share it; all run on one thread.
struct StreamStats {
	// No kernel has more CPUs; a greater number is damage.
	static constexpr uint32_t max_cpus = 65536;
	// At most this many places are kept for the report; further ones are only counted.
	static constexpr size_t max_places = 16;

	uint64_t bytes = 0;
	uint64_t packets = 0;
	uint64_t records = 0; // events and sequenced notes
	uint64_t events = 0;
	uint64_t skipped_records = 0; // records of unknown type
	uint64_t skipped_tails = 0; // known records that are longer than this program knows
	uint64_t damaged_bytes = 0;
	uint64_t damaged_places = 0;
	uint64_t lost_events = 0;
	uint64_t lost_notes = 0;
	uint64_t lost_limited = 0; // how many of lost_events the rate limit refused
	uint64_t lost_pressure = 0; // how many of lost_events backpressure refused
	uint64_t missing = 0; // records that no LOST reports
	uint64_t loss_places = 0;
	uint64_t repeated_packets = 0; // packets that were read once and came again
	uint64_t unordered = 0; // came too late to be put in order
	uint64_t gseq_first = UINT64_MAX;
	uint64_t gseq_last = 0;
	uint64_t sample_changes = 0; // SAMPLE notes
	uint32_t sample_least = UINT32_MAX; // least N of the events; 1: every job
	uint32_t sample_most = 1;
	std::vector<LossPlace> places;
	std::vector<Gap> gaps; // not taken yet
	GseqHoles holes; // holes; they count as missing at the end
	std::vector<CpuStats> cpus;

	CpuStats &cpu(uint32_t number)
	{
		if (number >= cpus.size())
			cpus.resize(number + 1);
		return cpus[number];
	}

	bool sampled() const { return sample_most > 1; }
	uint64_t lost() const { return add_up(add_up(lost_events, lost_notes), missing); }

	void note_gseq(uint64_t gseq)
	{
		gseq_first = std::min(gseq_first, gseq);
		gseq_last = std::max(gseq_last, gseq);
	}

	void add_place(const LossPlace &place)
	{
		loss_places++;
		if (places.size() < max_places)
			places.push_back(place);
	}
};

} // namespace grtrace
