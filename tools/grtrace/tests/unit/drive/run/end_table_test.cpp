// SPDX-License-Identifier: GPL-2.0
#include "drive/run/end_table.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(EndTable, IsBlktracesToTheByte)
{
	const std::vector<CpuCapture> cpus = {
		{{0, 0, 0, 0, 0, 0, 0}, 0},
		{{1, 1234, 1234, 0, 0, 0, 0}, 59000},
	};

	EXPECT_EQ(end_table("sda", cpus),
		  "=== sda ===\n"
		  "  CPU  0:                    0 events,        0 KiB data\n"
		  "  CPU  1:                 1234 events,       58 KiB data\n"
		  "  Total:                  1234 events (dropped 0),       58 "
		  "KiB data\n");
	EXPECT_EQ(loss_advice(cpus, {}), "");
}

TEST(EndTable, a_started_kib_counts)
{
	EXPECT_EQ(end_table("x", {{{0, 0, 0, 0, 0, 0, 0}, 1}, {{1, 0, 0, 0, 0, 0, 0}, 1049600}}),
		  "=== x ===\n"
		  "  CPU  0:                    0 events,        1 KiB data\n"
		  "  CPU  1:                    0 events,     1025 KiB data\n"
		  "  Total:                     0 events (dropped 0),     1026 KiB data\n");
}

TEST(EndTable, LossIsSaidWithItsShare)
{
	EXPECT_EQ(loss_advice({{{0, 4, 3, 0, 1, 0, 0}, 0}}, {}),
		  "You have 1 ( 25.0%) dropped events\n"
		  "Consider using a larger buffer size (-b) and/or more "
		  "buffers (-n)\n");
	EXPECT_NE(loss_advice({{{0, 4, 4, 0, 0, 2, 0}, 0}}, {}).find("2 dropped notes"),
		  std::string::npos);
}

// More room does not help against a refusal on purpose.
TEST(EndTable, what_was_refused_is_said_and_needs_no_room)
{
	EXPECT_EQ(loss_advice({{{0, 4, 1, 0, 3, 0, 0}, 0}}, {.limited = 3}),
		  "You have 3 ( 75.0%) dropped events\n"
		  "3 of them were refused by the rate limit (--rate, --burst)\n");
	EXPECT_EQ(loss_advice({{{0, 4, 1, 0, 3, 0, 0}, 0}}, {.limited = 1, .pressure = 1}),
		  "You have 3 ( 75.0%) dropped events\n"
		  "1 of them were refused by the rate limit (--rate, --burst), 1 by backpressure "
		  "(--backpressure)\n"
		  "Consider using a larger buffer size (-b) and/or more buffers (-n)\n");
}

TEST(EndTable, the_table_makes_way_for_the_capture)
{
	const std::vector<CpuCapture> cpus = {{{0, 1, 1, 0, 0, 0, 0}, 8}};

	for (const bool to_stdout : {false, true}) {
		testing::internal::CaptureStdout();
		testing::internal::CaptureStderr();
		print_end("x", cpus, {.overwritten = 7}, to_stdout);
		const std::string said = testing::internal::GetCapturedStderr();
		EXPECT_EQ(testing::internal::GetCapturedStdout() + (to_stdout ? said : ""),
			  end_table("x", cpus) +
				  (to_stdout ?
					   "7 older events were overwritten (mode=overwrite)\n" :
					   ""));
	}
}

} // namespace grtrace
