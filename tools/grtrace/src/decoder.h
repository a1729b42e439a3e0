// SPDX-License-Identifier: GPL-2.0
//
// Decoder: bytes in, events out.
//
// The format is that of include/uapi/drm/grtrace_drm.h, whose DOC is the only
// description; this is its reader. Words: a *record* is a header with a size
// and what follows, a *packet* is a PACKET record and all records up to the
// next one. All a record lacks (CPU, upper halves, cseq) comes from its packet.
//
//	offset 0                                        a file is packets, only
//	| PACKET | SUBMIT | TASK | ... | PACKET | LOST | END | ...
//	  cpu,ts   +1 cseq  +1                     +n    +1
//
// No byte is trusted. What cannot be a record is *damage*: the decoder goes on
// at the next PACKET it finds, counts the bytes between, and says where and
// why. The uAPI promises packets at 8-byte steps; the search here looks at
// every byte, so that bytes missing from the middle of a file do not hide all
// that follow. A packet found by searching has to look right in every field
// that can be checked.
#pragma once

#include <cstdint>
#include <string>

#include "byte_reader.h"
#include "diagnostics.h"
#include "event.h"
#include "session.h"
#include "stream_stats.h"
#include "stream_watcher.h"

namespace grtrace {

// Reads one stream: a CPU's file, or one where packets of all CPUs alternate.
// Hands out events, RING, TASK, MESSAGE, SAMPLE and LOST in the stream's order.
// Keeps for itself what is no event: PACKETs, STREAM_INFO and METADATA (learned
// by the session at once), and everything in a packet of GRTRACE_CPU_NONE,
// which repeats the tables and belongs to no CPU.
class Decoder {
public:
	// All of them must outlive the decoder.
	Decoder(std::string file, ByteReader &in, Session &session,
		StreamStats &stats, Diagnostics &diagnostics);

	Next next(Event &event);

	// stream: the number of its events; the watcher must outlive it.
	void watch(uint16_t stream, StreamWatcher *watcher)
	{
		stream_ = stream;
		watcher_ = watcher;
	}

	// A packet was found, so it is a capture.
	bool is_capture() const { return is_capture_; }
	const std::string &file() const { return file_; }

private:
	Next resync();
	void begin_damage(std::string reason);
	void end_damage();
	bool packet_looks_right(const uint8_t *record) const;
	bool refused(const uint8_t *record);
	bool enter_packet(const uint8_t *record, uint16_t size);
	void check_continuity(uint64_t cseq);
	const char *record_fault(uint16_t type, uint16_t size) const;
	bool decode(Event &event, const uint8_t *record, uint16_t type,
		    uint16_t size);
	void learn_table(const uint8_t *record, uint16_t type, uint16_t size);
	void decode_lost(Event &event);
	void decode_seq(Event &event);
	void decode_job(Event &event);
	void tell_weight();
	void say(uint64_t offset, const std::string &what, bool at_end = true);
	void say_cut();
	Next end_of_stream();

	std::string file_;
	ByteReader &in_;
	Session &session_;
	StreamStats &stats_;
	Diagnostics &diagnostics_;
	StreamWatcher *watcher_ = nullptr;
	uint16_t stream_ = 0;

	// Where the packet's widening stands.
	uint64_t ts_ = 0;
	uint64_t gseq_ = 0;
	uint64_t cseq_ = 0;
	uint64_t ctx_hi_ = 0;
	uint32_t cpu_ = GRTRACE_CPU_NONE;
	uint32_t weight_ = 1; // PACKET.sample
	uint32_t told_weight_ = 0; // in the statistics

	bool is_capture_ = false;
	bool in_packet_ = false;
	bool ended_ = false;
	bool damaged_ = false;
	uint64_t damage_start_ = 0;
	std::string damage_reason_;
};

} // namespace grtrace
