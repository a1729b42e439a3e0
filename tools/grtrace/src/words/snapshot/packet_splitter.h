// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/packet_output.h"
#include "lib/text/status.h"

#include <cstdint>
#include <map>
#include <string>

namespace grtrace {

// Splits a stream in which the packets of all CPUs follow each other into one
// file per CPU, <base>.grtrace.<cpu>, each with the tables in front, as a
// recording has them: a reader then merges CPUs of any size. With the base "-"
// the stream goes to stdout as it is. It knows records by their size and
// packets by their CPU, and nothing else.
class PacketSplitter {
public:
	explicit PacketSplitter(std::string base);

	// Any pieces of the stream, in order.
	Status feed(const char *data, size_t size);

	// Nothing more will come.
	Status finish();

	uint64_t bytes() const { return bytes_; }

	// The content of packets that belong to no CPU.
	const std::string &tables() const { return tables_; }

private:
	Status walk(size_t *done);
	Status enter_packet(const uint8_t *record, uint16_t size);
	Status switch_to(uint32_t cpu);
	Status flush(size_t end);
	Status damaged(const char *what, size_t at) const;

	const std::string base_;
	std::string pending_; // from the last whole record on
	size_t run_ = 0; // in pending_: not yet written from here on
	uint64_t bytes_ = 0;
	uint64_t walked_ = 0; // bytes before pending_
	std::string tables_;
	std::map<uint32_t, Output> outputs_; // by CPU; stdout is 0
	Output *output_ = nullptr; // of the packet, none for tables
	bool in_packet_ = false;
};

} // namespace grtrace
