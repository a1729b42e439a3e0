// SPDX-License-Identifier: GPL-2.0
#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace grtrace {

Status Output::create(const std::string &path)
{
	name_ = path;
	fd_ = Fd(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		      0644));
	if (!fd_.is_open())
		return Status::error("cannot write {}: {}", path,
				     strerror(errno));
	return Status();
}

void Output::use_stdout()
{
	name_ = "stdout";
	is_stdout_ = true;
	fd_ = Fd(STDOUT_FILENO);
}

Status Output::fail(int error)
{
	if (is_stdout_ && error == EPIPE)
		failure_ = Status::error("the reader of stdout went away");
	else
		failure_ = Status::error(
			"{}: {}: its first {} bytes are safe, the rest is "
			"missing",
			name_, strerror(error), bytes_);
	return failure_;
}

Status Output::write(const char *data, size_t size)
{
	const std::lock_guard<std::mutex> guard(lock_);

	while (size && failure_.ok()) {
		const ssize_t put = ::write(fd_.get(), data, size);

		if (put >= 0) {
			data += put;
			size -= put;
			bytes_ += put;
		} else if (errno == EAGAIN) {
			// A stdout that somebody else made non-blocking.
			struct pollfd ready = { fd_.get(), POLLOUT, 0 };

			poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			return fail(errno);
		}
	}
	return failure_;
}

Status Output::close()
{
	const std::lock_guard<std::mutex> guard(lock_);

	if (fd_.close() < 0 && failure_.ok())
		return fail(errno);
	return failure_;
}

void Output::remove_if_empty()
{
	const std::lock_guard<std::mutex> guard(lock_);
	struct stat info;

	if (!bytes_ && !lstat(name_.c_str(), &info) && S_ISREG(info.st_mode))
		unlink(name_.c_str());
}

} // namespace grtrace
