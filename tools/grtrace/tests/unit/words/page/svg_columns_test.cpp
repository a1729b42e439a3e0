// SPDX-License-Identifier: GPL-2.0
//
// A ring's series on a still picture, and its axis.
#include <gtest/gtest.h>

#include "words/page/svg_columns.h"
#include "words/page/svg_picture.h"

namespace grtrace {

TEST(SvgColumns, spread_a_bucket_over_columns)
{
	PictureSeries series(PictureRing::nr_columns);

	// All of the second half, on a picture of 4 columns of 1024 ns.
	series.add_span(0, 100 * 1024, 102 * 1024, 1);
	series.add_span(PictureRing::queued, 100 * 1024, 101 * 1024, 3);
	const SvgColumns columns(series, 98 * 1024, 4096,
				 4 * SvgColumns::width);
	ASSERT_EQ(columns.size(), 4u);
	EXPECT_EQ(columns.busy(0, 0), 0);
	EXPECT_EQ(columns.busy(1, 0), 0);
	EXPECT_EQ(columns.busy(2, 0), 1);
	EXPECT_EQ(columns.busy(3, 0), 1);
	EXPECT_EQ(columns.depth(2), 4);
	EXPECT_EQ(columns.depth(3), 1);
	EXPECT_EQ(columns.most_busy(), 1);
	EXPECT_EQ(columns.most_deep(), 4);
}

TEST(SvgColumns, keep_the_sum_at_any_width)
{
	PictureSeries series(PictureRing::nr_columns);
	double sum = 0;

	series.add_span(2, 5000, 90000, 1);
	series.coarsen(14);
	const SvgColumns columns(series, 0, 131072, 100);
	for (size_t i = 0; i < columns.size(); i++)
		sum += columns.busy(i, 2) * 131072 / 50;
	EXPECT_NEAR(sum, 85000, 1);
}

TEST(AxisStep, is_1_2_or_5_with_a_unit)
{
	EXPECT_EQ(axis_step(8e9, 8).label(2e9), "2 s");
	EXPECT_EQ(axis_step(1.2e6, 8).label(400e3), "0.4 ms");
	EXPECT_EQ(axis_step(1.2e6, 8).ns, 200e3);
	EXPECT_EQ(axis_step(1.2e5, 8).label(40e3), "40 us");
	EXPECT_EQ(axis_step(80, 8).label(10), "10 ns");
	EXPECT_EQ(axis_step(1, 8).ns, 1);
}

TEST(SvgPicture, text_has_no_markup)
{
	EXPECT_EQ(xml_text("a<b>&\"c"), "a&lt;b&gt;&amp;\\&quot;c");
	EXPECT_EQ(xml_text("\x01\xff"), "\\u0001\\ufffd");
	EXPECT_EQ(xml_text(""), "");
}

} // namespace grtrace
