// SPDX-License-Identifier: GPL-2.0
//
// Channels: events in, the packets of all CPUs out, as the kernel writes them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dice.h"

namespace grtrace {

// An event before it is packed. Fields that its type does not have are 0.
struct NewEvent {
	uint64_t ts = 0;
	uint64_t ctx = 0;
	uint64_t fence_ctx = 0;
	uint32_t seqno = 0;
	uint32_t fence_seqno = 0;
	uint32_t ring = 0;
	uint32_t pid = 0;
	uint16_t type = 0;
	uint16_t flags = 0;
	uint16_t arg = 0;
	uint32_t kind = 0; // ERROR
	int32_t code = 0; // ERROR
	uint64_t client = 0; // SUBMIT
};

// The sub-buffers of all CPUs and the numbers their records take. Memory is one
// sub-buffer per CPU. It can lose what it is given: single records in bursts,
// reported by LOST records, and whole sub-buffers, shown only by a jump of cseq.
class Channels {
public:
	struct Options {
		uint32_t cpus = 1;
		uint32_t subbuf_size = 65536;
		unsigned int drop_permille = 0; // of records
		unsigned int overwrite_permille = 0; // of sub-buffers
		bool stream = false; // nothing stays in a sub-buffer for long
		bool names = false; // TASK in each sub-buffer
	};
	// Takes a sub-buffer's bytes.
	using Flush = std::function<void(uint32_t cpu, const uint8_t *bytes, size_t size)>;

	struct Totals {
		uint64_t written = 0; // sequenced records that can be read
		uint64_t lost = 0; // reported by LOST
		uint64_t overwritten = 0; // shown by a jump of cseq
		uint64_t cut = 0; // at the end, where nothing shows it
		uint64_t bytes = 0;
	};

	static constexpr uint64_t session = 0x5eed;

	Channels(const Options &options, Dice &dice, Flush flush);

	// False if it was lost.
	bool write(uint32_t cpu, const NewEvent &event);
	bool write_task(uint32_t cpu, uint64_t ts, uint32_t pid, uint32_t tgid,
			std::string_view comm);
	bool write_ring(uint32_t cpu, uint64_t ts, uint32_t id, uint32_t engine_class,
			std::string_view device, std::string_view driver, std::string_view name);
	// Nothing more will come.
	void finish();

	const Totals &totals() const { return totals_; }

private:
	struct Channel {
		std::vector<uint8_t> subbuf;
		size_t used = 0;
		uint64_t ts = 0; // of the last record
		uint64_t cseq = 0;
		uint64_t records = 0; // sequenced ones in the sub-buffer
		uint64_t lost_here = 0; // reported in the sub-buffer
		uint64_t lost_before = 0; // PACKET.lost
		uint64_t lost_events = 0; // not yet reported
		uint64_t lost_notes = 0;
		uint64_t lost_first = 0;
		uint64_t lost_last = 0;
		unsigned int drops = 0; // left of the burst
		uint32_t ctx_hi = 0;
		bool overwritten = false;
		std::set<uint32_t> named; // in this sub-buffer
	};
	struct Name {
		uint32_t tgid;
		std::string comm;
	};

	bool drops(Channel &channel, uint64_t ts, bool is_event);
	// Room for a sequenced record, its head filled in.
	uint8_t *reserve(uint32_t cpu, uint16_t type, size_t size, uint64_t ts, uint32_t pid,
			 uint32_t ctx_hi);
	void open_packet(uint32_t cpu, uint64_t ts, uint32_t ctx_hi);
	// In front of an event of its task, if the sub-buffer has not named it.
	void name_again(uint32_t cpu, const NewEvent &event, size_t size);
	void put_lost(uint32_t cpu, uint64_t ts, uint32_t ctx_hi);
	void flush(uint32_t cpu);

	Options options_;
	Dice &dice_;
	Flush flush_;
	std::vector<Channel> channels_;
	std::map<uint32_t, Name> names_; // by pid
	uint64_t gseq_ = 0;
	uint64_t unflushed_ = 0;
	Totals totals_;
};

} // namespace grtrace
