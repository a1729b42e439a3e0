// SPDX-License-Identifier: GPL-2.0
#include "read/filter/event_filter.h"

#include <gtest/gtest.h>

namespace grtrace {

static bool passes(const EventFilter &filter, uint16_t type)
{
	Event event = {};

	event.type = type;
	return filter.wants_type(event);
}

static bool passes_at(const EventFilter &filter, uint64_t ts)
{
	Session session;
	Event event = {};

	session.start_ts = 1000000000;
	event.ts = ts;
	return filter.wants_time(event, session);
}

TEST(EventFilter, passes_all_by_default)
{
	EXPECT_TRUE(passes(EventFilter(), GRTRACE_SUBMIT));
	EXPECT_TRUE(passes_at(EventFilter(), 5));
}

TEST(EventFilter, part_of_a_span_is_enough)
{
	EventFilter filter;
	Session session;

	session.start_ts = 1000000000;
	ASSERT_TRUE(filter.set_interval("1:2").ok());
	EXPECT_FALSE(filter.wants_span(0, 1999999999, session));
	EXPECT_TRUE(filter.wants_span(0, 2000000000, session));
	EXPECT_TRUE(filter.wants_span(2400000000, 2500000000, session));
	EXPECT_TRUE(filter.wants_span(0, 9000000000, session));
	EXPECT_TRUE(filter.wants_span(3000000000, 9000000000, session));
	EXPECT_FALSE(filter.wants_span(3000000001, 9000000000, session));
}

TEST(EventFilter, names_and_letters_add_up_in_any_case)
{
	EventFilter filter;

	EXPECT_TRUE(filter.add_types("-a", "q,Complete").ok());
	EXPECT_TRUE(filter.add_types("-a", "dp").ok());
	EXPECT_TRUE(passes(filter, GRTRACE_SUBMIT));
	EXPECT_TRUE(passes(filter, GRTRACE_COMPLETE));
	EXPECT_TRUE(passes(filter, GRTRACE_DEP));
	EXPECT_FALSE(passes(filter, GRTRACE_COMMIT));
	EXPECT_TRUE(passes(filter, GRTRACE_LOST));
	EXPECT_FALSE(filter.add_types("-a", "nothing").ok());
}

TEST(EventFilter, mask_has_64_bits)
{
	EventFilter filter;

	EXPECT_TRUE(filter.set_types("0x8000000000000002").ok());
	EXPECT_TRUE(passes(filter, 1));
	EXPECT_TRUE(passes(filter, 63));
	EXPECT_FALSE(passes(filter, 2));
	EXPECT_FALSE(filter.set_types("10000000000000000").ok());
	EXPECT_FALSE(filter.set_types("").ok());
	EXPECT_FALSE(filter.set_types("2x").ok());
}

TEST(EventFilter, interval)
{
	EventFilter filter;

	EXPECT_TRUE(filter.set_interval("0.5:2").ok());
	EXPECT_FALSE(passes_at(filter, 1400000000));
	EXPECT_TRUE(passes_at(filter, 1500000000));
	EXPECT_TRUE(passes_at(filter, 3000000000));
	EXPECT_FALSE(passes_at(filter, 3000000001));
	EXPECT_TRUE(EventFilter().set_interval("1e-3").ok());
	EXPECT_TRUE(filter.set_interval("1:1").ok() && filter.check().ok());
	for (const char *bad : {"", ":", "2:1", "-1", "nan", "1:x", "1e99"})
		EXPECT_FALSE(EventFilter().set_interval(bad).ok()) << bad;
}

TEST(EventFilter, an_empty_word_is_a_slip)
{
	EXPECT_FALSE(EventFilter().add_types("-a", "").ok());
	EXPECT_FALSE(EventFilter().add_types("-a", "q,").ok());
}

TEST(EventFilter, since_and_until_have_units)
{
	EventFilter filter;

	EXPECT_TRUE(filter.set_since("500ms").ok());
	EXPECT_TRUE(filter.set_until("1.5s").ok());
	EXPECT_TRUE(filter.check().ok());
	EXPECT_FALSE(passes_at(filter, 1499999999));
	EXPECT_TRUE(passes_at(filter, 1500000000));
	EXPECT_TRUE(passes_at(filter, 2500000000));
	EXPECT_FALSE(passes_at(filter, 2500000001));
	EXPECT_TRUE(filter.set_since("2500us").ok());
	EXPECT_TRUE(filter.set_until("2500001ns").ok());
	EXPECT_TRUE(passes_at(filter, 1002500001));
	EXPECT_FALSE(passes_at(filter, 1002500002));
	EXPECT_TRUE(filter.set_until("0.002").ok());
	EXPECT_FALSE(filter.check().ok());
	for (const char *bad : {"", "s", "ms", "-1", "1h", "inf", "nan", "1e99", "1 s", "1e11"})
		EXPECT_FALSE(filter.set_since(bad).ok()) << bad;
}

} // namespace grtrace
