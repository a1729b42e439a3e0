// SPDX-License-Identifier: GPL-2.0
//
// ByteWriter: bytes to a descriptor, all of them.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string_view>

namespace grtrace {

// The one loop around write() for files and standard streams. A writer that shares a
// pipe or a terminal with us may have made it non-blocking, so a descriptor
// that takes nothing now is waited for. Does not own the descriptor. The first
// error stays, and nothing is written after it.
class ByteWriter {
public:
	explicit ByteWriter(int fd) : fd_(fd) {}

	// False if the bytes are not all written.
	bool write(std::string_view bytes);

	// An errno, 0 while all is well.
	int error() const { return error_; }
	// The reader of a pipe has gone away, as it may.
	bool reader_gone() const { return error_ == EPIPE; }
	uint64_t written() const { return written_; }

private:
	void wait() const;

	int fd_;
	int error_ = 0;
	uint64_t written_ = 0;
};

} // namespace grtrace
