// SPDX-License-Identifier: GPL-2.0
#include "read/capture/foreign_trace.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/options/exec_word.h"

extern char **environ;

namespace grtrace {

namespace {

using namespace std::literals;

// A capture begins with the type and the size of a record, which are no text. Perfetto's
// messages begin with a newline.
bool is_text(std::string_view bytes)
{
	return std::ranges::all_of(bytes, [](char c) {
		return (c >= ' ' && c <= '~') || c == '\n' || c == '\t' || c == '\r';
	});
}

// Returns the first bytes of a pipe, which stay in it; -1 if there is no pipe.
ssize_t look_into_pipe(int fd, char *bytes, size_t size)
{
	int ends[2];
	ssize_t got;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	do {
		got = tee(fd, ends[1], size, 0);
	} while (got < 0 && errno == EINTR);
	if (got > 0)
		got = read(ends[0], bytes, size_t(got));
	close(ends[0]);
	close(ends[1]);
	return got;
}

} // namespace

bool is_foreign_trace(int fd)
{
	char bytes[16];
	ssize_t got = pread(fd, bytes, sizeof(bytes), 0);

	if (got < 0 && errno == ESPIPE)
		got = look_into_pipe(fd, bytes, sizeof(bytes));

	if (got < static_cast<ssize_t>(sizeof(bytes)))
		return false;
	const std::string_view first(bytes, sizeof(bytes));
	return first.starts_with("\x17\x08\x44tracing"sv) || first.starts_with("PERFILE2"sv) ||
	       first.starts_with('\n') || first.starts_with("\x1f\x8b"sv) || is_text(first);
}

Status import_trace(const std::string &path, int *fd, pid_t *child)
{
	const std::string program = find_word_program("import");
	const bool is_pipe = path == "stdin" || lseek(*fd, 0, SEEK_CUR) < 0;
	std::string name = program, input = is_pipe ? "-" : path, option = "-o", output = "-";
	char *argv[] = {name.data(), option.data(), output.data(), input.data(), nullptr};
	posix_spawn_file_actions_t actions;
	int ends[2]; // a pipe would not allow to look whether anything comes
	char first;

	if (program.empty())
		return Status::error("{}: is not a capture; if it is a trace of another program, "
				     "install the word import, which reads it",
				     path);
	// A name that begins with a dash is not an option.
	if (!is_pipe && input.starts_with('-'))
		input.insert(0, "./");
	argv[3] = input.data();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return Status::error("{}: cannot import: {}", path, strerror(errno));
	posix_spawn_file_actions_init(&actions);
	if (is_pipe)
		posix_spawn_file_actions_adddup2(&actions, *fd, STDIN_FILENO);
	else
		posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	const int error = posix_spawn(child, argv[0], &actions, nullptr, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	close(*fd);
	*fd = ends[0];
	if (error)
		return Status::error("{}: cannot run {}: {}", path, program, strerror(error));
	if (recv(*fd, &first, 1, MSG_PEEK) == 1)
		return {};
	import_succeeded(*child);
	return Status::error("{}: is not a capture, and grtrace import cannot read it", path);
}

bool import_succeeded(pid_t child)
{
	int state = 0;

	while (waitpid(child, &state, 0) < 0)
		if (errno != EINTR)
			return true;
	return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

} // namespace grtrace
