// SPDX-License-Identifier: GPL-2.0
//
// After a full disk a reader must find a prefix of the capture, so nothing is written
// after the first failure.
#include "lib/files/packet_output.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace grtrace {

Status Output::create(const std::string &path, mode_t mode)
{
	name_ = path;
	fd_ = Fd(create_file(path, mode));
	if (!fd_.is_open())
		return Status::error("cannot write {}: {}", path, strerror(errno));
	out_ = ByteWriter(fd_.get());
	return Status();
}

void Output::use_stdout()
{
	name_ = "stdout";
	is_stdout_ = true;
	fd_ = Fd(STDOUT_FILENO);
	out_ = ByteWriter(fd_.get());
}

Status Output::fail(int error)
{
	if (is_stdout_ && error == EPIPE)
		failure_ = Status::error("the reader of stdout went away");
	else
		failure_ = Status::error("{}: {}: its first {} bytes are safe, the rest is missing",
					 name_, strerror(error), bytes());
	return failure_;
}

Status Output::write(const char *data, size_t size)
{
	const std::lock_guard<std::mutex> guard(lock_);

	if (failure_.ok() && !out_.write({data, size}))
		return fail(out_.error());
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

	if (!bytes() && !lstat(name_.c_str(), &info) && S_ISREG(info.st_mode))
		unlink(name_.c_str());
}

} // namespace grtrace
