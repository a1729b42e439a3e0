// SPDX-License-Identifier: GPL-2.0
//
// The words of the tools, for every number that the kernel knows.
#include <gtest/gtest.h>

#include "format/vocabulary.h"

namespace grtrace {

TEST(Vocabulary, every_kind_of_error_has_a_name)
{
	static const struct {
		uint32_t kind;
		const char *name;
	} kinds[] = {
		{GRTRACE_ERROR_OTHER, "other"},   {GRTRACE_ERROR_TIMEOUT, "timeout"},
		{GRTRACE_ERROR_HANG, "hang"},     {GRTRACE_ERROR_RESET, "reset"},
		{GRTRACE_ERROR_KILL, "kill"},     {GRTRACE_ERROR_HOST, "host"},
		{GRTRACE_ERROR_WEDGED, "wedged"},
	};

	for (auto &kind : kinds)
		EXPECT_STREQ(error_kind_name(kind.kind), kind.name);
	EXPECT_STREQ(error_kind_name(GRTRACE_ERROR_WEDGED + 1), "?");
	EXPECT_STREQ(error_kind_name(UINT32_MAX), "?");
}

TEST(Vocabulary, every_event_is_found_by_letter_and_by_name)
{
	for (uint16_t type = GRTRACE_SUBMIT; type <= last_event; type++) {
		const RecordKind *kind = record_kind(type);

		ASSERT_NE(kind, nullptr);
		EXPECT_EQ(kind->type, type);
		EXPECT_EQ(record_kind_by_word(kind->letter), kind);
		EXPECT_EQ(record_kind_by_word(kind->name), kind);
	}
	EXPECT_EQ(record_kind(0), nullptr);
	EXPECT_EQ(record_kind(last_event + 1), nullptr);
	EXPECT_EQ(record_kind(GRTRACE_NOTE_FIRST - 1), nullptr);
	EXPECT_EQ(record_kind_by_word("nothing"), nullptr);
	EXPECT_EQ(record_kind_by_word("issue")->type, GRTRACE_COMMIT);
	EXPECT_EQ(record_kind_by_word("Queue")->type, GRTRACE_SUBMIT);
	EXPECT_EQ(record_kind_by_word("requeue")->type, GRTRACE_ERROR);
}

TEST(Vocabulary, every_engine_class_is_found_by_letter_and_by_name)
{
	for (uint32_t n = 0; n < GRTRACE_CLASS_COUNT; n++) {
		const char letter = engine_letter(n);

		EXPECT_EQ(engine_class_by_word({&letter, 1}), n);
		EXPECT_EQ(engine_class_by_word(engine_name(n)), n);
	}
	EXPECT_EQ(engine_class_by_word("Video_Decode"), 4u);
	EXPECT_EQ(engine_class_by_word("-"), uint32_t(GRTRACE_CLASS_COUNT));
	EXPECT_EQ(engine_class_by_word(""), uint32_t(GRTRACE_CLASS_COUNT));
}

} // namespace grtrace
