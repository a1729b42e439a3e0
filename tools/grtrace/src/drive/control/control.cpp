// SPDX-License-Identifier: GPL-2.0
//
// All errors of debugfs become sentences here, so that no caller has to know the meaning
// of EINVAL for each file.
#include "drive/control/control.h"

#include "drive/control/config_keys.h"

#include <dirent.h>
#include <drm/grtrace_drm.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace grtrace {

namespace {

constexpr long debugfs_magic = 0x64626720; // DEBUGFS_MAGIC of linux/magic.h
constexpr size_t read_bytes = 64 * 1024;

constexpr Refusal usual_refusals[] = {
	{"start", EBUSY,
	 "a session is already running; stop it with grtrace record -k or grtrace stop"},
	{"start", ENFILE,
	 "programs hold files of too many earlier sessions open: end those that read "
	 "{}/trace<cpu>"},
	{"start", ENOMEM,
	 "there is not enough memory for the channel: use a smaller buffer size (-b) or fewer "
	 "buffers (-n)"},
	{"stop", EINVAL, "no session is running"},
};

bool is_unchecked()
{
	const char *value = secure_getenv("GRTRACE_DEBUGFS_UNCHECKED");

	return value && !strcmp(value, "1");
}

} // namespace

std::string explain(const std::string &path, int error)
{
	switch (error) {
	case EACCES:
		return fmt::format("{}: permission denied: only root may, try sudo", path);
	case EPERM:
		return fmt::format(
			"{}: not permitted: the kernel is locked down, and debugfs with it", path);
	default:
		return fmt::format("{}: {}", path, strerror(error));
	}
}

std::string Control::path(const std::string &file) const
{
	return directory_ + "/" + file;
}

Status Control::open(const std::string &debugfs)
{
	struct statfs info;

	if (statfs(debugfs.c_str(), &info) < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return Status::error("{}: there is no debugfs here: mount -t debugfs "
					     "debugfs /sys/kernel/debug, or name its place with -r",
					     debugfs);
		return Status::error(explain(debugfs, errno));
	}
	if (info.f_type != debugfs_magic && !is_unchecked())
		return Status::error("{} is not a debugfs: mount -t debugfs debugfs {}", debugfs,
				     debugfs);
	directory_ = debugfs + "/grtrace";
	spare_ = Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
	return check_directory(debugfs);
}

Status Control::check_directory(const std::string &debugfs) const
{
	struct stat info;

	// Often only root may enter debugfs, so people who forgot sudo get here.
	if (access(debugfs.c_str(), X_OK) < 0)
		return Status::error(explain(debugfs, errno));
	if (stat(directory_.c_str(), &info) < 0) {
		if (errno == ENOENT)
			return Status::error(
				"grtrace is not loaded: modprobe grtrace (there is no {})",
				directory_);
		return Status::error(explain(directory_, errno));
	}
	if (access(path("control").c_str(), W_OK) < 0)
		return Status::error(explain(path("control"), errno));
	return Status();
}

Status Control::read(const std::string &file, std::string *text) const
{
	const Fd fd(::open(path(file).c_str(), O_RDONLY | O_CLOEXEC));

	text->clear();
	if (!fd.is_open())
		return Status::error(explain(path(file), errno));
	for (;;) {
		const size_t had = text->size();

		text->resize(had + read_bytes);
		const ssize_t got = ::read(fd.get(), text->data() + had, read_bytes);
		text->resize(had + std::max<ssize_t>(got, 0));
		if (got == 0)
			return Status();
		if (got < 0 && errno != EINTR)
			return Status::error(explain(path(file), errno));
	}
}

// Returns 0 or an errno. One write() is one transaction for the kernel.
int Control::write(const char *file, const std::string &text) const
{
	Fd fd(::open(path(file).c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));

	if (!fd.is_open() && errno == EMFILE && spare_.is_open()) {
		spare_.close();
		fd = Fd(::open(path(file).c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
	}
	if (!fd.is_open())
		return errno;
	const ssize_t put = ::write(fd.get(), text.data(), text.size());
	const int error = put < 0 ? errno : static_cast<size_t>(put) == text.size() ? 0 : EIO;
	fd.close();
	if (!spare_.is_open())
		spare_ = Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
	return error;
}

Status Control::state(std::string *word) const
{
	Status status = read("control", word);

	word->erase(word->find_last_not_of(" \n") + 1);
	return status;
}

Status Control::order(const char *word, const char *what, std::span<const Refusal> refusals) const
{
	const int error = write("control", fmt::format("{}\n", word));

	if (!error)
		return Status();
	for (const Refusal &refusal : refusals)
		if (refusal.error == error && !strcmp(refusal.word, word))
			return Status::error(
				fmt::format(fmt::runtime(refusal.sentence), directory_));
	return Status::error("cannot {}: {}", what, explain(path("control"), error));
}

Status Control::start() const
{
	return order("start", "start a session", usual_refusals);
}

Status Control::stop() const
{
	return order("stop", "stop the session", usual_refusals);
}

Status Control::configure(const std::vector<NamedText> &settings) const
{
	const int error = write("config", join_settings(settings, '\n') + "\n");
	std::string there;

	if (!error)
		return Status();
	if (error == EACCES || error == EPERM || error == ENOENT)
		return Status::error(explain(path("config"), error));
	// Read only to list the existing keys; the refusal is reported even without
	// them.
	if (!read("config", &there).ok())
		there.clear();
	return Status::error(explain_refusal(settings, error, there));
}

Status Control::message(const std::string &text) const
{
	const int error = write("msg", text + "\n");

	if (!error)
		return Status();
	return Status::error(
		"the message was not recorded: {}",
		error == EINVAL ? "it must be one line without control characters" :
		error == E2BIG  ? fmt::format("it is longer than {} bytes", GRTRACE_MESSAGE_MAX) :
				  explain(path("msg"), error));
}

Status Control::cpu_stats(std::vector<CpuCounts> *stats) const
{
	std::string text;
	Status status = read("pc_stats", &text);

	if (!status.ok())
		return status;
	status = parse_cpu_stats(text, stats);
	if (status.ok())
		return status;
	return Status::error("{}: {}", path("pc_stats"), status.sentence());
}

Status Control::traced_cpus(std::vector<unsigned int> *cpus) const
{
	DIR *directory = opendir(directory_.c_str());
	uint64_t cpu;

	cpus->clear();
	if (!directory)
		return Status::error(explain(directory_, errno));
	while (const struct dirent *entry = readdir(directory)) {
		const std::string_view name = entry->d_name;

		if (name.starts_with("trace") && parse_number(name.substr(5), &cpu))
			cpus->push_back(static_cast<unsigned int>(cpu));
	}
	closedir(directory);
	std::sort(cpus->begin(), cpus->end());
	return Status();
}

Status Control::open_trace(unsigned int cpu, Fd *trace) const
{
	const std::string file = path(fmt::format("trace{}", cpu));

	*trace = Fd(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
	if (!trace->is_open())
		return Status::error(explain(file, errno));
	return Status();
}

} // namespace grtrace
