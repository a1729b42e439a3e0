// SPDX-License-Identifier: GPL-2.0
//
// CtfStream: the events of one CPU as packets of CTF.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "read/stream/event.h"
#include "words/export/ctf_metadata.h"
#include "words/export/output_directory.h"

namespace grtrace {

// A packet is written when it is full or a loss comes. CTF counts discarded
// events by packets, so a place of loss has a packet of its own, from the first
// to the last that was lost; readers report it between these times.
//
// The clock of CTF never goes back. If ts goes back, or does not fit, the field
// "ts" has it and the time stamp is the previous event's. Memory is that of a
// packet.
class CtfStream {
public:
	static constexpr size_t packet_limit = 64 * 1024;

	CtfStream(OutputDirectory &out, std::string file, uint32_t cpu, const Session &session);

	void event(const Event &event);
	// It did not pass a filter, but it was not lost. A loss before it
	// counts if it overlaps the chosen interval.
	void skip(const Event &event, bool in_time);
	// last_ts: of the capture.
	void finish(uint64_t last_ts);

private:
	// A reported loss before the next event.
	struct Loss {
		std::vector<uint8_t> raw; // of the LOST, empty: none
		Event event = {};
		uint64_t records = 0;
		uint64_t first_ts = 0;
		uint64_t last_ts = 0;
	};

	void account(const Event &event, bool in_time);
	void write_loss(uint64_t until);
	void put(const Event &event, uint64_t ts);
	void begin(uint64_t ts);
	void end(uint64_t ts);
	uint64_t later(uint64_t ts);

	OutputDirectory &out_;
	std::string file_;
	CtfUuid uuid_;
	uint32_t cpu_;
	uint64_t last_time_; // that a time stamp can be
	uint64_t now_; // time stamp of the last event, or packet
	uint64_t begun_ = 0; // of the packet
	uint64_t packets_ = 0;
	uint64_t discarded_ = 0; // so far
	uint64_t next_cseq_ = 0;
	uint64_t last_ts_; // of the last record
	Loss loss_;
	std::string bytes_; // of the packet, empty: none is open
};

} // namespace grtrace
