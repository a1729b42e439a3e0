// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

class RingNames;

// A source, as METADATA has it.
struct TraceSource {
	std::string name;
	unsigned int found = 0; // events that are there
	unsigned int known = 0; // that this kernel could have
};

// What a capture says of itself.
struct StreamNotes {
	uint64_t session = 0;
	uint64_t features = 0;
	uint64_t start_ts = 0;
	uint64_t start_real = 0;
	uint32_t clock = 0;
	uint32_t subbuf_bytes = 0;
	uint32_t subbufs = 0;
	uint32_t cpus = 0;
	std::vector<TraceSource> sources;
	std::vector<std::string> untold; // what no event says, one word each

	// The clocks of this moment; a session's id.
	void start(uint32_t clock_id);
};

// Now, on one of the stream's clocks.
uint64_t clock_now(uint32_t clock_id);

// STREAM_INFO, METADATA and the rings met so far, as one packet.
std::vector<uint8_t> notes_packet(const StreamNotes &notes, RingNames &rings);

} // namespace grtrace
