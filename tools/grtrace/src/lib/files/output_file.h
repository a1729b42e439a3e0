// SPDX-License-Identifier: GPL-2.0
//
// OutputFile: where a printer's bytes go.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "lib/files/create_file.h"
#include "lib/text/byte_writer.h"
#include "lib/text/status.h"

namespace grtrace {

// A buffer in front of a descriptor: printers append to text(), and call
// drain() after each piece; it writes when a block is full. The first error
// (disk full, reader gone) stays and is returned by close().
class OutputFile {
public:
	static constexpr size_t block = 128 * 1024;

	OutputFile() = default;
	~OutputFile();
	OutputFile(const OutputFile &) = delete;
	OutputFile &operator=(const OutputFile &) = delete;

	// "-" is standard output. The mode is that of a new file.
	Status open(const std::string &path, mode_t mode = usual_mode);
	// Like open(), but the old file at the path stays until close() finds that
	// all is written: no reader sees half a file. If the file system supports
	// files without a name, nothing is left after a crash. A capture has its own mode;
	// any other file keeps that of the file which it replaces.
	Status replace(const std::string &path, mode_t mode = usual_mode);
	bool is_open() const { return fd_ >= 0; }
	int fd() const { return fd_; } // for another program that writes to it

	fmt::memory_buffer &text() { return text_; }

	void drain()
	{
		if (text_.size() >= block)
			flush();
	}
	void flush();
	// Returns whether the reader of the output is gone or a write failed, so that
	// continuing is pointless.
	bool failed() const { return error_ != 0; }
	// The reader of a pipe has closed the pipe, which it may do at any time.
	bool reader_gone() const { return out_.reader_gone(); }
	Status close();

private:
	bool open_unnamed(mode_t mode);
	Status open_part(mode_t mode);
	bool name();

	fmt::memory_buffer text_;
	std::string path_;
	std::string target_; // replace(): the final path; path_ is temporary
	bool has_name_ = false; // path_ exists, and is to be removed on failure
	int fd_ = -1;
	ByteWriter out_{-1}; // writes to fd_
	bool is_terminal_ = false; // which nothing in the text may steer
	int error_ = 0;
};

// Closes all files of one run, the most important first. If one fails, the rest do not get
// their names either, and the first failure's sentence is returned. A reader that exits
// after it read everything is not a failure: the other files are whole.
Status close_all(std::span<OutputFile *const> files);

} // namespace grtrace
