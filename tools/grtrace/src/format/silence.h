// SPDX-License-Identifier: GPL-2.0
//
// Silence: a recording that had nothing to listen to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace grtrace {

// For a recording without a job: could one of its sources have reported jobs? Fences
// and waits for them exist without any GPU.
class Silence {
public:
	// found: of the tracepoints it knows. One that knows none is a driver that
	// calls us itself.
	void add(std::string_view source, uint64_t found, uint64_t known);

	// Empty: there was one. Otherwise the reason, and what to do.
	std::string sentence() const;

private:
	std::string absent_; // "drm_sched, virtio_gpu"
	bool heard_ = false;
};

} // namespace grtrace
