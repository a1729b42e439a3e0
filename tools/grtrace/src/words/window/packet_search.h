// SPDX-License-Identifier: GPL-2.0
//
// PacketSearch: finds packets of a file without reading all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace grtrace {

// The place of a packet, and the fields of its PACKET record.
struct PacketAt {
	uint64_t offset;
	uint64_t end; // of the PACKET record
	uint64_t session;
	uint64_t ts;
	uint64_t gseq;
	uint64_t cseq;
	uint64_t lost;
	uint32_t cpu;
};

// Packets have no fixed steps: a reader that waits for more makes the kernel close one early.
// So packets are found by their magic, which is at an 8-byte step and comes with the session's
// id: no other record looks like that by chance.
class PacketSearch {
public:
	// A file that is not a regular one has no bytes. session 0: any.
	explicit PacketSearch(int fd, uint64_t session = 0);

	uint64_t size() const { return size_; }

	// Returns the first packet that begins in this part of the file.
	std::optional<PacketAt> first_in(uint64_t begin, uint64_t end);
	// Returns the last packet that is not after ts, or else the first one. Packets are in
	// the order of time from first to the end, which is the end of a packet.
	PacketAt last_until(uint64_t ts, PacketAt first, uint64_t end);

	// The end of the file.
	struct Tail {
		std::optional<PacketAt> last; // the last packet of a CPU
		uint64_t tables; // where the tables behind it begin, or the end
	};
	// first: the first packet of a CPU
	Tail tail(const PacketAt &first);

private:
	static constexpr size_t block = 64 * 1024;

	std::optional<PacketAt> packet(const uint8_t *record, uint64_t offset) const;

	const int fd_;
	const uint64_t session_;
	uint64_t size_ = 0;
	std::vector<uint8_t> buffer_;
};

} // namespace grtrace
