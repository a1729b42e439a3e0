// SPDX-License-Identifier: GPL-2.0
#include "words/translate/running_jobs.h"

namespace grtrace {

namespace {

constexpr size_t max_tasks = 4096;

} // namespace

RunningJobs::Run &RunningJobs::of(uint32_t pid)
{
	if (tasks_.size() >= max_tasks && !tasks_.count(pid))
		tasks_.clear();
	return tasks_[pid] = Run();
}

void RunningJobs::take(uint32_t pid, const Stranger &stranger)
{
	if (stranger.address)
		of(pid).stranger = stranger;
	else
		tasks_.erase(pid);
}

RunningJobs::Stranger RunningJobs::begin(uint32_t pid, std::string_view ring, const FenceId &key)
{
	const auto taken = tasks_.find(pid);
	const Stranger stranger = taken == tasks_.end() ? Stranger() : taken->second.stranger;
	Run &run = of(pid);

	run.ring = ring;
	run.key = key;
	return stranger;
}

// A job that updates a page table makes a fence for that before its own, so the last fence
// counts.
void RunningJobs::made(uint32_t pid, std::string_view ring, const FenceId &fence)
{
	const auto task = tasks_.find(pid);

	if (task == tasks_.end() || task->second.ring != ring || ring.empty())
		return;
	task->second.fence = fence;
	task->second.has_fence = true;
}

FenceId RunningJobs::end(uint32_t pid, const FenceId &key, const FenceId &otherwise)
{
	const auto task = tasks_.find(pid);
	FenceId fence = otherwise;

	if (task == tasks_.end())
		return fence;
	if (task->second.has_fence && task->second.key == key)
		fence = task->second.fence;
	tasks_.erase(task);
	return fence;
}

} // namespace grtrace
