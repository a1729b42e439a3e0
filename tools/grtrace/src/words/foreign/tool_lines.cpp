// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/tool_lines.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace grtrace {

ToolLines::~ToolLines()
{
	if (pid_ > 0) {
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
	if (out_ >= 0)
		close(out_);
	if (err_ >= 0)
		close(err_);
}

Status ToolLines::start(const std::vector<std::string> &words)
{
	std::vector<char *> argv;
	posix_spawn_file_actions_t actions;
	int ends[2];

	program_ = words[0];
	for (const std::string &word : words)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);

	err_ = memfd_create("complaints", MFD_CLOEXEC);
	if (err_ < 0 || pipe2(ends, O_CLOEXEC) < 0)
		return Status::error("cannot run {}: {}", program_, strerror(errno));
	out_ = ends[0];

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	posix_spawn_file_actions_adddup2(&actions, err_, 2);
	const int error = posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (!error)
		return {};
	pid_ = -1;
	return Status::error("cannot run {}: {}: install it, it reads this kind of file", program_,
			     strerror(error));
}

// Reads more bytes behind those in the buffer.
bool ToolLines::fill()
{
	char block[16 * 1024];
	ssize_t got;

	if (eof_)
		return false;
	do {
		got = read(out_, block, sizeof(block));
	} while (got < 0 && errno == EINTR);
	if (got <= 0) {
		eof_ = true;
		return false;
	}
	buffer_.erase(0, begin_);
	begin_ = 0;
	buffer_.append(block, static_cast<size_t>(got));
	return true;
}

bool ToolLines::next(std::string_view &line)
{
	size_t end;

	while ((end = buffer_.find('\n', begin_)) == buffer_.npos &&
	       buffer_.size() - begin_ < line_max)
		if (!fill())
			break;
	if (end == buffer_.npos)
		end = buffer_.size();
	if (begin_ == buffer_.size())
		return false;
	line = std::string_view(buffer_).substr(begin_, end - begin_);
	begin_ = std::min(end + 1, buffer_.size());
	return true;
}

// Returns the last line that is not empty.
static std::string last_words(int file)
{
	char text[4096];
	const off_t size = lseek(file, 0, SEEK_END);
	const off_t from = std::max<off_t>(size - off_t(sizeof(text)), 0);
	const ssize_t got = pread(file, text, sizeof(text), from);
	std::string_view words(text, got > 0 ? static_cast<size_t>(got) : 0);

	while (!words.empty() && words.back() == '\n')
		words.remove_suffix(1);
	if (size_t newline = words.rfind('\n'); newline != words.npos)
		words.remove_prefix(newline + 1);
	return std::string(words);
}

Status ToolLines::finish()
{
	int state = 0;

	if (waitpid(pid_, &state, 0) < 0)
		state = 0;
	pid_ = -1;
	if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
		return {};

	const std::string words = last_words(err_);
	if (WIFSIGNALED(state))
		return Status::error("{} ended by signal {}: {}", program_, WTERMSIG(state), words);
	return Status::error("{} failed with status {}: {}", program_, WEXITSTATUS(state), words);
}

} // namespace grtrace
