// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/packet_output.h"
#include "lib/text/status.h"

#include <cstdint>
#include <map>
#include <string>

namespace grtrace {

// Splits a stream in which the packets of all CPUs follow each other into one file per CPU,
// <base>.grtrace.<cpu>. Each file begins with the tables, as in a recording, so a reader
// can merge files of any size. If the base is "-", the stream goes to stdout unchanged. The
// class only knows the sizes of records and the CPUs of packets.
class PacketSplitter {
public:
	explicit PacketSplitter(std::string base);

	// Takes the stream in pieces of any size, in order.
	Status feed(const char *data, size_t size);

	// Ends the stream: no more bytes will come.
	Status finish();

	uint64_t bytes() const { return bytes_; }

	// Returns the content of the packets that belong to no CPU.
	const std::string &tables() const { return tables_; }

private:
	Status walk(size_t *done);
	Status enter_packet(const uint8_t *record, uint16_t size);
	Status switch_to(uint32_t cpu);
	Status flush(size_t end);
	Status damaged(const char *what, size_t at) const;

	const std::string base_;
	std::string pending_; // everything since the last whole record
	size_t run_ = 0; // bytes of pending_ from here on are not written yet
	uint64_t bytes_ = 0;
	uint64_t walked_ = 0; // bytes before pending_
	std::string tables_;
	std::map<uint32_t, Output> outputs_; // by CPU; stdout is 0
	Output *output_ = nullptr; // output of the current packet, nullptr for tables
	bool in_packet_ = false;
};

} // namespace grtrace
