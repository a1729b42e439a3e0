// SPDX-License-Identifier: GPL-2.0
#include "read/stream/ring_table.h"

#include "unit/from_text.h"

namespace grtrace {

static void learn(RingTable &rings, uint32_t id, uint32_t engine_class, const char *device,
		  const char *driver, const char *name)
{
	const Bytes record =
		record_of(fmt::format("ring id={} class={} device={} driver={} name={}", id,
				      engine_class, device, driver, name));

	rings.learn(record.data());
}

TEST(RingTable, any_id_has_an_answer)
{
	RingTable rings;

	EXPECT_EQ(rings.find(GRTRACE_RING_NONE).name, "-");
	EXPECT_FALSE(rings.find(7).known);
	EXPECT_FALSE(rings.find(UINT32_MAX).known);
}

TEST(RingTable, devices_are_numbered_as_they_come)
{
	RingTable rings;

	learn(rings, 9, GRTRACE_CLASS_RENDER, "card1", "mock", "gfx");
	learn(rings, 2, GRTRACE_CLASS_COPY, "card0", "mock", "sdma");
	learn(rings, 3, GRTRACE_CLASS_COPY, "card1", "mock", "sdma");
	EXPECT_EQ(rings.find(9).device, 0u);
	EXPECT_EQ(rings.find(2).device, 1u);
	EXPECT_EQ(rings.find(3).device, 0u);
	EXPECT_EQ(rings.devices(), (std::vector<std::string>{"card1", "card0"}));
	EXPECT_FALSE(rings.find(4).known);
}

TEST(RingTable, a_ring_keeps_its_name_and_may_get_its_class)
{
	RingTable rings;

	learn(rings, 1, GRTRACE_CLASS_UNKNOWN, "card0", "mock", "gfx");
	learn(rings, 1, GRTRACE_CLASS_RENDER, "card0", "mock", "other");
	learn(rings, 1, GRTRACE_CLASS_UNKNOWN, "card0", "mock", "other");
	EXPECT_EQ(rings.find(1).name, "gfx");
	EXPECT_EQ(rings.find(1).engine_class, uint32_t(GRTRACE_CLASS_RENDER));
}

TEST(RingTable, flags_may_be_learnt_later_and_stay)
{
	RingTable rings;
	const auto learn_flags = [&](const char *flags) {
		rings.learn(record_of(std::string("ring id=1 class=1 name=gfx timeout=70 ") + flags)
				    .data());
	};

	learn_flags("flags=2");
	EXPECT_TRUE(rings.find(1).has(GRTRACE_RING_SHARED));
	EXPECT_EQ(rings.find(1).timeout_ms, 70u);
	learn_flags("flags=16");
	learn_flags("flags=0");
	EXPECT_EQ(ring_flags_text(rings.find(1).flags), "shared+mixed");
	EXPECT_EQ(ring_flags_text(rings.find(2).flags), "");
}

TEST(RingTable, ids_may_be_any_but_none)
{
	std::vector<uint32_t> ids;
	RingTable rings;

	learn(rings, 0, 1, "card0", "mock", "none");
	for (const uint32_t id : {UINT32_MAX, 65535u, 7u, 0xfffffff0u, 65536u})
		learn(rings, id, 1, "card0", "mo\x1b", "far");
	rings.each([&](const Ring &ring) { ids.push_back(ring.id); });
	EXPECT_EQ(ids, (std::vector<uint32_t>{7, 65535, 65536, 0xfffffff0, UINT32_MAX}));
	EXPECT_EQ(rings.find(UINT32_MAX).driver, "mo?");
	EXPECT_FALSE(rings.find(UINT32_MAX - 1).known);
	EXPECT_EQ(rings.find(0).name, "-");
}

} // namespace grtrace
