// SPDX-License-Identifier: GPL-2.0
#include "format/host_facts.h"

#include <algorithm>

#include "format/byte_order.h"
#include "words/packets/packet_bytes.h"

#include <drm/grtrace_drm.h>
#include <gtest/gtest.h>

namespace grtrace {

// Returns the facts that a reader learns from the lines.
static HostFacts learned(const std::string &lines)
{
	HostFacts facts;

	for (size_t at = 0, end; at < lines.size(); at = end + 1) {
		end = lines.find('\n', at);
		const std::string line = lines.substr(at, end - at);
		const size_t first = line.find(' '), second = line.find(' ', first + 1);

		if (line.starts_with("host "))
			facts.learn_host(line.substr(first + 1));
		else
			facts.learn_tag(line.substr(first + 1, second - first - 1),
					line.substr(second + 1));
	}
	return facts;
}

TEST(HostFacts, any_bytes_come_back)
{
	HostFacts facts;

	facts.host = "render 7\xff%41";
	ASSERT_TRUE(facts.add_tag("mesa=26.1").ok());
	ASSERT_TRUE(facts.add_tag("app, name=a \"b\"\nc=d,%\\").ok());
	ASSERT_TRUE(facts.add_tag("empty=").ok());
	const std::string lines = facts.lines();
	EXPECT_EQ(learned(lines), facts);
	EXPECT_EQ(std::ranges::count(lines, '\n'), 4);
}

TEST(HostFacts, the_last_value_of_a_key_counts)
{
	HostFacts facts;

	ASSERT_TRUE(facts.add_tag("a=1").ok());
	ASSERT_TRUE(facts.add_tag("a=2").ok());
	EXPECT_EQ(facts.lines(), "tag a 2\n");
}

TEST(HostFacts, what_is_no_tag_is_refused)
{
	HostFacts facts;

	EXPECT_EQ(facts.add_tag("mesa").sentence(), "'mesa' is not KEY=VALUE");
	EXPECT_FALSE(facts.add_tag("=1").ok());
	EXPECT_FALSE(facts.add_tag(std::string(65, 'k') + "=1").ok());
	EXPECT_FALSE(facts.add_tag("k=" + std::string(1025, 'v')).ok());
	for (int i = 0; i < 64; i++)
		EXPECT_TRUE(facts.add_tag("k" + std::to_string(i) + "=").ok());
	EXPECT_FALSE(facts.add_tag("another=").ok());
	EXPECT_TRUE(facts.add_tag("k1=changed").ok());
}

TEST(HostFacts, damaged_lines_are_no_more_than_that)
{
	HostFacts facts;

	facts.learn_tag("%", "x");
	facts.learn_tag("", "x");
	facts.learn_tag("a%4", "%zz%");
	EXPECT_EQ(facts.tags, (std::vector<HostFacts::Tag>{{"a4", "zz"}}));
}

TEST(HostFacts, a_device_has_all_names_of_its_nodes)
{
	HostFacts facts;

	for (const char *names : {"card0 0000:00:02.0", "renderD128 0000:00:02.0",
				  "card1 0000:00:05.0 virtio3", "card0 0000:00:02.0"})
		facts.learn_node(names);
	EXPECT_EQ(facts.lines(), "node card0 0000:00:02.0\nnode renderD128 0000:00:02.0\n"
				 "node card1 0000:00:05.0 virtio3\n");
	facts.learn_node(std::string(1025, 'x'));
	EXPECT_EQ(facts.nodes.size(), 3u);
}

TEST(HostFacts, go_behind_the_info_of_a_stream)
{
	PacketBytes packet;
	HostFacts facts;

	packet.open({.session = 7});
	packet.add_info({});
	const size_t place = packet.bytes().size();
	packet.add_metadata("class 0 unknown\n");
	const std::string stream(packet.bytes().begin(), packet.bytes().end());
	facts.host = "a";
	ASSERT_TRUE(facts.add_tag("k=v").ok());

	const HostRecords made = host_records(stream.data(), stream.size(), facts.lines());
	EXPECT_EQ(made.at, place);
	EXPECT_EQ(load16(made.bytes.data()), GRTRACE_METADATA);
	EXPECT_EQ(made.bytes.size() % 8, 0u);
	EXPECT_NE(made.bytes.find("tag k v\n"), std::string::npos);
	EXPECT_EQ(host_records(stream.data(), place - 8, facts.lines()).bytes, "");
	EXPECT_EQ(host_records("METADATA", 8, facts.lines()).bytes, "");
	EXPECT_EQ(host_records(stream.data(), 0, facts.lines()).bytes, "");
	EXPECT_EQ(host_records(stream.data(), stream.size(), "").bytes, "");
}

} // namespace grtrace
