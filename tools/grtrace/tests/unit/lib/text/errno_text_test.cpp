// SPDX-License-Identifier: GPL-2.0
#include "lib/text/errno_text.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(ErrnoText, a_name_or_a_number)
{
	EXPECT_EQ(errno_text(-5), "-EIO");
	EXPECT_EQ(errno_text(-62), "-ETIME");
	EXPECT_EQ(errno_text(-512), "-ERESTARTSYS");
	EXPECT_EQ(errno_text(-999), "-999");
	EXPECT_EQ(errno_text(0), "0");
	EXPECT_EQ(errno_text(7), "7");
	EXPECT_EQ(errno_text(INT32_MIN), "-2147483648");
}

} // namespace grtrace
