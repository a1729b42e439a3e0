// SPDX-License-Identifier: GPL-2.0
//
// CtfStream: writes the events of one CPU as packets of CTF.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "read/stream/event.h"
#include "words/export/ctf_metadata.h"
#include "words/export/output_directory.h"

namespace grtrace {

// A packet is written when it is full or a loss comes. CTF counts discarded events per
// packet, so a loss has a packet of its own, which covers the time of the lost records;
// readers report the loss between its two times.
//
// The clock of CTF never goes back. If ts goes back or does not fit, the event gets the
// time stamp of the previous event, and the field "ts" has the true value. It needs memory
// for one packet.
class CtfStream {
public:
	static constexpr size_t packet_limit = 64 * 1024;

	CtfStream(OutputDirectory &out, std::string file, uint32_t cpu, const Session &session);

	void event(const Event &event);
	// Leaves out an event that did not pass a filter, so that it is not counted as
	// lost. A loss before the event counts if it overlaps the chosen interval.
	void skip(const Event &event, bool in_time);
	// last_ts: the last time of the capture.
	void finish(uint64_t last_ts);

private:
	// A loss that was reported before the next event.
	struct Loss {
		std::vector<uint8_t> raw; // the LOST record; empty: there is none
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
	uint64_t last_time_; // the greatest possible time stamp
	uint64_t now_; // time stamp of the last event or packet
	uint64_t begun_ = 0; // beginning of the packet
	uint64_t packets_ = 0;
	uint64_t discarded_ = 0; // number so far
	uint64_t next_cseq_ = 0;
	uint64_t last_ts_; // time of the last record
	Loss loss_;
	std::string bytes_; // the open packet; empty: there is none
};

} // namespace grtrace
