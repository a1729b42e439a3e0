// SPDX-License-Identifier: GPL-2.0
#include "drive/control/masks.h"

#include <drm/grtrace_drm.h>
#include <gtest/gtest.h>

namespace grtrace {

static uint64_t events(std::string_view text)
{
	uint64_t mask = 0;

	EXPECT_TRUE(parse_event_mask(text, &mask).ok()) << text;
	return mask;
}

TEST(Masks, events_by_letter_name_or_the_headers_spelling)
{
	for (const char *word : {"Q", "q", "submit", "GRTRACE_SUBMIT", "grtrace_submit"})
		EXPECT_EQ(events(word), 1ull << GRTRACE_SUBMIT) << word;
	EXPECT_EQ(events("Q,complete"), 1ull << GRTRACE_SUBMIT | 1ull << GRTRACE_COMPLETE);
}

// Notes are always recorded, and ioctls by the annotator.
TEST(Masks, only_what_the_kernel_records_is_an_event)
{
	uint64_t mask;

	for (const char *word : {"lost", "mL", "ioctl", "", "Q,,C"})
		EXPECT_FALSE(parse_event_mask(word, &mask).ok()) << word;
	EXPECT_NE(parse_event_mask("warp", &mask)
			  .sentence()
			  .find("'warp' is not an event; there are: submit (Q), "),
		  std::string::npos);
	EXPECT_EQ(known_events(), ((2ull << GRTRACE_QUEUE) - 1) & ~1ull);
}

TEST(Masks, engines_by_name_or_number)
{
	uint64_t mask;

	ASSERT_TRUE(parse_engine_mask("Render,copy", &mask).ok());
	EXPECT_EQ(mask, 1ull << GRTRACE_CLASS_RENDER | 1ull << GRTRACE_CLASS_COPY);
	ASSERT_TRUE(parse_engine_mask("0X10", &mask).ok());
	EXPECT_EQ(mask, 0x10u);
	ASSERT_TRUE(parse_engine_mask("3,G", &mask).ok());
	EXPECT_EQ(mask, 1ull << GRTRACE_CLASS_RENDER | 1ull << GRTRACE_CLASS_COPY);
	for (const char *text : {"7", "8", "4294967296"})
		EXPECT_FALSE(parse_engine_mask(text, &mask).ok()) << text;
	EXPECT_NE(parse_engine_mask("warp", &mask).sentence().find("'warp' is not an engine class"),
		  std::string::npos);
}

TEST(Masks, hex_is_64_bits_and_not_empty)
{
	uint64_t mask;

	ASSERT_TRUE(parse_hex_mask("ffffffffffffffff", &mask).ok());
	EXPECT_EQ(mask, UINT64_MAX);
	for (const char *text : {"", "0x", "10000000000000000", "1g", "-1", "0"})
		EXPECT_FALSE(parse_hex_mask(text, &mask).ok()) << text;
}

} // namespace grtrace
