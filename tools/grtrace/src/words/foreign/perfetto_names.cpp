// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/perfetto_names.h"

#include <algorithm>
#include <utility>

#include "words/foreign/wire_reader.h"

namespace grtrace {

namespace {

// Numbers of fields of ProcessTree, and of its Process and Thread.
constexpr uint32_t tree_process = 1, tree_thread = 2;
constexpr uint32_t process_pid = 1, process_words = 3;
constexpr uint32_t thread_tid = 1, thread_name = 2, thread_tgid = 3;

// A name is cut to 15 bytes in any case.
constexpr size_t name_max = 64;

// "/usr/bin/game", "Z:\games\game.exe --full" or a name that is none of a file.
std::string name_of(std::string_view command)
{
	const bool is_windows = command.size() > 2 && command.substr(1, 2) == ":\\";

	if (command.starts_with('/') || command.starts_with("./") || is_windows) {
		command = command.substr(0, command.find(" -"));
		const size_t slash = command.find_last_of(is_windows ? "\\" : "/");
		if (slash + 1 < command.size())
			command.remove_prefix(slash + 1);
	}
	return std::string(command.substr(0, name_max));
}

} // namespace

void PerfettoNames::add(uint32_t pid, Name name)
{
	if (count_ >= names_max || !pid || (name.name.empty() && !name.tgid))
		return;
	std::vector<Name> &names = names_[pid];
	if (names.size() >= names_of_one_max)
		return;
	if (!names.empty() && names.back().tgid == name.tgid && names.back().name == name.name)
		return;
	count_++;
	names.insert(std::upper_bound(names.begin(), names.end(), name.ts,
				      [](uint64_t ts, const Name &one) { return ts < one.ts; }),
		     std::move(name));
}

void PerfettoNames::take_process(uint64_t ts, std::string_view process)
{
	WireReader reader(process);
	WireReader::Field field;
	uint32_t pid = 0;
	std::string name;

	while (reader.next(&field)) {
		if (field.number == process_pid && !field.is_bytes)
			pid = uint32_t(field.value);
		else if (field.number == process_words && field.is_bytes && name.empty())
			name = name_of(field.bytes);
	}
	add(pid, {ts, pid, std::move(name)});
}

// The first thread of a process has the process's name.
void PerfettoNames::take_thread(uint64_t ts, std::string_view thread)
{
	WireReader reader(thread);
	WireReader::Field field;
	uint32_t tid = 0, tgid = 0;
	std::string_view name;

	while (reader.next(&field)) {
		if (field.number == thread_tid && !field.is_bytes)
			tid = uint32_t(field.value);
		else if (field.number == thread_tgid && !field.is_bytes)
			tgid = uint32_t(field.value);
		else if (field.number == thread_name && field.is_bytes)
			name = field.bytes.substr(0, name_max);
	}
	if (tid != tgid || !find(tid, ts))
		add(tid, {ts, tgid, std::string(name)});
}

void PerfettoNames::take_tree(uint64_t ts, std::string_view tree)
{
	WireReader::Field field;

	for (WireReader reader(tree); reader.next(&field);)
		if (field.number == tree_process && field.is_bytes)
			take_process(ts, field.bytes);
	for (WireReader reader(tree); reader.next(&field);)
		if (field.number == tree_thread && field.is_bytes)
			take_thread(ts, field.bytes);
}

const PerfettoNames::Name *PerfettoNames::find(uint32_t pid, uint64_t ts) const
{
	const auto known = names_.find(pid);
	const Name *found = nullptr;

	if (known == names_.end())
		return nullptr;
	for (const Name &name : known->second)
		if (!found || name.ts <= ts)
			found = &name;
	return found;
}

} // namespace grtrace
