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
	near_ -= std::min(near_, limit / 2);
}

void ExecLog::add(const RingExecution &execution)
{
	if (executions_.empty() || executions_.back().end <= execution.end)
		return executions_.push_back(execution);
	executions_.insert(
		std::upper_bound(executions_.begin(), executions_.end(), execution.end, ends_after),
		execution);
}

// Most ask for a time near the one that was asked for before.
std::span<RingExecution> ExecLog::ended_by(uint64_t ts)
{
	constexpr size_t few = 16;
	const size_t size = executions_.size();
	size_t at = std::min(near_, size);
	size_t steps = 0;

	while (at < size && executions_[at].end <= ts && steps++ < few)
		at++;
	while (at && executions_[at - 1].end > ts && steps++ < few)
		at--;
	if (steps > few)
		at = static_cast<size_t>(
			std::upper_bound(executions_.begin(), executions_.end(), ts, ends_after) -
			executions_.begin());
	near_ = at;
	return {executions_.data(), at};
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
