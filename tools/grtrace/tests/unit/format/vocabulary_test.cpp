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

TEST(Vocabulary, every_state_of_a_queue_and_its_reason_has_a_name)
{
	static const char *const reasons[] = {
		"unknown",  "created", "destroyed", "evicted",  "restored",  "suspended", "resumed",
		"disabled", "enabled", "hung",      "isolated", "preempted", "faulted",
	};

	for (uint32_t i = 0; i <= GRTRACE_QUEUE_FAULTED; i++)
		EXPECT_STREQ(queue_reason_name(i), reasons[i]);
	EXPECT_STREQ(queue_reason_name(GRTRACE_QUEUE_FAULTED + 1), "?");
	EXPECT_STREQ(queue_reason_name(UINT32_MAX), "?");
	EXPECT_STREQ(queue_state_name(GRTRACE_QUEUE_OFF), "off");
	EXPECT_STREQ(queue_state_name(GRTRACE_QUEUE_ON), "on");
	EXPECT_STREQ(queue_state_name(2), "?");
}

TEST(Vocabulary, every_event_is_found_by_letter_and_by_name)
{
	for (uint16_t type = 0; type < GRTRACE_TYPE_LIMIT; type++) {
		const RecordKind *kind = record_kind(type);

		EXPECT_EQ(kind != nullptr, is_known_event(type)) << type;
		if (!kind)
			continue;
		EXPECT_EQ(kind->type, type);
		EXPECT_EQ(record_kind_by_word(kind->letter), kind);
		EXPECT_EQ(record_kind_by_word(kind->name), kind);
	}
	EXPECT_STREQ(record_kind(GRTRACE_QUEUE)->letter, "QS");
	EXPECT_STREQ(record_kind(GRTRACE_IOCTL)->letter, "IO");
	EXPECT_EQ(record_kind(0), nullptr);
	EXPECT_EQ(record_kind(GRTRACE_QUEUE + 1), nullptr);
	EXPECT_EQ(record_kind(GRTRACE_IOCTL - 1), nullptr);
	EXPECT_EQ(record_kind(GRTRACE_IOCTL + 1), nullptr);
	EXPECT_EQ(record_kind(GRTRACE_NOTE_FIRST - 1), nullptr);
	EXPECT_STREQ(record_kind(GRTRACE_FENCE_NAME)->letter, "FN");
	EXPECT_EQ(record_kind(GRTRACE_FENCE_NAME + 1), nullptr);
	EXPECT_EQ(record_kind(UINT16_MAX), nullptr);
	EXPECT_FALSE(is_known_event(GRTRACE_FENCE_NAME));
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
