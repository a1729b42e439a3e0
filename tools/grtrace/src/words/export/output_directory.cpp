// SPDX-License-Identifier: GPL-2.0
#include "words/export/output_directory.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/text/byte_writer.h"

namespace grtrace {

OutputDirectory::~OutputDirectory()
{
	discard();
}

void OutputDirectory::discard()
{
	std::error_code ignored;

	if (!part_.empty())
		std::filesystem::remove_all(part_, ignored);
	part_.clear();
}

Status OutputDirectory::create(const std::string &path)
{
	std::error_code ignored;

	target_ = path;
	while (target_.size() > 1 && target_.ends_with('/'))
		target_.pop_back();
	if (std::filesystem::exists(target_, ignored) &&
	    !std::filesystem::is_empty(target_, ignored))
		return Status::error(
			"{}: already exists: remove it, or name another directory with -o", path);

	const std::string part = fmt::format("{}.{}.part", target_, ::getpid());
	if (mkdir(part.c_str(), 0777))
		return Status::error("{}: cannot create: {}", path, strerror(errno));
	part_ = part;
	return {};
}

void OutputDirectory::make_directory(const std::string &name)
{
	if (!error_ && mkdir((part_ + "/" + name).c_str(), 0777))
		error_ = errno;
}

void OutputDirectory::append(const std::string &name, std::string_view bytes)
{
	if (error_)
		return;

	const int fd = ::open((part_ + "/" + name).c_str(),
			      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		error_ = errno;
	ByteWriter out(fd);
	if (!error_ && !out.write(bytes))
		error_ = out.error();
	if (fd >= 0 && ::close(fd) && !error_)
		error_ = errno;
}

Status OutputDirectory::close()
{
	if (part_.empty())
		return {};
	if (!error_ && rename(part_.c_str(), target_.c_str()))
		error_ = errno;
	if (!error_) {
		part_.clear();
		return {};
	}
	discard();
	return Status::error("{}: cannot write: {}: make room, or write elsewhere with -o", target_,
			     strerror(error_));
}

} // namespace grtrace
