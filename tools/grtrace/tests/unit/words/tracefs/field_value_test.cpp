// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/field_value.h"

#include "trace_format.h"

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace grtrace {

namespace {

// An event with a number at 8, the place of a text at 16 and a text of fixed size at 20, and
// then bytes.
class FieldValue : public testing::TestWithParam<const char *> {
protected:
	void SetUp() override
	{
		std::string format = trace_format("made", 7,
						  {{"u64", "number", 8, 8},
						   {"", "placed", 16, 4, true},
						   {"char", "fixed[4]", 20, 4}});

		format.replace(format.find("__data_loc"), 10, GetParam());
		tep_ = tep_alloc();
		ASSERT_EQ(tep_parse_event(tep_, format.data(), format.size(), "made"), 0);
		event_ = tep_find_event(tep_, 7);
		ASSERT_TRUE(event_);
	}
	void TearDown() override { tep_free(tep_); }

	tep_format_field *field(const char *name) { return tep_find_field(event_, name); }
	// Its bytes, with this text at that place.
	std::vector<uint8_t> data(size_t at, size_t length, const std::string &behind)
	{
		const size_t base = std::string_view(GetParam()) == "__rel_loc" ? 20 : 0;
		const uint32_t place = static_cast<uint32_t>((at - base) | length << 16);
		const uint64_t number = 0x123456789abcdef0;
		std::vector<uint8_t> bytes(24);

		memcpy(&bytes[8], &number, 8);
		memcpy(&bytes[16], &place, 4);
		memcpy(&bytes[20], "abcd", 4);
		bytes.insert(bytes.end(), behind.begin(), behind.end());
		return bytes;
	}

	tep_handle *tep_;
	tep_event *event_;
};

} // namespace

TEST_P(FieldValue, a_text_is_where_its_field_says)
{
	const std::string behind("....gfx\0", 8);

	EXPECT_EQ(field_text(field("placed"), data(28, 4, behind)), "gfx");
	// Also where its NUL is missing.
	EXPECT_EQ(field_text(field("placed"), data(28, 2, behind)), "gf");
	EXPECT_EQ(field_text(field("placed"), data(24, 8, behind)), "....gfx");
	EXPECT_EQ(field_text(field("fixed"), data(24, 0, behind)), "abcd");
	EXPECT_EQ(field_number(field("number"), data(24, 0, behind)), 0x123456789abcdef0u);
}

TEST_P(FieldValue, nothing_is_read_beyond_the_end)
{
	const std::vector<uint8_t> bytes = data(24, 4, "gfx");

	EXPECT_EQ(field_text(field("placed"), bytes), "");
	EXPECT_EQ(field_text(field("placed"), data(4000, 4, "gfx")), "");
	EXPECT_EQ(field_number(field("number"), std::span(bytes).first(15)), 0u);
	EXPECT_EQ(field_number(nullptr, bytes), 0u);
	EXPECT_EQ(field_text(nullptr, bytes), "");
}

INSTANTIATE_TEST_SUITE_P(Places, FieldValue, testing::Values("__data_loc", "__rel_loc"));

} // namespace grtrace
