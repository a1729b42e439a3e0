// SPDX-License-Identifier: GPL-2.0
#include "words/delays/process_list.h"

namespace grtrace {

uint32_t ProcessList::look_up(uint32_t pid, TaskTable &tasks)
{
	const Task *leader = tasks.leader(pid);
	uint32_t tgid = leader ? leader->tgid : pid;
	uint32_t &number = numbers_.get(tgid);

	if (!number) {
		number = static_cast<uint32_t>(processes_.size());
		processes_.push_back({tgid, {}});
	}
	// An earlier record that names it may have been lost.
	if (leader && processes_[number].comm.empty())
		processes_[number].comm = leader->name();
	return number;
}

inline uint32_t ProcessList::number_of(uint32_t pid, TaskTable &tasks)
{
	if (known_since_ != tasks.learned()) {
		known_since_ = tasks.learned();
		known_.clear();
	}

	const uint32_t *known = known_.find(pid);

	return known ? *known : known_.get(pid) = look_up(pid, tasks);
}

uint32_t ProcessList::find(const Job &job, TaskTable &tasks)
{
	return job.submit_ts == Job::none ? unknown : number_of(job.pid, tasks);
}

uint32_t ProcessList::find(uint32_t pid, TaskTable &tasks)
{
	return pid ? number_of(pid, tasks) : unknown;
}

} // namespace grtrace
