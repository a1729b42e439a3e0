// SPDX-License-Identifier: GPL-2.0
//
// VerifyStreams: are the files of a capture whole?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "read/capture/capture.h"
#include "read/stream/stream_watcher.h"
#include "words/verify/verify_findings.h"

namespace grtrace {

// Watches the decoders: damage, versions, what the tables say, and whether the
// LOST records of a CPU make the total in its packets. Memory grows with files
// and CPUs.
//
// PACKET.lost of a packet that begins with LOST may or may not have that LOST
// in it: the kernel counts first and reports later. Where packets were
// overwritten any of the missing records can have been lost before. So the true
// total is known between two bounds, which meet again at a packet without LOST.
class VerifyStreams : public StreamWatcher {
public:
	VerifyStreams(const Capture &capture, VerifyFindings &findings)
		: capture_(capture), findings_(findings)
	{
	}

	void packet(uint16_t stream, uint64_t offset, const uint8_t *record) override;
	void note(uint16_t stream, uint64_t offset, const uint8_t *record) override;
	void damaged(uint16_t stream, uint64_t offset, const std::string &what,
		     bool at_end) override;

	// The time of the last record read, for a loss without a time.
	void now(uint64_t ts) { now_ = ts; }
	void check_ring(const RecordPlace &place, const uint8_t *record);
	// Was the capture written by a later version, with numbers of its own?
	bool is_newer() const { return newer_; }
	void bad_value(const RecordPlace &place, const std::string &what);
	void finish();

private:
	struct Stream {
		uint32_t cpu = GRTRACE_CPU_NONE; // of the packet
	};
	struct Sum {
		uint64_t low = 0; // lost so far, at least
		uint64_t high = 0; // at most
		uint64_t missing = 0; // records, shown by jumps of cseq
		bool open = false; // a packet is not yet compared
		uint64_t packet_lost = 0;
		RecordPlace packet;
	};

	Stream &stream(uint16_t number);
	Sum *sum_of(uint32_t cpu);
	void compare(uint32_t cpu, Sum &sum, uint64_t lost_here);
	void info(const RecordPlace &place, const uint8_t *record);

	const Capture &capture_;
	VerifyFindings &findings_;
	std::vector<Stream> streams_;
	std::vector<Sum> sums_; // by CPU
	bool newer_ = false;
	bool told_features_ = false;
	uint64_t now_ = 0;
};

} // namespace grtrace
