// SPDX-License-Identifier: GPL-2.0
//
// A name is that of blkparse: a base whose files are searched, a file, or "-". A missing
// file of a CPU is reported, because the capture would look complete without it.
#include "read/capture/capture_input.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/text/utf8_text.h"
#include "lib/text/words_of.h"
#include "read/capture/foreign_trace.h"

namespace grtrace {

static constexpr std::string_view infix = ".grtrace.";

static std::string_view file_name(std::string_view path)
{
	size_t slash = path.rfind('/');

	return slash == path.npos ? path : path.substr(slash + 1);
}

// Returns the CPU of a file name <stem>.grtrace.<cpu>, or -1.
static long cpu_of(std::string_view name, std::string_view stem)
{
	if (name.size() <= stem.size() + infix.size() || !name.starts_with(stem) ||
	    name.substr(stem.size(), infix.size()) != infix)
		return -1;

	unsigned int cpu;
	return whole_number(name.substr(stem.size() + infix.size()), cpu) ? long(cpu) : -1;
}

static std::string_view strip_cpu(std::string_view name)
{
	size_t at = name.rfind(infix);

	const bool is_file = at != name.npos && at && cpu_of(name.substr(at), {}) >= 0;
	return is_file ? name.substr(0, at) : name;
}

// Returns the CPUs that have a file of this base, in ascending order. error: 0, or why an
// existing directory cannot be searched.
static std::vector<unsigned int> find_cpus(const std::string &base, int *error = nullptr)
{
	std::string_view stem = file_name(base);
	std::string folder = base.substr(0, base.size() - stem.size());
	std::vector<unsigned int> cpus;
	DIR *dir = opendir(folder.empty() ? "." : folder.c_str());

	if (error)
		*error = !dir && errno != ENOENT && errno != ENOTDIR ? errno : 0;
	if (!dir)
		return cpus;
	while (const struct dirent *entry = readdir(dir)) {
		long cpu = cpu_of(entry->d_name, stem);

		if (cpu >= 0)
			cpus.push_back(static_cast<unsigned int>(cpu));
	}
	closedir(dir);
	std::sort(cpus.begin(), cpus.end());
	return cpus;
}

std::string CaptureInput::cpu_file(const std::string &base, uint32_t cpu)
{
	return fmt::format("{}{}{}", base, infix, cpu);
}

Status CaptureInput::open_cpu_files(const std::string &base, const std::vector<unsigned int> &cpus,
				    Diagnostics &diagnostics)
{
	unsigned int expected = 0;

	per_cpu = true;
	next_cpu = cpus.back() + 1;
	for (unsigned int cpu : cpus) {
		std::string path = cpu_file(base, cpu);

		// A damaged directory could name a huge CPU, so only a few are reported.
		for (unsigned int n = 0; expected < cpu && n < 16; n++, expected++)
			diagnostics.error(fmt::format(
				"{}{}{} is missing, though there is one for CPU {}: what CPU {} "
				"recorded is not shown; copy the file next to the others",
				base, infix, expected, cpu, expected));
		expected = cpu + 1;

		int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
		struct stat st;
		if (fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
			close(fd);
			fd = -1;
			errno = EISDIR;
		}
		if (fd < 0) {
			diagnostics.error(
				fmt::format("{}: cannot open: {}", path, strerror(errno)));
			continue;
		}
		files.push_back({path, fd});
	}
	if (files.empty())
		return Status::error("{}: none of its CPU files can be opened", base);
	return {};
}

static Status import_if_foreign(InputFile &file, bool live)
{
	return is_foreign_trace(file.fd) ? import_trace(file.path, live, &file.fd, &file.import) :
					   Status();
}

Status CaptureInput::open_single(const std::string &path, int unsearched)
{
	struct stat st;
	int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT && unsearched)
		return Status::error("{}: cannot search its directory for {}{}0: {}", path, path,
				     infix, strerror(unsearched));
	if (fd < 0 && errno == ENOENT)
		return Status::error(
			"{}: no such capture: there is neither a file {}{}0 nor a file {}", path,
			path, infix, path);
	if (fd < 0)
		return Status::error("{}: cannot open: {}", path, strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		return Status::error(
			"{}: is a directory: name the capture in it, without .grtrace.<cpu>", path);
	}
	files.push_back({path, fd});
	return import_if_foreign(files.back(), live);
}

static std::string path_of(const std::string &directory, const std::string &given)
{
	return directory.empty() || given[0] == '/' ? given :
						      fmt::format("{}/{}", directory, given);
}

std::vector<std::string> CaptureInput::paths(const std::string &directory, const std::string &given)
{
	const std::string path = path_of(directory, given);
	const std::string base(strip_cpu(path));
	std::vector<std::string> paths;

	if (given == "-")
		return {};
	for (unsigned int cpu : find_cpus(base))
		paths.push_back(cpu_file(base, cpu));
	if (paths.empty())
		paths.push_back(path);
	return paths;
}

std::string CaptureInput::shadow_of(const std::string &path)
{
	const auto cpus = strip_cpu(path) == path ? find_cpus(path) : std::vector<unsigned int>();

	return cpus.empty() ? "" : cpu_file(path, cpus.front());
}

// Ctrl-C reaches all programs of a pipe. The program that writes handles it and ends, and
// its last output and tables are wanted. This works only once: a program that does not end
// must not keep this one from ending.
static void outlive_interrupt()
{
	struct sigaction once = {};

	once.sa_handler = [](int) {};
	once.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
	sigaction(SIGINT, &once, nullptr);
}

Status CaptureInput::open(const std::string &directory, const std::string &given,
			  Diagnostics &diagnostics)
{
	if (given == "-") {
		outlive_interrupt();
		name = "stdin";
		files.push_back({"stdin", dup(STDIN_FILENO)});
		return import_if_foreign(files.back(), live);
	}

	std::string path = path_of(directory, given);
	std::string base(strip_cpu(path));
	int error;
	std::vector<unsigned int> cpus = find_cpus(base, &error);
	name = printable(file_name(base));
	if (!cpus.empty())
		return open_cpu_files(base, cpus, diagnostics);
	return open_single(path, error);
}

} // namespace grtrace
