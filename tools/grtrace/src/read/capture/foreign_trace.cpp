// SPDX-License-Identifier: GPL-2.0
#include "read/capture/foreign_trace.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/files/fd.h"
#include "lib/options/exec_word.h"

namespace grtrace {

namespace {

using namespace std::literals;

// A capture begins with the type and the size of a record, which are no text. Perfetto's
// messages begin with a newline. A thread's name has any letters, and a space before it.
bool is_text(std::string_view bytes)
{
	const bool any = bytes.starts_with(' ') || bytes.starts_with("\xef\xbb\xbf"sv);

	return std::ranges::all_of(bytes, [any](char c) {
		return (c >= ' ' && c <= '~') || c == '\n' || c == '\t' || c == '\r' ||
		       (any && (c & 0x80));
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
	       first.starts_with('\n') || first.starts_with("\x1f\x8b"sv) ||
	       first.starts_with("\3757zXZ"sv) || first.starts_with("\x28\xb5\x2f\xfd"sv) ||
	       first.starts_with("BZh"sv) || first.starts_with("\xff\xfe"sv) ||
	       first.starts_with("\xfe\xff"sv) || is_text(first);
}

Status import_trace(const std::string &path, bool live, int *fd, Command *import)
{
	const std::string program = find_word_program("import");
	const bool is_pipe = path == "stdin" || lseek(*fd, 0, SEEK_CUR) < 0;
	int ends[2]; // a pipe would not allow to look whether anything comes
	char first;

	if (program.empty())
		return Status::error("{}: is not a capture; if it is a trace of another program, "
				     "install the word import, which reads it",
				     path);
	const Fd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
	if (!nothing.is_open() || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return Status::error("{}: cannot import: {}", path, strerror(errno));
	// A name that begins with a dash is not an option.
	const std::string input = is_pipe ? "-" : path.starts_with('-') ? "./" + path : path;
	std::vector<std::string> words = {program, "-o", "-", input};
	if (live)
		words.push_back("--live");
	const Status status = import->start(words, {is_pipe ? *fd : nothing.get(), ends[1]});
	close(ends[1]);
	close(*fd);
	*fd = ends[0];
	if (!status.ok())
		return Status::error("{}: {}", path, status.sentence());
	if (recv(*fd, &first, 1, MSG_PEEK) == 1)
		return {};
	import->wait();
	return Status::error("{}: is not a capture, and grtrace import cannot read it", path);
}

} // namespace grtrace
