// SPDX-License-Identifier: GPL-2.0
//
// OutputDirectory: a directory whose files appear together or not at all.
#pragma once

#include <string>
#include <string_view>

#include "lib/text/status.h"

namespace grtrace {

// Everything is written below a temporary name, which close() changes at the end. A file is
// opened for each piece, because there may be more files than a process can have open. The
// first error stays and is returned by close().
class OutputDirectory {
public:
	OutputDirectory() = default;
	~OutputDirectory();
	OutputDirectory(const OutputDirectory &) = delete;
	OutputDirectory &operator=(const OutputDirectory &) = delete;

	// An empty directory may exist at the path, but nothing else.
	Status create(const std::string &path);
	void make_directory(const std::string &name);
	void append(const std::string &name, std::string_view bytes);
	bool failed() const { return error_ != 0; }
	Status close();

private:
	void discard();

	std::string target_;
	std::string part_; // its temporary name; empty: there is none
	int error_ = 0;
};

} // namespace grtrace
