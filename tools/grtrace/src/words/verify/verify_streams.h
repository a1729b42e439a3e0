// SPDX-License-Identifier: GPL-2.0
//
// VerifyStreams: checks that the files of a capture are complete.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "read/capture/capture.h"
#include "read/stream/stream_watcher.h"
#include "words/verify/verify_findings.h"

namespace grtrace {

// Watches the decoders: damage, versions, the content of the tables, and whether the LOST
// records of a CPU add up to the total in its packets. Memory grows with files and CPUs.
//
// If a packet begins with LOST, its PACKET.lost may or may not include that LOST: the
// kernel counts first and reports later. If packets were overwritten, any of the missing
// records may have been lost and not overwritten. So only two bounds of the true total
// are known; they are equal again at a packet that does not begin with LOST.
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

	// Receives the time of the last record read, for a loss without a time.
	void now(uint64_t ts) { now_ = ts; }
	void check_ring(const RecordPlace &place, const uint8_t *record);
	void bad_value(const RecordPlace &place, const std::string &what);
	void bad_value(Severity severity, const RecordPlace &place, const std::string &what);
	void finish();

private:
	struct Stream {
		uint32_t cpu = GRTRACE_CPU_NONE; // CPU of the packet
	};
	struct Sum {
		uint64_t low = 0; // lost so far, at least
		uint64_t high = 0; // at most
		uint64_t missing = 0; // records that jumps of cseq show to be missing
		bool open = false; // a packet was not yet compared
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
	bool told_features_ = false;
	uint64_t now_ = 0;
};

} // namespace grtrace
