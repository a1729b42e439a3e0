// SPDX-License-Identifier: GPL-2.0
//
// Half a file under its final name looks like a whole one. So a file gets its name only
// when it is complete; if the file system does not support that, it has a temporary name
// until then.
#include "lib/files/output_file.h"

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
	if (fd_ >= 0 && has_name_)
		unlink(path_.c_str());
}

// Opens a file without a name beside the target, so that nothing is left of it however
// the program ends. Returns false if the file system or a missing /proc would make it
// impossible to name it later.
bool OutputFile::open_unnamed()
{
	const size_t slash = target_.rfind('/');
	const std::string directory = slash == target_.npos ? "." : target_.substr(0, slash + 1);

	fd_ = ::open(directory.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
	if (fd_ < 0)
		return false;
	if (!access(fmt::format("/proc/self/fd/{}", fd_).c_str(), W_OK))
		return true;
	::close(fd_);
	fd_ = -1;
	return false;
}

// Gives the file the temporary name path_, which it has until it replaces the target.
bool OutputFile::name()
{
	// A process with the same number may have left a file behind.
	unlink(path_.c_str());
	return !linkat(AT_FDCWD, fmt::format("/proc/self/fd/{}", fd_).c_str(), AT_FDCWD,
		       path_.c_str(), AT_SYMLINK_FOLLOW);
}

Status OutputFile::open(const std::string &path)
{
	path_ = path == "-" ? "standard output" : path;
	fd_ = path == "-" ? STDOUT_FILENO :
			    ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd_ < 0)
		return Status::error("{}: cannot create: {}", target_.empty() ? path : target_,
				     strerror(errno));
	out_ = ByteWriter(fd_);
	return {};
}

Status OutputFile::replace(const std::string &path)
{
	struct stat there;

	// A device or a pipe is written to, not replaced.
	if (path == "-" || (!::stat(path.c_str(), &there) && !S_ISREG(there.st_mode)))
		return open(path);

	// If the path is a link, its target is replaced.
	char *real = realpath(path.c_str(), nullptr);
	target_ = real ? real : path;
	free(real);
	path_ = fmt::format("{}.{}.part", target_, ::getpid());
	if (open_unnamed()) {
		out_ = ByteWriter(fd_);
		return {};
	}
	Status status = open(path_);
	has_name_ = status.ok();
	if (!status.ok())
		target_.clear();
	return status;
}

void OutputFile::flush()
{
	if (!out_.write({text_.data(), text_.size()}) && !error_)
		error_ = out_.error();
	text_.clear();
}

Status OutputFile::close()
{
	if (fd_ < 0)
		return {};
	flush();
	if (!error_ && !target_.empty() && !has_name_) {
		has_name_ = name();
		if (!has_name_)
			error_ = errno;
	}
	if (fd_ > STDERR_FILENO && ::close(fd_) && !error_)
		error_ = errno;
	fd_ = -1;
	if (!target_.empty()) {
		if (!error_ && rename(path_.c_str(), target_.c_str()))
			error_ = errno;
		if (error_ && has_name_)
			unlink(path_.c_str());
		path_ = target_;
	}
	// The reader may exit; that is not an error of the output.
	if (error_ && !reader_gone())
		return Status::error("{}: cannot write: {}: make room, or name another file", path_,
				     strerror(error_));
	return {};
}

Status close_all(std::span<OutputFile *const> files)
{
	Status closed;

	for (OutputFile *file : files)
		if (file->failed())
			return file->close();
	for (OutputFile *file : files) {
		file->flush();
		if (file->failed() && !file->reader_gone())
			return file->close();
	}
	for (OutputFile *file : files)
		if (Status status = file->close(); closed.ok())
			closed = status;
	return closed;
}

} // namespace grtrace
