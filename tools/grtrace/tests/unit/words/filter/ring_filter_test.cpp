// SPDX-License-Identifier: GPL-2.0
#include "words/filter/ring_filter.h"

#include <gtest/gtest.h>

#include "unit/from_text.h"

namespace grtrace {

// The rings whose events pass, in the order of the events.
static std::vector<uint32_t>
passing(RingFilter &filter,
	std::string_view text = "cpu 0\n"
				"submit ring=1 seqno=1\n"
				"ring id=1 class=1 device=card0 driver=mock name=gfx\n"
				"submit ring=1 seqno=2\n"
				"ring id=2 class=40 device=card0 driver=mock name=a/b\n"
				"submit ring=2 seqno=1\n"
				"submit ring=4294967295 seqno=1\n"
				"fence ctx=5 seqno=1\n")
{
	Diagnostics diagnostics([](const std::string &) {});
	Capture capture(diagnostics);
	std::vector<uint32_t> rings;
	const Event *event;

	capture.open_memory(bytes_of(text, false), true);
	while (capture.next(event) == Next::event)
		if (event->is_event() && filter.wants(*event, capture.session()))
			rings.push_back(event->ring);
	return rings;
}

TEST(RingFilter, a_ring_counts_from_its_description_on)
{
	RingFilter by_name, by_id;

	EXPECT_TRUE(by_name.add_rings("gfx").ok());
	EXPECT_EQ(passing(by_name), (std::vector<uint32_t>{1}));
	EXPECT_TRUE(by_id.add_rings("1").ok());
	EXPECT_EQ(passing(by_id), (std::vector<uint32_t>{1, 1}));
}

TEST(RingFilter, a_name_may_have_a_slash)
{
	RingFilter name, both;

	EXPECT_TRUE(name.add_rings("a/b").ok());
	EXPECT_EQ(passing(name), (std::vector<uint32_t>{2}));
	EXPECT_TRUE(both.add_rings("card0/a/b").ok());
	EXPECT_EQ(passing(both), (std::vector<uint32_t>{2}));
}

TEST(RingFilter, a_device_has_all_names_of_its_nodes)
{
	const auto rings_of = [](const char *device) {
		RingFilter filter;

		EXPECT_TRUE(filter.add_devices(device).ok());
		return passing(filter, "cpu none\ninfo start=1\nmeta node card0 0000:00:02.0\n"
				       "meta node renderD128 0000:00:02.0\n"
				       "meta node card1 0000:00:05.0 virtio3\n"
				       "ring id=1 device=0000:00:02.0\nring id=2 device=virtio3\n"
				       "ring id=3 device=mock0\ncpu 0\n"
				       "submit ring=1 seqno=1\nsubmit ring=2 seqno=1\n"
				       "submit ring=3 seqno=1\n");
	};

	for (const char *word : {"card0", "renderD128", "0000:00:02.0", "00:02.0"})
		EXPECT_EQ(rings_of(word), std::vector<uint32_t>{1}) << word;
	for (const char *word : {"card1", "virtio3", "0000:00:05.0"})
		EXPECT_EQ(rings_of(word), std::vector<uint32_t>{2}) << word;
	EXPECT_EQ(rings_of("mock0"), std::vector<uint32_t>{3});
	for (const char *word : {"card", "2.0"})
		EXPECT_TRUE(rings_of(word).empty()) << word;
}

TEST(RingFilter, hostile_ids_and_classes)
{
	RingFilter huge, engine;

	EXPECT_TRUE(huge.add_rings("0xffffffff").ok());
	EXPECT_EQ(passing(huge), (std::vector<uint32_t>{UINT32_MAX}));
	EXPECT_TRUE(engine.add_engines("render,G,other").ok());
	EXPECT_EQ(passing(engine), (std::vector<uint32_t>{1}));
}

} // namespace grtrace
