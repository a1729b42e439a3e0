// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/line_reader.h"

#include <algorithm>
#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace grtrace {

bool LineReader::fill()
{
	if (eof_)
		return false;
	buffer_.erase(0, begin_);
	searched_ -= begin_;
	begin_ = 0;
	const size_t old = buffer_.size();
	ssize_t got;

	buffer_.resize(old + block);
	do {
		got = read(fd_.get(), buffer_.data() + old, block);
	} while (got < 0 && errno == EINTR);
	buffer_.resize(old + static_cast<size_t>(std::max<ssize_t>(got, 0)));
	error_ = got < 0 ? errno : error_;
	eof_ = got <= 0;
	return !eof_;
}

std::string_view LineReader::peek(size_t bytes)
{
	while (buffer_.size() < bytes && fill())
		;
	return std::string_view(buffer_).substr(0, bytes);
}

std::string_view LineReader::take_block()
{
	if (begin_ == buffer_.size())
		fill();
	const std::string_view bytes = std::string_view(buffer_).substr(begin_);
	begin_ = buffer_.size();
	searched_ = begin_;
	return bytes;
}

bool LineReader::has_line()
{
	searched_ = std::max(searched_, begin_);
	const size_t end = buffer_.find('\n', searched_);
	searched_ = std::min(end, buffer_.size());
	return eof_ || end != buffer_.npos || buffer_.size() - begin_ >= line_max;
}

bool LineReader::wait(int ms) const
{
	struct pollfd waited = {fd_.get(), POLLIN, 0};

	return poll(&waited, 1, ms) != 0;
}

bool LineReader::next(std::string_view &line)
{
	size_t end;

	searched_ = std::max(searched_, begin_);
	while ((end = buffer_.find('\n', searched_)) == buffer_.npos &&
	       buffer_.size() - begin_ < line_max) {
		searched_ = buffer_.size();
		if (!fill())
			break;
	}
	if (begin_ == buffer_.size())
		return false;
	is_cut_ = end == buffer_.npos;
	if (is_cut_)
		end = buffer_.size();
	line = std::string_view(buffer_).substr(begin_, std::min(end - begin_, line_max));
	begin_ = std::min(end + 1, buffer_.size());
	searched_ = begin_;
	return true;
}

} // namespace grtrace
