// SPDX-License-Identifier: GPL-2.0
#include "lib/files/create_file.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "lib/files/fd.h"
#include "lib/run/run_user.h"

namespace grtrace {

std::string directory_of(const std::string &path)
{
	const size_t slash = path.rfind('/');

	return slash == path.npos ? "./" : path.substr(0, slash + 1);
}

bool is_planted_link(const std::string &path)
{
	constexpr mode_t shared = S_ISVTX | S_IWOTH;
	struct stat link, directory;

	return !lstat(path.c_str(), &link) && S_ISLNK(link.st_mode) && link.st_uid != geteuid() &&
	       !stat(directory_of(path).c_str(), &directory) &&
	       (directory.st_mode & shared) == shared && directory.st_uid != link.st_uid;
}

int create_file(const std::string &path, mode_t mode)
{
	constexpr int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
	struct stat old;
	int fd;

	if (is_planted_link(path)) {
		errno = EACCES;
		return -1;
	}
	fd = open(path.c_str(), flags | O_EXCL, mode);
	if (fd >= 0 && mode == capture_mode)
		give_to_caller(fd);
	if (fd >= 0 || errno != EEXIST)
		return fd;
	fd = open(path.c_str(), flags | O_TRUNC, mode);
	if (fd >= 0 && mode == capture_mode && !fstat(fd, &old) && S_ISREG(old.st_mode))
		(void)!fchmod(fd, mode);
	return fd;
}

bool create_capture_directory(const std::string &path)
{
	if (mkdir(path.c_str(), 0700))
		return errno == EEXIST;
	const Fd made(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	if (made.is_open())
		give_to_caller(made.get());
	return true;
}

void keep_mode(int fd, const struct stat &old)
{
	struct stat made;

	if (!fstat(fd, &made))
		(void)!fchmod(fd, old.st_mode & (old.st_uid == geteuid() ? 07777 : made.st_mode));
}

} // namespace grtrace
