// SPDX-License-Identifier: GPL-2.0
//
// ClientTable: finds the DRM client that submitted a job.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "read/stream/event.h"

namespace grtrace {

// Learns from CLIENT notes in the order of the trace. A note is valid on the CPU that wrote
// it, until another note takes its place in that CPU's table. Memory: 2 KiB for each CPU
// with such a note.
class ClientTable {
public:
	void learn(const Event &note);

	// Returns the client of a job, given its SUBMIT; 0 if none is known.
	uint64_t of(const Event &submit) const
	{
		return submit.cpu < cpus_.size() ? known(submit) : 0;
	}

private:
	struct Place {
		uint64_t ctx = 0;
		uint64_t client = 0;
	};

	uint64_t known(const Event &submit) const;

	std::vector<std::vector<Place>> cpus_;
};

} // namespace grtrace
