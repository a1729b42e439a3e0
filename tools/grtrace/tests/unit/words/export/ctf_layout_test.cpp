// SPDX-License-Identifier: GPL-2.0
#include "words/export/ctf_layout.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "words/export/ctf_metadata.h"

namespace grtrace {
namespace {

// An id is what a reader finds the fields by.
TEST(CtfLayout, EachKindHasItsId)
{
	std::set<uint16_t> ids;

	for_each_ctf_kind([&](const CtfKind &kind) {
		EXPECT_TRUE(ids.insert(kind.id).second) << kind.name;
		EXPECT_FALSE(kind.fields.empty()) << kind.name;
	});
}

TEST(CtfLayout, WhateverAnEventIsItsKindIsThere)
{
	std::set<uint16_t> ids;

	for_each_ctf_kind([&](const CtfKind &kind) { ids.insert(kind.id); });
	for (uint32_t type = 0; type <= UINT16_MAX; type++)
		for (const bool has_fence : {false, true}) {
			Event event = {};

			// The decoder keeps these for itself.
			if ((type >= GRTRACE_PACKET && type <= GRTRACE_METADATA) ||
			    type == GRTRACE_STOP)
				continue;
			event.type = static_cast<uint16_t>(type);
			event.has_fence = has_fence;
			EXPECT_TRUE(ids.count(ctf_kind(event).id)) << type;
		}
}

// The names of the fields that a record has beyond those of each job.
static std::string more_fields(uint16_t type, uint16_t size)
{
	Event event = {};
	std::string names;

	event.type = type;
	event.size = size;
	for (const CtfField &field : ctf_kind(event).fields.subspan(6))
		names += fmt::format("{} ", field.name);
	return names;
}

TEST(CtfLayout, ALongerRecordHasItsFields)
{
	EXPECT_EQ(more_fields(GRTRACE_PICK, 32), "");
	EXPECT_EQ(more_fields(GRTRACE_COMMIT, 40), "fence_ctx fence_seqno ");
	EXPECT_EQ(more_fields(GRTRACE_SUBMIT, 40), "client ");
	EXPECT_EQ(more_fields(GRTRACE_SUBMIT, 56), "fence_ctx fence_seqno client command ");
	EXPECT_EQ(more_fields(GRTRACE_END, 32), "");
	EXPECT_EQ(more_fields(GRTRACE_END, 40), "response ");
	EXPECT_EQ(more_fields(GRTRACE_ERROR, 128), "kind code guilty_pid guilty_comm error_text ");
	EXPECT_EQ(more_fields(GRTRACE_QUEUE, 48), "state reason client ");
}

TEST(CtfMetadata, SaysWhatCtfWantsFirst)
{
	Session session;

	session.start_ts = 5;
	EXPECT_TRUE(ctf_metadata(session).starts_with("/* CTF 1.8 */\n"));
	// Without a wall clock there is no offset to it.
	EXPECT_NE(ctf_metadata(session).find("absolute = FALSE"), std::string::npos);
	session.start_real = 3000000012;
	EXPECT_NE(ctf_metadata(session).find("offset_s = 3;\n\toffset = 7;\n"
					     "\tabsolute = TRUE"),
		  std::string::npos);
}

} // namespace
} // namespace grtrace
