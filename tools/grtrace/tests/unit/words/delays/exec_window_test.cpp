// SPDX-License-Identifier: GPL-2.0
//
// What a ring executed last stays in order, and what is forgotten is known.
#include <gtest/gtest.h>

#include "words/delays/exec_window.h"

namespace grtrace {

TEST(ExecWindow, gives_what_ended_by_a_time)
{
	ExecWindow<> window;

	EXPECT_TRUE(window.ended_by(UINT64_MAX).empty());
	window.add({10, 20, 5, 1});
	window.add({20, 40, 5, 3});
	// Its record came late.
	window.add({15, 30, 5, 2});

	EXPECT_TRUE(window.ended_by(19).empty());
	ASSERT_EQ(window.ended_by(30).size(), 2u);
	EXPECT_EQ(window.ended_by(30)[1].seqno, 2u);
	EXPECT_EQ(window.ended_by(40)[2].seqno, 3u);
	EXPECT_EQ(window.forgot_until(), 0u);
}

TEST(ExecWindow, forgets_the_oldest)
{
	ExecWindow<> window;

	for (uint64_t i = 0; i <= ExecWindow<>::limit; i++)
		window.add({i, i + 1});
	EXPECT_EQ(window.ended_by(UINT64_MAX).size(), ExecWindow<>::limit / 2 + 1);
	EXPECT_EQ(window.forgot_until(), ExecWindow<>::limit / 2);
	EXPECT_EQ(window.ended_by(UINT64_MAX)[0].end, ExecWindow<>::limit / 2 + 1);
}

} // namespace grtrace
