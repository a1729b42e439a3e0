// SPDX-License-Identifier: GPL-2.0
#include "exec_window.h"

#include <algorithm>

namespace grtrace {

static bool ends_after(uint64_t ts, const Execution &execution)
{
	return ts < execution.end;
}

void ExecWindow::add(const Execution &execution)
{
	if (executions_.size() == limit) {
		auto kept = executions_.begin() + limit / 4;

		forgot_until_ = std::max(forgot_until_, (kept - 1)->end);
		executions_.erase(executions_.begin(), kept);
	}
	if (executions_.empty() || executions_.back().end <= execution.end)
		return executions_.push_back(execution);
	executions_.insert(std::upper_bound(executions_.begin(),
					    executions_.end(), execution.end,
					    ends_after),
			   execution);
}

std::span<const Execution> ExecWindow::ended_by(uint64_t ts) const
{
	return {executions_.begin(),
		std::upper_bound(executions_.begin(), executions_.end(), ts,
				 ends_after)};
}

} // namespace grtrace
