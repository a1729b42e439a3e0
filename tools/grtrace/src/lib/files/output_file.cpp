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

#include "lib/files/fd.h"
#include "lib/run/run_user.h"
#include "lib/text/utf8_text.h"

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
bool OutputFile::open_unnamed(mode_t mode)
{
	fd_ = ::open(directory_of(target_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
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

// Opens a file of the temporary name, which no other program has put there.
Status OutputFile::open_part(mode_t mode)
{
	unlink(path_.c_str());
	fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	has_name_ = fd_ >= 0;
	return has_name_ ? Status() :
			   Status::error("{}: cannot create: {}", target_, strerror(errno));
}

Status OutputFile::open(const std::string &path, mode_t mode)
{
	path_ = path == "-" ? "standard output" : path;
	fd_ = path == "-" ? STDOUT_FILENO : create_file(path, mode);
	if (fd_ < 0)
		return Status::error("{}: cannot create: {}", path, strerror(errno));
	is_terminal_ = isatty(fd_);
	out_ = ByteWriter(fd_);
	return {};
}

Status OutputFile::replace(const std::string &path, mode_t mode)
{
	struct stat there;

	// A device or a pipe is written to, not replaced.
	if (path == "-" || is_planted_link(path) ||
	    (!::stat(path.c_str(), &there) && !S_ISREG(there.st_mode)))
		return open(path, mode);

	// If the path is a link, its target is replaced. The kernel follows the link, so that
	// its rules apply.
	const Fd old(::open(path.c_str(), O_PATH | O_CLOEXEC));
	const bool is_there = old.is_open() && !fstat(old.get(), &there);
	if (!is_there && errno == EACCES)
		return Status::error("{}: cannot create: {}", path, strerror(errno));
	const std::string link = fmt::format("/proc/self/fd/{}", old.get());
	char *real = is_there ? realpath(link.c_str(), nullptr) : nullptr;
	target_ = real ? real : path;
	free(real);
	path_ = fmt::format("{}.{}.part", target_, ::getpid());
	if (Status status = open_unnamed(mode) ? Status() : open_part(mode); !status.ok()) {
		target_.clear();
		return status;
	}
	if (mode == capture_mode && !is_there)
		give_to_caller(fd_);
	else if (mode != capture_mode && is_there)
		keep_mode(fd_, there);
	out_ = ByteWriter(fd_);
	return {};
}

void OutputFile::flush()
{
	const std::string_view text(text_.data(), text_.size());

	if (!out_.write(is_terminal_ ? printable_lines(text, true) : text) && !error_)
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
