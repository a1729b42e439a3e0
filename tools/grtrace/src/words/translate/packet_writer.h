// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/packets/packet_bytes.h"
#include "words/translate/record_sink.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace grtrace {

// Returns the size of the record of an event.
size_t job_record_size(const NewRecord &from);

// Stores the fields of an event that are not sequenced.
void store_job(uint8_t *record, const NewRecord &from);

void store_fence_name(uint8_t *record, const FenceNameFacts &from);

// Turns records into the packets of each CPU, by the rules of grtrace_drm.h. gseq counts
// the records in the order of the calls. It needs memory for one packet for each CPU.
class PacketWriter : public RecordSink {
public:
	// Receives the bytes of a packet.
	using Flush = std::function<void(uint32_t cpu, const uint8_t *bytes, size_t size)>;

	struct Counts {
		uint64_t events = 0;
		uint64_t notes = 0;
		uint64_t lost = 0;
	};

	PacketWriter(uint64_t session, uint32_t cpus, Flush flush);

	void event(uint32_t cpu, const NewRecord &record) override;
	void ring(uint32_t cpu, uint64_t ts, const RingFacts &ring) override;
	void task(uint32_t cpu, uint64_t ts, const TaskFacts &task) override;
	void fence_name(uint32_t cpu, uint64_t ts, const FenceNameFacts &fence) override;
	void message(uint32_t cpu, uint64_t ts, uint32_t pid, std::string_view text) override;
	void lost(uint32_t cpu, uint64_t first_ts, uint64_t last_ts, uint64_t events) override;

	// Events before the first kept event were dropped, as by a flight recorder: they
	// do not count as lost, but numbering begins later.
	void skip(uint32_t cpu, uint64_t events);

	// Passes on all packets so far.
	void flush();
	// Does so too, with the end of the stream of each CPU that has one: ts is the time of
	// the end, at which nothing else follows.
	void stop(uint64_t ts);

	const Counts &counts(uint32_t cpu) const { return cpus_[cpu].counts; }

private:
	struct Cpu {
		PacketBytes packet;
		PacketHead next; // values for the next record
		Counts counts;
	};

	PacketBytes &place(uint32_t cpu, size_t size, uint64_t ts, uint32_t ctx_hi);
	uint8_t *sequenced(uint32_t cpu, uint16_t type, size_t size, uint64_t ts, uint32_t pid,
			   uint32_t ctx_hi);
	void flush_cpu(uint32_t cpu);

	const Flush flush_;
	std::vector<Cpu> cpus_;
	uint32_t used_ = 0; // no higher CPU has a packet
	uint64_t gseq_ = 0;
};

} // namespace grtrace
