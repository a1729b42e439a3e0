// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "format/host_facts.h"
#include "words/live/capture_start.h"

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

class RingNames;

// A source, as in METADATA.
struct TraceSource {
	std::string name;
	unsigned int found = 0; // events that exist
	unsigned int known = 0; // events that this kernel could have
};

// Facts that a capture states about itself.
struct StreamNotes : CaptureStart {
	std::string recorder = "tracefs"; // one word
	uint64_t features = 0;
	uint32_t subbuf_bytes = 0;
	uint32_t subbufs = 0;
	uint32_t cpus = 0;
	bool stopped = false; // all that there is was written
	std::vector<TraceSource> sources;
	HostFacts host;
	std::vector<std::string> untold; // facts that no event has, one word each
};

// Returns STREAM_INFO, METADATA and the rings met so far, as one packet.
std::vector<uint8_t> notes_packet(const StreamNotes &notes, RingNames &rings);

} // namespace grtrace
