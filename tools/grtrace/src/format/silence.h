// SPDX-License-Identifier: GPL-2.0
//
// Silence: explains why a recording has no jobs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace grtrace {

// Finds out, for a recording without a job, whether one of its sources could have
// reported jobs. Fences, and waits for them, exist even without a GPU.
class Silence {
public:
	// Adds a source. known: how many tracepoints it can use; found: how many exist. A
	// source with known 0 is a driver that calls the API itself.
	void add(std::string_view source, uint64_t found, uint64_t known);

	// Returns the reason and the remedy; empty if a source could have reported jobs.
	std::string sentence() const;

private:
	std::string absent_; // "drm_sched, virtio_gpu"
	bool heard_ = false;
};

} // namespace grtrace
