// SPDX-License-Identifier: GPL-2.0
//
// OutputDirectory: files that are there together or not at all.
#pragma once

#include <string>
#include <string_view>

#include "lib/text/status.h"

namespace grtrace {

// Made below a temporary name, which close() changes when all is written. A
// file is opened for each piece, as there may be more of them than a process can
// have open. The first error stays and is returned by close().
class OutputDirectory {
public:
	OutputDirectory() = default;
	~OutputDirectory();
	OutputDirectory(const OutputDirectory &) = delete;
	OutputDirectory &operator=(const OutputDirectory &) = delete;

	// There may be an empty directory at the path, but nothing else.
	Status create(const std::string &path);
	void make_directory(const std::string &name);
	void append(const std::string &name, std::string_view bytes);
	bool failed() const { return error_ != 0; }
	Status close();

private:
	void discard();

	std::string target_;
	std::string part_; // its name for the time being, empty: it is none
	int error_ = 0;
};

} // namespace grtrace
