// SPDX-License-Identifier: GPL-2.0
//
// ToolLines: what another program prints, line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "lib/text/status.h"

namespace grtrace {

// Runs a program without a shell. Memory is one line, of line_max at most;
// longer lines are cut.
class ToolLines {
public:
	static constexpr size_t line_max = 64 * 1024;

	ToolLines() = default;
	~ToolLines();
	ToolLines(const ToolLines &) = delete;
	ToolLines &operator=(const ToolLines &) = delete;

	// The first word is the program, which is looked for in PATH.
	Status start(const std::vector<std::string> &words);
	// Without its newline; good until the next call. False: there is none.
	bool next(std::string_view &line);
	// Waits for its end; an error says how it failed and its last words.
	Status finish();

private:
	bool fill();

	std::string program_;
	std::string buffer_;
	size_t begin_ = 0;
	pid_t pid_ = -1;
	int out_ = -1;
	int err_ = -1; // a file without a name that has what it complains of
	bool eof_ = false;
};

} // namespace grtrace
