// SPDX-License-Identifier: GPL-2.0
//
// PacketBytes: records of the stream format, packet after packet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <drm/grtrace_drm.h>

namespace grtrace {

struct HostFacts;

// The content of a PACKET. After each record, it is the content of the PACKET that would
// begin at the next record.
struct PacketHead {
	uint64_t session = 0;
	uint64_t ts = 0;
	uint64_t gseq = 0;
	uint64_t cseq = 0;
	uint64_t lost = 0;
	uint32_t cpu = GRTRACE_CPU_NONE;
	uint32_t ctx_hi = 0;
	uint32_t weight = 1;
};

// The content of STREAM_INFO.
struct InfoFacts {
	uint64_t session = 0;
	uint64_t features = 0;
	uint64_t start_ts = 0;
	uint64_t start_real = 0;
	uint32_t clock = GRTRACE_CLOCK_MONOTONIC;
	uint32_t subbuf_size = 0;
	uint32_t n_subbufs = 0;
	uint32_t nr_cpus = 0;
	uint8_t boot_id[16] = {};
	std::string_view release;
};

// The content of RING.
struct RingFacts {
	uint32_t id = 0;
	uint32_t engine_class = 0;
	std::string_view device;
	std::string_view driver;
	std::string_view name;
	uint32_t flags = 0;
	uint32_t timeout_ms = 0;
};

// The fields of every sequenced record.
struct SeqFacts {
	uint64_t ts = 0;
	uint64_t gseq = 0;
	uint32_t pid = 0;
};

struct LostFacts {
	uint64_t events = 0;
	uint64_t first_ts = 0;
	uint64_t last_ts = 0;
};

// Writes records by the rules of grtrace_drm.h, which no other class implements: how a
// packet begins, when the next packet has to begin, and how records are padded. The owner
// decides which records it takes, and when and where the bytes are written. It needs memory
// only for bytes that the owner has not cleared yet.
class PacketBytes {
public:
	void open(const PacketHead &head);
	void close() { open_ = false; }
	// Returns whether a record may follow in the open packet, that is, whether each of
	// its 32-bit fields can be widened.
	bool takes(const PacketHead &next) const;
	// Begins a packet if the next record needs one.
	void go_to(const PacketHead &next)
	{
		if (!takes(next))
			open(next);
	}

	// Each returns the new record, zeroed except for the given fields. The next call
	// invalidates it.
	uint8_t *add(uint16_t type, size_t size);
	uint8_t *add_sequenced(uint16_t type, size_t size, const SeqFacts &seq);
	uint8_t *add_ring(const RingFacts &ring);
	void add_info(const InfoFacts &info);
	void add_metadata(std::string_view text);
	// Adds a METADATA for each line: together they may exceed the size of one.
	void add_host(const HostFacts &host);
	void add_lost(const LostFacts &lost);
	// Adds the end of a CPU's stream; next: the values of a record that could follow.
	void add_stop(const PacketHead &next);
	// Adds a record from another stream. next has the values for the record after it.
	void copy(const uint8_t *record, size_t size, const PacketHead &next);

	// Returns the values from which the next record is widened.
	const PacketHead &head() const { return head_; }

	const std::vector<uint8_t> &bytes() const { return bytes_; }
	// Drops the bytes once they are written. The open packet continues.
	void clear() { bytes_.clear(); }
	std::vector<uint8_t> take() { return std::exchange(bytes_, {}); }

private:
	std::vector<uint8_t> bytes_;
	PacketHead head_;
	bool open_ = false;
};

// Stores text in a field that ends with a NUL.
void store_name(uint8_t *field, size_t room, std::string_view text);

// Stores the fields of RING that are not sequenced.
void store_ring(uint8_t *record, const RingFacts &ring);

} // namespace grtrace
