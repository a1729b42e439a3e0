// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "annotate.h" // of the BPF programs
#include "words/live/capture_start.h"
#include "words/packets/packet_bytes.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace grtrace {

// Facts that the capture states about itself.
struct StreamFacts : CaptureStart {
	uint32_t nr_cpus = 0;
	uint32_t probes = 0; // attached
	uint32_t known_probes = 0;
};

// Turns the records of the BPF programs into one stream of packets: a packet for each run
// of records of one CPU, with a TASK before a thread's first record and after each change
// of its name or cgroup. Memory grows with the threads seen, and with bytes not yet taken.
class AnnotationStream {
public:
	explicit AnnotationStream(const StreamFacts &facts);

	void add(const annotate_ioctl &call);
	void add(const annotate_wait &wait);
	void lose(uint32_t cpu, const annotate_loss &loss);
	// Adds the end of each CPU's stream; ts is its time.
	void stop(uint64_t ts);

	// Returns the bytes made since the last call.
	std::vector<uint8_t> take() { return packet_.take(); }
	size_t size() const { return packet_.bytes().size(); }

	uint64_t ioctls() const { return ioctls_; }
	uint64_t waits() const { return waits_; }
	uint64_t lost() const { return lost_; }
	size_t tasks() const { return tasks_.size(); }

private:
	struct Task {
		uint32_t tgid = 0;
		uint64_t cgroup = 0;
		char comm[ANNOTATE_COMM_LEN] = {};
	};
	struct Cpu {
		uint64_t cseq = 0;
		uint64_t lost = 0;
	};

	uint8_t *sequenced(uint16_t type, size_t size, const annotate_head &head, uint32_t ctx_hi);
	PacketHead next_of(uint32_t cpu, uint64_t ts, uint32_t ctx_hi);
	void write_tables(const StreamFacts &facts);
	void introduce(const annotate_head &head);

	uint64_t session_;
	PacketBytes packet_;
	std::unordered_map<uint32_t, Task> tasks_; // by thread
	std::vector<Cpu> cpus_;
	uint64_t gseq_ = 0;
	uint64_t ioctls_ = 0;
	uint64_t waits_ = 0;
	uint64_t lost_ = 0;
};

} // namespace grtrace
