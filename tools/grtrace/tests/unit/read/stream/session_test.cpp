// SPDX-License-Identifier: GPL-2.0
#include "read/stream/session.h"

#include <sstream>

#include "unit/from_text.h"

namespace grtrace {

static Session session_of(const std::string &metadata)
{
	std::istringstream lines(metadata);
	std::string line;
	Session session;

	while (getline(lines, line)) {
		const Bytes record = record_of("meta " + line);

		session.learn_metadata(record.data(), record.size());
	}
	return session;
}

TEST(Session, sources_are_known_by_their_names)
{
	const Session session = session_of("source xe 3 5\nsource dma_fence 4 4\nsource xe 5 5\n");

	ASSERT_EQ(session.sources.size(), 2u);
	EXPECT_EQ(session.sources[0].name, "xe");
	EXPECT_EQ(session.sources[0].found, 5u);
	EXPECT_EQ(session.sources[1].known, 4u);
}

TEST(Session, a_device_has_one_model)
{
	const Session session = session_of("device 0000:00:02.0 pci 1af4:1050\n"
					   "device ffe40000.gpu of arm,mali-t860 later words\n"
					   "device 0000:00:02.0 pci 8086:1234\ndevice card7 pci\n");

	ASSERT_EQ(session.models.size(), 2u);
	EXPECT_EQ(session.model_of("0000:00:02.0"), "1af4:1050");
	EXPECT_EQ(session.model_of("ffe40000.gpu"), "arm,mali-t860");
	EXPECT_EQ(session.models[1].bus, "of");
	EXPECT_EQ(session.model_of("card7"), "");
}

// A damaged capture may name any number of them.
TEST(Session, sources_and_models_are_bounded)
{
	std::string metadata;

	for (unsigned int i = 0; i < 300; i++) {
		metadata += "device card" + std::to_string(i) + " pci 1af4:1050\n";
		metadata += "source s" + std::to_string(i) + " 1 1\n";
	}
	const Session session = session_of(metadata);

	EXPECT_EQ(session.models.size(), 256u);
	EXPECT_EQ(session.sources.size(), 256u);
	EXPECT_EQ(session.model_of("card255"), "1af4:1050");
	EXPECT_EQ(session.model_of("card256"), "");
}

TEST(Session, names_are_for_what_nobody_knows_here)
{
	const Session session = session_of(
		"event 20 warp W\nevent 1 mine M\nevent 21\nclass 9 npu\nclass 1 mine\n");

	EXPECT_STREQ(session.event_name(20), "warp");
	EXPECT_STREQ(session.event_letter(20), "W");
	EXPECT_STREQ(session.event_name(GRTRACE_SUBMIT), "submit");
	EXPECT_STREQ(session.event_name(21), "?");
	EXPECT_STREQ(session.class_name(9), "npu");
	EXPECT_STREQ(session.class_name(GRTRACE_CLASS_RENDER), "render");
	EXPECT_STREQ(session.class_name(60), "-");
}

TEST(Session, other_lines_are_facts_or_passed_over)
{
	const Session session = session_of("snapshot slow_exec 700\nrecorder tracefs\n"
					   "untold start end start\nweather fine\n\nsource\n");

	EXPECT_EQ(session.snapshot_reason, "slow_exec");
	EXPECT_EQ(session.snapshot_ts, 700u);
	EXPECT_EQ(session.recorder, "tracefs");
	EXPECT_EQ(session.untold, (std::vector<std::string>{"start", "end"}));
	EXPECT_TRUE(session.sources.empty());
}

TEST(Session, has_the_host_and_its_tags_once)
{
	const Session session = session_of("host r%FF\ntag a 1\ntag b %\ntag a 2\nhost\n"
					   "host r%FF\n");

	EXPECT_EQ(session.host, (HostFacts{"r\xff", {{"a", "1"}, {"b", ""}}}));
}

TEST(Session, the_upper_features_must_be_known)
{
	Session session;

	session.features = 1ull << 7 | GRTRACE_FEATURE_OVERWRITE;
	EXPECT_FALSE(session.must_refuse());
	EXPECT_EQ(feature_text(session.unknown_features()), "bit 7");
	session.features |= 1ull << 40;
	EXPECT_TRUE(session.must_refuse());
	EXPECT_EQ(feature_text(session.unknown_features()), "bit 7, bit 40");
}

// The kernel's own record does not have what its recorder filled in.
TEST(Session, a_boot_id_of_zeros_is_none)
{
	Session session;

	session.learn_info(record_of("info start=5 boot=1 release=7.3").data());
	session.learn_info(record_of("info start=5 boot=0 release=7.3").data());
	EXPECT_EQ(session.boot_id[0], 1);
	EXPECT_EQ(session.start_ts, 5u);
	EXPECT_EQ(session.release, "7.3");
}

} // namespace grtrace
