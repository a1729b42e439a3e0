// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/create_file.h"
#include "lib/files/fd.h"
#include "lib/text/byte_writer.h"
#include "lib/text/status.h"

#include <cstdint>
#include <mutex>
#include <string>

namespace grtrace {

// An output for packets: one CPU's file, or stdout for the packets of all CPUs. One write()
// of this class is never split by another thread's. After a failure it accepts no more
// bytes, so its content is a prefix of the complete output.
class Output {
public:
	Status create(const std::string &path, mode_t mode = capture_mode);
	void use_stdout();

	Status write(const char *data, size_t size);

	// Some file systems report a failed write only at close.
	Status close();

	// Removes the file if nothing was ever written to it.
	void remove_if_empty();

	uint64_t bytes() const { return out_.written(); }
	const std::string &name() const { return name_; }

private:
	Status fail(int error);

	std::mutex lock_; // protects all members below
	Fd fd_;
	ByteWriter out_{-1}; // writes to fd_
	std::string name_;
	bool is_stdout_ = false;
	Status failure_ = Status(); // the first failure; it is kept
};

} // namespace grtrace
