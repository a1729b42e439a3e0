// SPDX-License-Identifier: GPL-2.0
//
// BinaryWriter: turns events back into bytes, for grparse -d.
#pragma once

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "read/stream/event.h"
#include "read/stream/session.h"
#include "words/packets/packet_bytes.h"

namespace grtrace {

// Writes one sorted stream that can be read again: the tables in a packet of
// GRTRACE_CPU_NONE, then the unchanged records, with a PACKET before each run of records of
// one CPU. Records that a filter leaves out must not look lost, so the records that follow
// take over the free numbers. Lost records stay lost.
class BinaryWriter {
public:
	// The session and its tables must outlive it.
	explicit BinaryWriter(const Session &session) : session_(session) {}

	void write(fmt::memory_buffer &out, const Event &event);
	void skip(const Event &event);
	// Writes the end of each CPU's stream.
	void finish(fmt::memory_buffer &out);

private:
	void write_tables();
	void put(fmt::memory_buffer &out);
	void go_to(const Event &event, const PacketHead &here);
	const uint8_t *renumbered(const Event &event, uint64_t number);
	struct Cpu {
		uint64_t left_out = 0; // records
		uint64_t lost = 0; // reported so far
		uint64_t next_cseq = 0; // 0: nothing was written
	};

	Cpu &cpu(uint32_t number);

	const Session &session_;
	std::vector<Cpu> cpus_;
	uint64_t left_out_ = 0; // records of all CPUs
	uint64_t next_gseq_ = 0; // the first number after all records so far
	uint64_t last_ts_ = 0;
	std::vector<uint8_t> renumbered_;
	PacketBytes packet_;
	bool tables_written_ = false;
};

} // namespace grtrace
