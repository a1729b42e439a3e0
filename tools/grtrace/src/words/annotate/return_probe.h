// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/fd.h"
#include "lib/text/status.h"

#include <cstdint>
#include <string>

struct bpf_link;
struct bpf_program;

namespace grtrace {

// A BPF program at the return of a kernel function, attached through tracefs: only tracefs
// can set how many tasks may be inside the function at a time. perf's own return probes
// miss tasks beyond 10.
class ReturnProbe {
public:
	ReturnProbe() = default;
	ReturnProbe(const ReturnProbe &) = delete;
	ReturnProbe &operator=(const ReturnProbe &) = delete;
	~ReturnProbe() { remove(); }

	Status attach(const bpf_program *program, const std::string &function);

	// Removes the probe. Returns how many returns were missed because too many tasks
	// were inside.
	uint64_t remove();

private:
	uint64_t missed() const;

	std::string name_; // empty: there is no probe
	bpf_link *link_ = nullptr;
};

} // namespace grtrace
