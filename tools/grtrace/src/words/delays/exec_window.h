// SPDX-License-Identifier: GPL-2.0
//
// ExecWindow: what a ring executed last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace grtrace {

// A job's time on its ring, and whose it was.
struct Execution {
	uint64_t start = 0;
	uint64_t end = 0;
	uint64_t ctx = 0;
	uint64_t seqno = 0;
	uint32_t process = 0;
	uint32_t weight = 1;
};

// Takes executions about in the order in which they end and keeps the last
// `limit` at most, half of it at least: 160 KiB.
class ExecWindow {
public:
	static constexpr size_t limit = 4096;

	void add(const Execution &execution);
	// Some will be added soon: the last ones, and the place of the next,
	// should be at hand by then.
	void expect(size_t executions) const;
	// In the order of their ends.
	std::span<const Execution> ended_by(uint64_t ts) const;
	// Of what ended until then it may have forgotten some.
	uint64_t forgot_until() const { return forgot_until_; }

private:
	std::vector<Execution> executions_; // by end
	uint64_t forgot_until_ = 0;
};

} // namespace grtrace
