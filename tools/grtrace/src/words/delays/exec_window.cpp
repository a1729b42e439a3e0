// SPDX-License-Identifier: GPL-2.0
#include "words/delays/exec_window.h"

#include <algorithm>

namespace grtrace {

static bool ends_after(uint64_t ts, const Execution &execution)
{
	return ts < execution.end;
}

void ExecWindow::add(const Execution &execution)
{
	if (executions_.size() == limit) {
		auto kept = executions_.begin() + limit / 2;

		forgot_until_ = std::max(forgot_until_, (kept - 1)->end);
		executions_.erase(executions_.begin(), kept);
	}
	if (executions_.empty() || executions_.back().end <= execution.end)
		return executions_.push_back(execution);
	executions_.insert(
		std::upper_bound(executions_.begin(), executions_.end(), execution.end, ends_after),
		execution);
}

// Where they will be may not be there yet, so the place is a number.
void ExecWindow::expect(size_t executions) const
{
	constexpr uintptr_t line = 64;
	const uintptr_t end = reinterpret_cast<uintptr_t>(executions_.data() + executions_.size());
	const uintptr_t size = executions * sizeof(Execution);

	for (uintptr_t at = end - size / 2; at < end + size; at += line)
		__builtin_prefetch(reinterpret_cast<const void *>(at), 1);
}

// Most ask for the time of one of the last.
std::span<const Execution> ExecWindow::ended_by(uint64_t ts) const
{
	auto from = executions_.end(), to = from;
	std::ptrdiff_t step = 1;

	while (from != executions_.begin() && ends_after(ts, from[-1])) {
		to = from - 1;
		from -= std::min(step, from - executions_.begin());
		step *= 2;
	}
	return {executions_.begin(), std::upper_bound(from, to, ts, ends_after)};
}

} // namespace grtrace
