// SPDX-License-Identifier: GPL-2.0
//
// ToolLines: reads the output of another program line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/files/fd.h"
#include "lib/run/command.h"
#include "lib/text/status.h"

namespace grtrace {

// Returns the last line of a file that is not empty: the reason why a program failed.
std::string last_line(int file);

// Runs a program without a shell. It needs memory for one line of at most line_max bytes;
// longer lines are cut.
class ToolLines {
public:
	static constexpr size_t line_max = 64 * 1024;

	ToolLines() = default;
	~ToolLines();
	ToolLines(const ToolLines &) = delete;
	ToolLines &operator=(const ToolLines &) = delete;

	// The first word is the program, which is searched in PATH. With a user, who must be
	// able to read the file, it runs as that one.
	Status start(const std::vector<std::string> &words, const RunUser *user = nullptr);
	// Returns a line without its newline, valid until the next call; false at the end.
	bool next(std::string_view &line);
	// Waits for the program to end; an error contains its exit status and the end of
	// its output.
	Status finish();

private:
	bool fill();

	std::string program_;
	std::string buffer_;
	size_t begin_ = 0;
	Command command_;
	Fd out_;
	Fd err_; // an unnamed file with its messages
	bool eof_ = false;
};

} // namespace grtrace
