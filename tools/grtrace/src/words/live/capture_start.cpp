// SPDX-License-Identifier: GPL-2.0
#include "words/live/capture_start.h"

#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <random>

namespace grtrace {

uint64_t clock_now(uint32_t clock_id)
{
	struct timespec now = {};

	// The uAPI has the kernel's numbers of clocks.
	clock_gettime(static_cast<clockid_t>(clock_id), &now);
	return uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec);
}

void CaptureStart::start(uint32_t clock_id)
{
	std::random_device random;
	struct utsname system;

	session = (uint64_t(random()) << 32 | random()) | 1;
	clock = clock_id;
	start_ts = clock_now(clock_id);
	start_real = clock_now(CLOCK_REALTIME);
	boot_id = read_boot_id();
	if (!uname(&system))
		release = system.release;
}

InfoFacts CaptureStart::info() const
{
	InfoFacts info = {.session = session,
			  .start_ts = start_ts,
			  .start_real = start_real,
			  .clock = clock,
			  .release = release};

	std::ranges::copy(boot_id, info.boot_id);
	return info;
}

} // namespace grtrace
