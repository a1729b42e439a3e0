// SPDX-License-Identifier: GPL-2.0
//
// ToolLines: reads the output of another program line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "lib/text/status.h"

namespace grtrace {

// Runs a program without a shell. It needs memory for one line of at most line_max bytes;
// longer lines are cut.
class ToolLines {
public:
	static constexpr size_t line_max = 64 * 1024;

	ToolLines() = default;
	~ToolLines();
	ToolLines(const ToolLines &) = delete;
	ToolLines &operator=(const ToolLines &) = delete;

	// The first word is the program, which is searched in PATH.
	Status start(const std::vector<std::string> &words);
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
	pid_t pid_ = -1;
	int out_ = -1;
	int err_ = -1; // an unnamed file with its messages
	bool eof_ = false;
};

} // namespace grtrace
