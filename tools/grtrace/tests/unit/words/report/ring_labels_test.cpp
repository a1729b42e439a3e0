// SPDX-License-Identifier: GPL-2.0
#include "words/report/ring_labels.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace grtrace {

using Names = std::vector<std::string>;

static const Names two = {"0000:0e:00.0", "0000:0b:00.0"};
static const std::vector<RingLabel> same_name = {{two[0], "gfx_0.0.0"}, {two[1], "gfx_0.0.0"}};

TEST(RingLabels, are_whole_where_there_is_room)
{
	EXPECT_EQ(fit_labels({{"", "gfx"}, {"card0", "render0"}}, {"card0", "card1"}, 14, 34),
		  (Names{"gfx", "card0 render0"}));
}

TEST(RingLabels, of_one_device_keep_their_ends)
{
	EXPECT_EQ(fit_labels({{"", "a_long_name_of_gfx"}, {"", "sdma0"}}, {two[0]}, 8, 34),
		  (Names{"e_of_gfx", "sdma0"}));
	EXPECT_EQ(fit_labels({{"", "first_gfx_0.0.0"}, {"", "other_gfx_0.0.0"}}, {two[0]}, 8, 34),
		  (Names{"first_gfx_0.0.0", "other_gfx_0.0.0"}));
}

TEST(RingLabels, of_two_devices_lose_the_domain_first)
{
	EXPECT_EQ(fit_labels(same_name, two, 14, 34),
		  (Names{"0e:00.0 gfx_0.0.0", "0b:00.0 gfx_0.0.0"}));
	EXPECT_EQ(fit_labels({{"0000:0e:00.0", "gfx"}, {"0001:0e:00.0", "gfx"}},
			     {"0000:0e:00.0", "0001:0e:00.0"}, 14, 34),
		  (Names{"0000:0e:00.0 gfx", "0001:0e:00.0 gfx"}));
}

TEST(RingLabels, of_two_devices_keep_what_differs)
{
	EXPECT_EQ(fit_labels(same_name, two, 8, 14), (Names{"0e gfx_0.0.0", "0b gfx_0.0.0"}));
	EXPECT_EQ(fit_labels({{"0000:0e:00.0", "gfx_0.0.0"}, {"0000:0e:00.1", "gfx_0.0.0"}},
			     {"0000:0e:00.0", "0000:0e:00.1"}, 8, 14),
		  (Names{"0 gfx_0.0.0", "1 gfx_0.0.0"}));
	EXPECT_EQ(fit_labels({{"virtio1", "control_of_it"}, {"virtio10", "control_of_it"}},
			     {"virtio1", "virtio10"}, 8, 14),
		  (Names{"virtio1 control_of_it", "virtio10 control_of_it"}));
}

// Only one of them is shown: still it is seen which.
TEST(RingLabels, name_the_device_of_the_only_one_shown)
{
	EXPECT_EQ(fit_labels({same_name[0]}, two, 14, 34), (Names{"0e:00.0 gfx_0.0.0"}));
}

} // namespace grtrace
