// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/tool_lines.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace grtrace {

ToolLines::~ToolLines()
{
	command_.forward(SIGKILL);
	if (command_.is_running())
		command_.wait();
}

Status ToolLines::start(const std::vector<std::string> &words, const RunUser *user)
{
	const Fd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
	int ends[2];

	program_ = words[0];
	err_ = Fd(memfd_create("complaints", MFD_CLOEXEC));
	if (!err_.is_open() || pipe2(ends, O_CLOEXEC) < 0)
		return Status::error("cannot run {}: {}", program_, strerror(errno));
	out_ = Fd(ends[0]);
	const Fd output(ends[1]);
	errno = 0;
	if (command_.start(words, {nothing.get(), output.get(), err_.get()}, user).ok())
		return {};
	return Status::error("cannot run {}: {}: install it, it reads this kind of file", program_,
			     strerror(errno));
}

// Reads more bytes behind those in the buffer.
bool ToolLines::fill()
{
	char block[16 * 1024];
	ssize_t got;

	if (eof_)
		return false;
	do {
		got = read(out_.get(), block, sizeof(block));
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

std::string last_line(int file)
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
	// As a shell has it.
	constexpr int signalled = 128;
	const int code = command_.wait();

	if (!code)
		return {};
	const std::string words = last_line(err_.get());
	if (code > signalled)
		return Status::error("{} ended by signal {}: {}", program_, code - signalled,
				     words);
	return Status::error("{} failed with status {}: {}", program_, code, words);
}

} // namespace grtrace
