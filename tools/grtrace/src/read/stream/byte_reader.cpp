// SPDX-License-Identifier: GPL-2.0
//
// Whole blocks are read into one page-aligned place, and the rest of the previous block is
// moved in front of it: so a record is always in one piece, and hardly a byte is copied twice.
#include "read/stream/byte_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace grtrace {

ByteReader::ByteReader(int fd, size_t size) : fd_(fd)
{
	struct stat st;

	make_buffer(size);
	window_ = begin_ = end_ = block_;
	if (fstat(fd, &st) == 0) {
		live_ = !S_ISREG(st.st_mode);
		size_ = live_ ? 0 : static_cast<uint64_t>(st.st_size);
	}
	if (!live_)
		posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
}

ByteReader::ByteReader(const uint8_t *memory, size_t size)
	: block_(nullptr), window_(memory), begin_(memory), end_(memory + size), fd_(-1), eof_(true)
{
}

void ByteReader::make_buffer(size_t size)
{
	const size_t all = rest_size(size) + size + page;
	size_t room = size + page;

	block_size_ = size;
	buffer_ = std::make_unique_for_overwrite<uint8_t[]>(all);
	void *at = buffer_.get() + rest_size(size);
	block_ = static_cast<uint8_t *>(std::align(page, size, at, room));
}

void ByteReader::tell(ReadListener &listener)
{
	listener_ = &listener;
	if (live_)
		listener.expect_pipe();
	else
		listener.expect(size_);
}

void ByteReader::read_only(const std::vector<Part> &parts)
{
	parts_.assign(parts.rbegin(), parts.rend());
	part_end_ = 0;
}

// The bytes that are left of the part before it have the wrong offset from now on.
void ByteReader::next_part()
{
	const Part part = parts_.back();

	parts_.pop_back();
	part_end_ = part.end;
	window_offset_ = part.begin - available();
	lseek(fd_, static_cast<off_t>(part.begin), SEEK_SET);
}

ByteReader::~ByteReader()
{
	if (fd_ >= 0)
		close(fd_);
}

// Returns whether there is something to read, or the end of the file, now or within
// wait_ms.
bool ByteReader::ready()
{
	struct pollfd pfd = {fd_, POLLIN, 0};
	int timeout = silent_ ? wait_ms : 0;

	if (poll(&pfd, 1, timeout) != 0) {
		silent_ = waited_ = false;
		return true;
	}
	waited_ = silent_;
	silent_ = true;
	return false;
}

ByteReader::Fill ByteReader::read_more(size_t need)
{
	if (need > block)
		return Fill::end;

	while (available() < need) {
		if (eof_)
			return Fill::end;
		if (live_ && !ready())
			return Fill::again;

		// All bytes up to here are moved in front of the block, so that the
		// kernel copies page by page, which is several times faster. Small
		// pieces from a pipe are moved once more.
		const size_t left = available();
		const std::unique_ptr<uint8_t[]> old =
			need > rest_size(block_size_) ? std::move(buffer_) : nullptr;
		window_offset_ = offset();
		if (old)
			make_buffer(block);
		memmove(block_ - left, begin_, left);
		window_ = begin_ = block_ - left;
		end_ = block_;

		while (offset_of(end_) == part_end_ && !parts_.empty())
			next_part();
		ssize_t got = read(fd_, block_,
				   std::min<uint64_t>(block_size_, part_end_ - offset_of(end_)));
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got < 0)
			error_ = errno;
		if (got <= 0) {
			eof_ = true;
			continue;
		}
		end_ += got;
		if (listener_)
			listener_->read(static_cast<uint64_t>(got));
	}
	return Fill::ok;
}

} // namespace grtrace
