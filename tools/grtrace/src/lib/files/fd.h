// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <unistd.h>

#include <utility>

namespace grtrace {

// Owns a file descriptor. Callers that must know whether closing worked call close(); the
// destructor serves all others.
class Fd {
public:
	Fd() = default;
	explicit Fd(int fd) : fd_(fd) {}
	Fd(Fd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
	Fd &operator=(Fd &&other) noexcept
	{
		std::swap(fd_, other.fd_);
		return *this;
	}
	Fd(const Fd &) = delete;
	Fd &operator=(const Fd &) = delete;
	~Fd() { close(); }

	int get() const { return fd_; }
	bool is_open() const { return fd_ >= 0; }
	int close() { return is_open() ? ::close(std::exchange(fd_, -1)) : 0; }

private:
	int fd_ = -1;
};

} // namespace grtrace
