// SPDX-License-Identifier: GPL-2.0
#include "drive/record/clock_marks.h"

#include <fmt/format.h>

#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace grtrace {

// The closest two of this many lines give the offset: an interrupt delays only one.
static constexpr int marks_at_once = 5;

static long long now(clockid_t clock)
{
	timespec ts = {};

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

void write_clock_marks(const std::string &debugfs)
{
	const std::string path = debugfs + "/../tracing/trace_marker";
	const int fd = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);

	if (fd < 0)
		return;
	for (int i = 0; i < marks_at_once; i++) {
		const std::string line =
			fmt::format("grtrace_sync mono={} boot={} tai={}\n", now(CLOCK_MONOTONIC),
				    now(CLOCK_BOOTTIME), now(CLOCK_TAI));

		if (write(fd, line.data(), line.size()) < 0)
			break;
	}
	close(fd);
}

} // namespace grtrace
