// SPDX-License-Identifier: GPL-2.0
//
// ByteWriter: writes all bytes to a descriptor.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string_view>

namespace grtrace {

// The one loop around write() for files and standard streams. A program that shares a pipe
// or a terminal with us may have made it non-blocking, so write() waits for a descriptor
// that accepts nothing at the moment. Does not own the descriptor. The first error stays,
// and nothing is written after it.
class ByteWriter {
public:
	explicit ByteWriter(int fd) : fd_(fd) {}

	// Returns false if not all bytes were written.
	bool write(std::string_view bytes);

	// Returns an errno, or 0 if there was no error.
	int error() const { return error_; }
	// The reader of a pipe has closed the pipe, which it may do at any
	// time.
	bool reader_gone() const { return error_ == EPIPE; }
	uint64_t written() const { return written_; }

private:
	void wait() const;

	int fd_;
	int error_ = 0;
	uint64_t written_ = 0;
};

} // namespace grtrace
