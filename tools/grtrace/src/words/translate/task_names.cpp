// SPDX-License-Identifier: GPL-2.0
#include "words/translate/task_names.h"

#include "drive/control/views.h"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace grtrace {

namespace {

std::string read_file(const std::string &path)
{
	FILE *file = fopen(path.c_str(), "re");
	std::string text;
	char bytes[4096];

	if (!file)
		return text;
	while (const size_t got = fread(bytes, 1, sizeof(bytes), file))
		text.append(bytes, got);
	fclose(file);
	return text;
}

// Returns the rest of the line that begins with @name.
std::string_view line_of(std::string_view text, std::string_view name)
{
	const size_t at = text.find(name);

	if (at == text.npos)
		return {};
	text.remove_prefix(at + name.size());
	return text.substr(0, text.find('\n'));
}

// Calls fn(pid, rest) for each line of a number and a text.
template <typename Fn> void for_each_pid(const std::string &text, Fn fn)
{
	for (const std::string &line : split(text, '\n')) {
		const size_t space = line.find(' ');
		uint64_t pid;

		if (space != line.npos &&
		    parse_number(std::string_view(line).substr(0, space), &pid))
			fn(static_cast<uint32_t>(pid), line.substr(space + 1));
	}
}

} // namespace

bool TaskNames::read_proc(uint32_t pid, Task *task) const
{
	const std::string text = read_file(fmt::format("{}/{}/status", proc_, pid));
	uint64_t tgid;

	if (!parse_number(line_of(text, "\nTgid:\t"), &tgid))
		return false;
	task->tgid = static_cast<uint32_t>(tgid);
	task->comm = line_of(text, "Name:\t");
	return true;
}

void TaskNames::read_tracing()
{
	gone_.clear();
	for_each_pid(read_file(tracing_ + "/saved_cmdlines"),
		     [this](uint32_t pid, const std::string &comm) { gone_[pid].comm = comm; });
	for_each_pid(read_file(tracing_ + "/saved_tgids"),
		     [this](uint32_t pid, const std::string &rest) {
			     uint64_t tgid;

			     if (parse_number(rest, &tgid))
				     gone_[pid].tgid = static_cast<uint32_t>(tgid);
		     });
	remembered_ = true;
}

bool TaskNames::learn(uint32_t pid, uint32_t tgid, std::string_view comm)
{
	const auto [found, is_new] = tasks_.try_emplace(pid);
	Task &task = found->second;

	if (!is_new && (!tgid || tgid == task.tgid) && (comm.empty() || comm == task.comm))
		return false;
	if (tgid)
		task.tgid = tgid;
	if (!comm.empty())
		task.comm = comm;
	else if (task.comm.empty())
		task.comm = "?";
	return true;
}

const TaskNames::Task &TaskNames::find(uint32_t pid)
{
	const auto found = tasks_.find(pid);

	if (found != tasks_.end())
		return found->second;
	Task task;
	if (pid == 0) {
		task.comm = "swapper";
	} else if (!read_proc(pid, &task)) {
		if (!remembered_)
			read_tracing();
		const auto gone = gone_.find(pid);
		if (gone != gone_.end())
			task = gone->second;
		else
			task.comm = "?";
	}
	return tasks_[pid] = task;
}

} // namespace grtrace
