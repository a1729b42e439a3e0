// SPDX-License-Identifier: GPL-2.0
#include "words/status/accounting.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

using Stats = std::vector<NamedText>;

std::string text(const Stats &stats, bool running = false)
{
	return accounting_text(account(stats), running);
}

} // namespace

TEST(Accounting, EveryReasonCounts)
{
	const char *reasons[] = {"filtered_level",      "filtered_type",      "filtered_engine",
				 "filtered_ring",       "filtered_device",    "filtered_watch",
				 "sampled_out",         "rate_limited_drops", "backpressure_drops",
				 "writes_reserve_fail", "writes_oversize",    "writes_nmi"};
	Stats stats = {{"offered", "88"}, {"written", "10"}, {"lost", "50"}};

	for (int i = 0; i < 12; i++)
		stats.emplace_back(reasons[i], std::to_string(i + 1));
	const Accounting accounting = account(stats);

	EXPECT_TRUE(accounting.adds_up());
	EXPECT_EQ(accounting.reasons.size(), 12u);
	EXPECT_EQ(accounting.lost, 8u + 9 + 10 + 11 + 12);
}

TEST(Accounting, TheSumIsTold)
{
	EXPECT_EQ(text({{"offered", "9"},
			{"written", "6"},
			{"filtered_type", "2"},
			{"writes_nmi", "1"},
			{"lost", "1"}}),
		  "offered 9 = written 6 + filtered_type 2 + writes_nmi 1\n");
	EXPECT_EQ(text({}), "offered 0 = written 0\n");
}

TEST(Accounting, WhatIsMissingIsTold)
{
	const Stats wrong = {
		{"offered", "9"}, {"written", "6"}, {"sampled_out", "2"}, {"lost", "4"}};

	EXPECT_EQ(text(wrong), "DOES NOT ADD UP: offered 9, but written 6 + sampled_out 2 = "
			       "8\nDOES NOT ADD UP: lost 4, but its reasons add up to 0\n");
	EXPECT_NE(text(wrong, true).find("may be on their way"), std::string::npos);
	EXPECT_EQ(text({}, true).find("on their way"), std::string::npos);
}

} // namespace grtrace
