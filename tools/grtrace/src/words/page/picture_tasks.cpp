// SPDX-License-Identifier: GPL-2.0
#include "words/page/picture_tasks.h"

namespace grtrace {

uint32_t PictureTasks::process_of(uint32_t tgid, const std::string &comm)
{
	auto [at, is_new] =
		groups_.try_emplace(Key(tgid, 0, comm), static_cast<uint32_t>(processes_.size()));

	if (is_new)
		processes_.push_back({tgid, comm, others, 0});
	return at->second;
}

uint32_t PictureTasks::find(uint32_t pid, const Task *task, const Task *leader)
{
	const uint32_t tgid = task ? task->tgid : pid;
	const std::string_view comm = task ? task->name() : std::string_view();

	if (const uint32_t *known = latest_.find(pid)) {
		const Entry &entry = entries_[*known];

		if (entry.tgid == tgid && entry.comm == comm)
			return *known;
	}

	auto [at, is_new] = names_.try_emplace(Key(pid, tgid, std::string(comm)),
					       static_cast<uint32_t>(entries_.size()));
	if (is_new) {
		const std::string name(leader ? leader->name() : comm);

		entries_.push_back({pid, tgid, process_of(tgid, name), std::string(comm)});
	}
	latest_.get(pid) = at->second;
	return at->second;
}

// Returns a free slot, or the one whose owner is the least busy.
uint32_t PictureTasks::least() const
{
	uint32_t least = 0;

	for (uint32_t slot = 0; slot < slots; slot++) {
		if (!owners_[slot])
			return slot;
		if (processes_[owners_[slot]].busy < processes_[owners_[least]].busy)
			least = slot;
	}
	return least;
}

uint32_t PictureTasks::use(uint32_t task, double busy, uint32_t &evicted)
{
	const uint32_t number = entries_[task].process;
	Process &process = processes_[number];

	evicted = others;
	process.busy += busy;
	if (process.slot != others || number == 0)
		return process.slot;

	const uint32_t slot = least();
	if (const uint32_t owner = owners_[slot]) {
		if (process.busy <= 2 * processes_[owner].busy)
			return others;
		processes_[owner].slot = others;
		evicted = slot;
	}
	owners_[slot] = number;
	process.slot = slot;
	return slot;
}

} // namespace grtrace
