// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/fd.h"
#include "lib/text/status.h"

#include <cstdint>
#include <string>

struct bpf_link;
struct bpf_program;

namespace grtrace {

// A BPF program where a function of the kernel returns, made through tracefs:
// only there one can say how many tasks may be inside at a time. perf's own
// return probes forget those beyond 10.
class ReturnProbe {
public:
	ReturnProbe() = default;
	ReturnProbe(const ReturnProbe &) = delete;
	ReturnProbe &operator=(const ReturnProbe &) = delete;
	~ReturnProbe() { remove(); }

	Status attach(const bpf_program *program, const std::string &function);

	// Ends it; returns that were missed since the start, as too many tasks
	// were inside.
	uint64_t remove();

private:
	uint64_t missed() const;

	std::string name_; // empty: not there
	bpf_link *link_ = nullptr;
};

} // namespace grtrace
