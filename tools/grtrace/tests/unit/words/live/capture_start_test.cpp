// SPDX-License-Identifier: GPL-2.0
#include "words/live/capture_start.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/utsname.h>
#include <time.h>

#include <fstream>

namespace grtrace {

TEST(CaptureStart, says_when_and_where_it_was)
{
	const uint64_t before = clock_now(CLOCK_BOOTTIME);
	CaptureStart start;
	struct utsname system;

	start.start(CLOCK_BOOTTIME);
	uname(&system);
	const InfoFacts info = start.info();

	EXPECT_NE(info.session, 0u);
	EXPECT_EQ(info.clock, uint32_t(CLOCK_BOOTTIME));
	EXPECT_GE(info.start_ts, before);
	EXPECT_LE(info.start_ts, clock_now(CLOCK_BOOTTIME));
	EXPECT_LE(info.start_real, clock_now(CLOCK_REALTIME));
	EXPECT_EQ(info.release, system.release);
}

TEST(CaptureStart, has_the_kernels_boot_id)
{
	std::ifstream file("/proc/sys/kernel/random/boot_id");
	std::string want, got;
	CaptureStart start;

	if (!std::getline(file, want))
		GTEST_SKIP() << "this kernel has none";
	std::erase(want, '-');
	start.start(CLOCK_MONOTONIC);
	for (uint8_t byte : start.info().boot_id)
		got += fmt::format("{:02x}", byte);
	EXPECT_EQ(got, want);
}

TEST(CaptureStart, two_sessions_differ)
{
	CaptureStart one, other;

	one.start(CLOCK_MONOTONIC);
	other.start(CLOCK_MONOTONIC);
	EXPECT_NE(one.session, other.session);
}

} // namespace grtrace
