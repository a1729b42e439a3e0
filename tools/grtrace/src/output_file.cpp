// SPDX-License-Identifier: GPL-2.0
#include "output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace grtrace {

OutputFile::~OutputFile()
{
	if (fd_ > STDERR_FILENO)
		::close(fd_);
	if (fd_ >= 0 && !target_.empty())
		unlink(path_.c_str());
}

Status OutputFile::open(const std::string &path)
{
	path_ = path == "-" ? "standard output" : path;
	fd_ = path == "-" ?
		      STDOUT_FILENO :
		      ::open(path.c_str(),
			     O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd_ < 0)
		return Status::error("{}: cannot create: {}", path,
				     strerror(errno));
	return {};
}

Status OutputFile::replace(const std::string &path)
{
	struct stat there;

	// A device or a pipe is written to, not replaced.
	if (path == "-" ||
	    (!::stat(path.c_str(), &there) && !S_ISREG(there.st_mode)))
		return open(path);

	// What a link points to is what is replaced.
	char *real = realpath(path.c_str(), nullptr);
	target_ = real ? real : path;
	free(real);
	Status status =
		open(fmt::format("{}.{}.part", target_, ::getpid()));
	if (!status.ok())
		target_.clear();
	return status;
}

void OutputFile::flush()
{
	size_t done = 0;

	while (done < text_.size() && !error_) {
		ssize_t wrote =
			::write(fd_, text_.data() + done, text_.size() - done);
		if (wrote >= 0)
			done += static_cast<size_t>(wrote);
		else if (errno != EINTR)
			error_ = errno;
	}
	text_.clear();
}

bool OutputFile::reader_gone() const
{
	return error_ == EPIPE;
}

Status OutputFile::close()
{
	if (fd_ < 0)
		return {};
	flush();
	if (fd_ > STDERR_FILENO && ::close(fd_) && !error_)
		error_ = errno;
	fd_ = -1;
	if (!target_.empty()) {
		if (!error_ && rename(path_.c_str(), target_.c_str()))
			error_ = errno;
		if (error_)
			unlink(path_.c_str());
		path_ = target_;
	}
	if (error_)
		return Status::error("{}: cannot write: {}: make room, or "
				     "write elsewhere with -o",
				     path_, strerror(error_));
	return {};
}

} // namespace grtrace
