// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/copied_input.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "words/foreign/tool_lines.h"

extern char **environ;

namespace grtrace {

Status make_copy(Fd *copy)
{
	const char *folder = getenv("TMPDIR");

	*copy = Fd(open(folder ? folder : "/tmp", O_TMPFILE | O_RDWR, 0600));
	// Not all file systems have files without a name.
	if (!copy->is_open())
		*copy = Fd(memfd_create("trace", 0));
	return copy->is_open() ? Status() :
				 Status::error("cannot make a copy of it: {}", strerror(errno));
}

namespace {

bool write_all(int fd, std::string_view bytes)
{
	while (!bytes.empty()) {
		const ssize_t put = write(fd, bytes.data(), bytes.size());

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		bytes.remove_prefix(size_t(put));
	}
	return true;
}

} // namespace

const char *find_unpacker(std::string_view first_bytes)
{
	static constexpr struct {
		std::string_view magic;
		const char *program;
	} packers[] = {
		{"\x1f\x8b", "gzip"},
		{"\3757zXZ", "xz"},
		{"\x28\xb5\x2f\xfd", "zstd"},
		{"BZh", "bzip2"},
	};

	for (const auto &packer : packers)
		if (first_bytes.starts_with(packer.magic))
			return packer.program;
	return nullptr;
}

Status copy_input(LineReader &from, Fd *copy)
{
	Status status = make_copy(copy);

	while (status.ok()) {
		const std::string_view bytes = from.take_block();

		if (bytes.empty())
			break;
		if (!write_all(copy->get(), bytes))
			status = Status::error("cannot make a copy of it: {}", strerror(errno));
	}
	if (status.ok() && from.error())
		return Status::error("cannot read: {}", strerror(from.error()));
	return status;
}

// Starts a program that may write this many bytes into a file. The limit is this process's for
// a moment, because a child inherits it.
static int spawn_limited(pid_t *child, const posix_spawn_file_actions_t &actions, char *const *argv,
			 rlim_t most)
{
	struct rlimit own;

	getrlimit(RLIMIT_FSIZE, &own);
	const struct rlimit less = {std::min(most, own.rlim_cur), own.rlim_max};
	setrlimit(RLIMIT_FSIZE, &less);
	const int error = posix_spawnp(child, argv[0], &actions, nullptr, argv, environ);
	setrlimit(RLIMIT_FSIZE, &own);
	return error;
}

Status unpack(const char *program, bool limit, Fd *copy, std::string *missing)
{
	std::string name = program;
	char option[] = "-dcq";
	char *argv[] = {name.data(), option, nullptr};
	posix_spawn_file_actions_t actions;
	const Fd complaints(memfd_create("complaints", MFD_CLOEXEC));
	const uint64_t packed = uint64_t(std::max<off_t>(lseek(copy->get(), 0, SEEK_END), 0));
	const rlim_t most =
		limit ? std::max(packed * unpacked_times, unpacked_least) : RLIM_INFINITY;
	Fd unpacked;
	pid_t child = -1;
	int state = 0;

	Status status = make_copy(&unpacked);
	if (!status.ok())
		return status;
	lseek(copy->get(), 0, SEEK_SET);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, copy->get(), STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, unpacked.get(), STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, complaints.get(), STDERR_FILENO);
	const int error = spawn_limited(&child, actions, argv, most);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return Status::error("is compressed, and {} cannot be run: {}", program,
				     strerror(error));
	while (waitpid(child, &state, 0) < 0 && errno == EINTR)
		;
	*copy = std::move(unpacked);
	const off_t size = lseek(copy->get(), 0, SEEK_END);
	std::string words = last_line(complaints.get());
	if (words.empty())
		words = "it gives no reason";
	if (size <= 0)
		return Status::error("is compressed, and {} cannot unpack it: {}", program, words);
	// A trace with a damaged place is read up to there.
	if (limit && uint64_t(size) >= most)
		*missing = fmt::format("the rest is missing: it becomes more than {} MiB, {} times "
				       "its size or more (--no-limit unpacks it)",
				       most >> 20, most / std::max<uint64_t>(packed, 1));
	// gzip's 2 is a warning: whatever comes behind the compressed bytes is ignored.
	else if (!WIFEXITED(state) || (WEXITSTATUS(state) && WEXITSTATUS(state) != 2))
		*missing = fmt::format("the rest is missing: {} could not unpack all of it: {}",
				       program, words);
	return {};
}

} // namespace grtrace
