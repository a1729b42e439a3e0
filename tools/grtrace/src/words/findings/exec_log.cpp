// SPDX-License-Identifier: GPL-2.0
#include "words/findings/exec_log.h"

#include <algorithm>

namespace grtrace {

static bool ends_after(uint64_t ts, const RingExecution &execution)
{
	return ts < execution.end;
}

void ExecLog::drop_old_half()
{
	auto kept = executions_.begin() + limit / 2;

	forgot_until_ = std::max(forgot_until_, (kept - 1)->end);
	executions_.erase(executions_.begin(), kept);
}

void ExecLog::add(const RingExecution &execution)
{
	if (executions_.empty() || executions_.back().end <= execution.end)
		return executions_.push_back(execution);
	executions_.insert(
		std::upper_bound(executions_.begin(), executions_.end(), execution.end, ends_after),
		execution);
}

// Most ask for the time of one of the last.
std::span<RingExecution> ExecLog::ended_by(uint64_t ts)
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

RingExecution *ExecLog::find(const JobName &job, uint64_t end)
{
	const std::span<RingExecution> ended = ended_by(end);

	for (size_t i = ended.size(); i && ended[i - 1].end == end; i--)
		if (ended[i - 1].ctx == job.ctx && ended[i - 1].seqno == job.seqno)
			return &ended[i - 1];
	return nullptr;
}

} // namespace grtrace
