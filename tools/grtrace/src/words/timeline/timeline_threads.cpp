// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_threads.h"

#include <algorithm>

namespace grtrace {

bool TimelineThreads::has_room() const
{
	return (rows_ + 1) * grid_.capacity() * 2 * sizeof(uint64_t) <= memory_max;
}

// The rows of a thread: waits, failures, and ioctls without a row of their own.
TimelineThreads::Thread *TimelineThreads::thread_of(uint32_t pid)
{
	if (!index_of_.find(pid)) {
		if (!has_room())
			return nullptr;
		rows_ += 3;
		index_of_.get(pid) = static_cast<uint32_t>(threads_.size());
		threads_.push_back(std::make_unique<Thread>());
		threads_.back()->pid = threads_.back()->tgid = pid;
	}
	Thread &thread = *threads_[*index_of_.find(pid)];
	const Task *task = thread.comm.empty() ? session_.tasks.find(pid) : nullptr;
	if (task) {
		thread.tgid = task->tgid;
		thread.comm = task->name();
	}
	return &thread;
}

TimelineSums &TimelineThreads::sums_of(Thread &thread, uint32_t kind)
{
	auto find = [&](uint32_t wanted) {
		return std::find_if(thread.lanes.begin(), thread.lanes.end(),
				    [&](const Lane &lane) { return lane.kind == wanted; });
	};
	auto found = find(kind);

	if (found == thread.lanes.end() && !has_room()) {
		kind = others;
		found = find(kind);
	}
	if (found == thread.lanes.end()) {
		rows_ += kind != others;
		thread.lanes.push_back({kind, {}});
		found = thread.lanes.end() - 1;
	}
	return found->sums;
}

// Even the shortest time becomes visible. Returns how much of it is within the grid.
uint64_t TimelineThreads::add(TimelineSums &sums, uint64_t from, uint64_t to) const
{
	to = std::min(to, grid_.end());
	if (from >= to)
		from = to - (to > grid_.origin());
	from = std::max(from, grid_.origin());
	if (from >= to)
		return 0;
	sums.add(grid_, from, to, 1);
	return to - from;
}

void TimelineThreads::called(const Call &call)
{
	Thread *thread = thread_of(call.pid);

	if (!thread) {
		left_out_++;
		return;
	}
	if (call.kind >= all_.size())
		all_.resize(call.kind + size_t(1));
	const uint64_t drawn = add(sums_of(*thread, call.kind), call.enter, call.exit);

	thread->ioctls++;
	thread->in_ioctls += drawn;
	all_[call.kind].calls++;
	all_[call.kind].ns += drawn;
	if (!call.failed())
		return;
	thread->failed++;
	all_[call.kind].failed++;
	add(thread->failures, call.exit, call.exit);
}

void TimelineThreads::wait_over(const Wait &wait)
{
	Thread *thread = thread_of(wait.pid);

	if (!thread) {
		left_out_++;
		return;
	}
	thread->waits++;
	// It is not known how long the wait was, and the rest of the drawing would be
	// wrong.
	if (!wait.end_lost)
		thread->in_waits += add(thread->waited, wait.from, wait.to);
}

} // namespace grtrace
