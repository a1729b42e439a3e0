// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lib/files/fd.h"

namespace grtrace {

// Reads a file or a pipe line by line. It needs memory for one block, and for one
// line of at most line_max bytes; longer lines are cut.
class LineReader {
public:
	static constexpr size_t block = 256 * 1024;
	static constexpr size_t line_max = 64 * 1024;

	explicit LineReader(Fd fd) : fd_(std::move(fd)) {}

	// Returns the first bytes, as many as there are; nothing is consumed.
	std::string_view peek(size_t bytes);
	// Returns the next bytes, valid until the next call, and consumes them; nothing at the
	// end.
	std::string_view take_block();
	// Returns a line without its newline, valid until the next call; false at the end.
	bool next(std::string_view &line);
	// Returns whether next() has a line without a wait.
	bool has_line();
	// Waits for more bytes, or the end. Returns false if nothing comes in that time.
	bool wait(int ms) const;
	// The last line has no newline: the file was cut off, or is still being written.
	bool is_cut() const { return is_cut_; }
	int error() const { return error_; }

private:
	bool fill();

	Fd fd_;
	std::string buffer_;
	size_t begin_ = 0;
	size_t searched_ = 0; // up to here there is no newline
	bool is_cut_ = false;
	bool eof_ = false;
	int error_ = 0;
};

} // namespace grtrace
