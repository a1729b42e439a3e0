// SPDX-License-Identifier: GPL-2.0
//
// In an undamaged capture at most one LOST per CPU waits, so lists are searched from the beginning.
#include "read/capture/loss_queue.h"

#include <algorithm>

namespace grtrace {

void LossQueue::add(const Event &lost)
{
	Waiting waiting = {lost, {lost.raw, lost.raw + lost.size}};

	waiting.event.raw = waiting.raw.data();
	waiting_.emplace(lost.ts, std::move(waiting));
	if (lost.cpu >= of_cpu_.size())
		of_cpu_.resize(lost.cpu + 1);
	of_cpu_[lost.cpu]++;
}

size_t LossQueue::before(std::span<const Event> run) const
{
	if (waiting_.empty())
		return run.size();

	const uint64_t due = waiting_.begin()->first;
	const auto next = std::ranges::find_if(run, [&](const Event &event) {
		return event.ts >= due || (event.cpu < of_cpu_.size() && of_cpu_[event.cpu]);
	});
	return static_cast<size_t>(next - run.begin());
}

const Event &LossQueue::take(const Event *next)
{
	auto first = waiting_.begin();

	if (next && first->first > next->ts)
		first = std::ranges::find_if(waiting_, [&](const auto &entry) {
			return entry.second.event.cpu == next->cpu;
		});
	taken_ = std::move(first->second);
	waiting_.erase(first);
	of_cpu_[taken_.event.cpu]--;
	return taken_.event;
}

} // namespace grtrace
