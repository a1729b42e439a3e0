// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_axis.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(TimelineAxis, puts_round_numbers_where_they_belong)
{
	TimelineAxis axis(0, 40000, 40);

	EXPECT_STREQ(axis.unit(), "us");
	EXPECT_EQ(axis.numbers(), "0    5    10   15   20   25   30   35");
	EXPECT_EQ(axis.ruler(), "|----|----|----|----|----|----|----|----");
}

TEST(TimelineAxis, begins_with_the_next_round_number)
{
	TimelineAxis axis(3500000, 10000000, 50);

	EXPECT_STREQ(axis.unit(), "ms");
	EXPECT_EQ(axis.numbers(), "  4    5    6    7    8    9    10   11   12   13");
}

TEST(TimelineAxis, makes_room_for_long_numbers)
{
	// An hour after the start, 40 us in 40 columns.
	TimelineAxis axis(3600000000000, 40000, 40);

	EXPECT_STREQ(axis.unit(), "us");
	EXPECT_EQ(axis.numbers(), "3600000000          3600000020");
}

TEST(TimelineAxis, never_has_numbers_that_touch)
{
	for (uint64_t span = 40; span < uint64_t(1) << 62; span += span / 3)
		for (uint64_t from : {uint64_t(0), span / 7, span * 3}) {
			TimelineAxis axis(from, span, 93);
			std::string numbers = axis.numbers();

			EXPECT_LE(numbers.size(), 93u);
			EXPECT_EQ(axis.ruler().size(), 93u);
			for (size_t i = 0; i < numbers.size(); i++) {
				bool starts =
					numbers[i] != ' ' && (i == 0 || numbers[i - 1] == ' ');
				EXPECT_EQ(starts, axis.ruler()[i] == '|');
				if (starts && i > 1) {
					EXPECT_EQ(numbers[i - 2], ' ');
				}
			}
		}
}

TEST(TimelineAxis, finds_the_place_of_a_moment)
{
	TimelineAxis axis(1000, 100, 50);

	EXPECT_EQ(axis.position(900), 0);
	EXPECT_EQ(axis.position(1000), 0);
	EXPECT_EQ(axis.position(1050), 25);
	EXPECT_EQ(axis.position(1100), 50);
	EXPECT_EQ(axis.position(UINT64_MAX), 50);
}

TEST(TimelineAxis, takes_any_span)
{
	TimelineAxis late(UINT64_MAX - 10, 10, 40);
	TimelineAxis all(0, UINT64_MAX, 40);

	EXPECT_LE(late.numbers().size(), 40u);
	EXPECT_LE(all.numbers().size(), 40u);
	EXPECT_STREQ(all.unit(), "s");
}

} // namespace grtrace
