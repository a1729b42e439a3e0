// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/trace_instance.h"

#include "drive/control/views.h"
#include "lib/run/process_mark.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace grtrace {

namespace {

constexpr std::string_view prefix = "grtrace.";

std::string own_name()
{
	return fmt::format("{}{}", prefix, process_mark('.'));
}

// Returns whether this is an instance whose process is gone.
bool is_left_behind(std::string_view name)
{
	return name.starts_with(prefix) && is_mark_of_gone(name.substr(prefix.size()), '.');
}

// The kernel refuses to remove an instance that is open.
void remove_left_behind(const std::string &tracing, std::vector<std::string> *left)
{
	const std::string instances = tracing + "/instances";
	std::vector<std::string> names;
	DIR *directory = opendir(instances.c_str());

	if (!directory)
		return;
	while (const struct dirent *entry = readdir(directory)) {
		if (is_left_behind(entry->d_name))
			names.push_back(entry->d_name);
	}
	closedir(directory);
	for (const std::string &name : names) {
		if (!rmdir((instances + "/" + name).c_str()))
			left->push_back(name);
	}
}

Status explain(const std::string &what, int error)
{
	if (error == EACCES || error == EPERM)
		return Status::error("{}: {}: only root may record from tracefs, try sudo", what,
				     strerror(error));
	return Status::error("{}: {}", what, strerror(error));
}

} // namespace

Status TraceInstance::create(std::vector<std::string> *left)
{
	const char *tracing = tracefs_tracing_dir();

	if (!tracing)
		return Status::error(
			"there is no tracefs: mount -t tracefs tracefs "
			"/sys/kernel/tracing (as root); it needs a kernel with ftrace");
	if (access(tracing, R_OK | X_OK) < 0)
		return explain(tracing, errno);
	remove_left_behind(tracing, left);
	name_ = own_name();
	errno = 0;
	instance_ = tracefs_instance_create(name_.c_str());
	if (!instance_)
		return explain(fmt::format("{}/instances/{}", tracing, name_), errno);
	return switch_on(false);
}

void TraceInstance::remove()
{
	if (!instance_)
		return;
	tracefs_instance_destroy(instance_);
	tracefs_instance_free(instance_);
	instance_ = nullptr;
}

Status TraceInstance::write(const char *file, const std::string &text) const
{
	errno = 0;
	if (tracefs_instance_file_write(instance_, file, text.c_str()) >= 0)
		return Status();
	return explain(fmt::format("{} of the tracefs instance {}, given '{}'", file, name_, text),
		       errno);
}

Status TraceInstance::set_clock(const std::string &clock)
{
	return write("trace_clock", clock);
}

bool TraceInstance::copy_markers() const
{
	return tracefs_file_exists(instance_, "options/copy_trace_marker") &&
	       set_option("copy_trace_marker").ok();
}

Status TraceInstance::set_option(const char *option) const
{
	return write(fmt::format("options/{}", option).c_str(), "1");
}

Status TraceInstance::set_buffers(size_t kib, size_t count)
{
	const size_t page_kib = getpagesize() / 1024;
	const size_t total = kib * count;
	size_t subbuf = kib;

	// A sub-buffer needs contiguous memory: if there is none of that size, take less.
	if (!tracefs_file_exists(instance_, "buffer_subbuf_size_kb"))
		subbuf = page_kib;
	while (subbuf > page_kib && !write("buffer_subbuf_size_kb", fmt::format("{}", subbuf)).ok())
		subbuf /= 2;
	subbuf_bytes_ = std::max(subbuf, page_kib) * 1024;
	Status status = write("buffer_size_kb", fmt::format("{}", total));
	if (!status.ok())
		return Status::error("there is not enough memory for buffers of {} KiB for each "
				     "CPU: use a smaller buffer size (-b) or fewer buffers (-n)",
				     total);
	return status;
}

bool TraceInstance::has_event(const char *system, const char *name) const
{
	return tracefs_event_file_exists(instance_, system, name, "format");
}

Status TraceInstance::format(const char *system, const char *name, std::string *text) const
{
	char *read = tracefs_event_file_read(instance_, system, name, "format", nullptr);

	if (!read)
		return explain(fmt::format("the format of {}:{}", system, name), errno);
	*text = read;
	free(read);
	return Status();
}

Status TraceInstance::enable(const char *system, const char *name) const
{
	errno = 0;
	if (!tracefs_event_enable(instance_, system, name))
		return Status();
	return explain(fmt::format("cannot enable {}:{}", system, name), errno);
}

Status TraceInstance::switch_on(bool on) const
{
	errno = 0;
	if (!(on ? tracefs_trace_on(instance_) : tracefs_trace_off(instance_)))
		return Status();
	return explain(fmt::format("tracing_on of the tracefs instance {}", name_), errno);
}

std::vector<unsigned int> TraceInstance::cpus() const
{
	char *path = tracefs_instance_get_file(instance_, "per_cpu");
	std::vector<unsigned int> cpus;
	DIR *directory = path ? opendir(path) : nullptr;

	tracefs_put_tracing_file(path);
	if (!directory)
		return cpus;
	while (const struct dirent *entry = readdir(directory)) {
		const std::string_view name = entry->d_name;
		uint64_t cpu;

		if (name.starts_with("cpu") && parse_number(name.substr(3), &cpu))
			cpus.push_back(static_cast<unsigned int>(cpu));
	}
	closedir(directory);
	std::sort(cpus.begin(), cpus.end());
	return cpus;
}

Status TraceInstance::open_cpu(unsigned int cpu, Fd *fd) const
{
	const std::string file = fmt::format("per_cpu/cpu{}/trace_pipe_raw", cpu);

	errno = 0;
	*fd = Fd(tracefs_instance_file_open(instance_, file.c_str(),
					    O_RDONLY | O_NONBLOCK | O_CLOEXEC));
	return fd->is_open() ? Status() : explain(file, errno);
}

Status TraceInstance::stats(unsigned int cpu, BufferStats *stats) const
{
	const std::string file = fmt::format("per_cpu/cpu{}/stats", cpu);
	char *text = tracefs_instance_file_read(instance_, file.c_str(), nullptr);

	if (!text)
		return explain(file, errno);
	for (const std::string &line : split(text, '\n')) {
		const size_t colon = line.find(": ");
		uint64_t value;

		if (colon == line.npos ||
		    !parse_number(std::string_view(line).substr(colon + 2), &value))
			continue;
		const std::string name = line.substr(0, colon);
		if (name == "overrun")
			stats->overrun = value;
		else if (name == "commit overrun" || name == "dropped events")
			stats->refused += value;
	}
	free(text);
	return Status();
}

} // namespace grtrace
