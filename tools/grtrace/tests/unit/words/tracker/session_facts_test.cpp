// SPDX-License-Identifier: GPL-2.0
#include "words/tracker/session_facts.h"

#include <gtest/gtest.h>

#include "unit/from_text.h"

namespace grtrace {

TEST(SessionFacts, a_ring_is_called_by_device_and_name)
{
	Session session;

	session.rings.learn(
		record_of("ring id=1 class=1 device=card0 driver=mock name=gfx").data());
	EXPECT_EQ(ring_title(session, 1), "card0 gfx");
	EXPECT_EQ(ring_title(session, 7), "ring 7");
	EXPECT_EQ(ring_title(session, GRTRACE_RING_NONE), "no ring");
}

TEST(SessionFacts, a_source_may_not_report_all)
{
	Session session;

	session.untold = {"results", "completions"};
	EXPECT_TRUE(lacks(session, "completions"));
	EXPECT_FALSE(lacks(session, "submissions"));
}

} // namespace grtrace
