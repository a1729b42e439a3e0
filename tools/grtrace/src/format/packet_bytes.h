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

// The content of a PACKET. After a record: the content that a PACKET would have
// if the next record began a packet.
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

// What STREAM_INFO says.
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

// The ring behind an id.
struct RingFacts {
	uint32_t id = 0;
	uint32_t engine_class = 0;
	std::string_view device;
	std::string_view driver;
	std::string_view name;
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

// By the rules of grtrace_drm.h, which are kept here and nowhere else: what a
// packet begins with, when another one has to begin, how records are filled up.
// Its owner knows whose records they are, and when and where the bytes are
// written. Memory is that of the bytes that were not cleared.
class PacketBytes {
public:
	void open(const PacketHead &head);
	void close() { open_ = false; }
	// Whether a record may follow in the open packet: each of its 32-bit
	// fields can be widened.
	bool takes(const PacketHead &next) const;
	// Begins a packet if that record needs one.
	void go_to(const PacketHead &next)
	{
		if (!takes(next))
			open(next);
	}

	// Each gives the record, zeroed except for the given fields. The next one
	// invalidates it.
	uint8_t *add(uint16_t type, size_t size);
	uint8_t *add_sequenced(uint16_t type, size_t size, const SeqFacts &seq);
	uint8_t *add_ring(const RingFacts &ring);
	void add_info(const InfoFacts &info);
	void add_metadata(std::string_view text);
	void add_lost(const LostFacts &lost);
	// A record from elsewhere, and the values for the next one.
	void copy(const uint8_t *record, size_t size, const PacketHead &next);

	// The values that the next record is widened from.
	const PacketHead &head() const { return head_; }

	const std::vector<uint8_t> &bytes() const { return bytes_; }
	// The bytes are written: the open packet continues.
	void clear() { bytes_.clear(); }
	std::vector<uint8_t> take() { return std::exchange(bytes_, {}); }

private:
	std::vector<uint8_t> bytes_;
	PacketHead head_;
	bool open_ = false;
};

// Text into a field that ends with a NUL.
void store_name(uint8_t *field, size_t room, std::string_view text);

// RING without its sequenced part.
void store_ring(uint8_t *record, const RingFacts &ring);

} // namespace grtrace
