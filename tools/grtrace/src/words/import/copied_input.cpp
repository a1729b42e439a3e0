// SPDX-License-Identifier: GPL-2.0
#include "words/import/copied_input.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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

Status unpack(const char *program, Fd *copy, bool *whole)
{
	std::string name = program;
	char option[] = "-dcq";
	char *argv[] = {name.data(), option, nullptr};
	posix_spawn_file_actions_t actions;
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
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	const int error = posix_spawnp(&child, program, &actions, nullptr, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return Status::error("is compressed, and {} cannot be run: {}", program,
				     strerror(error));
	while (waitpid(child, &state, 0) < 0 && errno == EINTR)
		;
	*copy = std::move(unpacked);
	// gzip's 2 is a warning: whatever comes behind the compressed bytes is ignored.
	*whole = WIFEXITED(state) && (WEXITSTATUS(state) == 0 || WEXITSTATUS(state) == 2);
	// The text that was unpacked before a damaged place is read up to there.
	if (lseek(copy->get(), 0, SEEK_END) <= 0)
		return Status::error("is compressed, and {} cannot unpack it", program);
	return {};
}

} // namespace grtrace
