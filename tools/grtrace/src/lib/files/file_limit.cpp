// SPDX-License-Identifier: GPL-2.0
#include "lib/files/file_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace grtrace {

void allow_files(size_t cpus)
{
	const rlim_t needed = 2 * cpus + 64;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= needed)
		return;
	limit.rlim_cur = std::min(limit.rlim_max, needed);
	setrlimit(RLIMIT_NOFILE, &limit);
}

} // namespace grtrace
