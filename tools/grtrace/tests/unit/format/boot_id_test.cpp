// SPDX-License-Identifier: GPL-2.0
#include "format/boot_id.h"

#include <algorithm>

#include <drm/grtrace_drm.h>
#include <gtest/gtest.h>

#include "synth.h"

namespace grtrace {

constexpr size_t field = sizeof(grtrace_rec_packet) + offsetof(grtrace_rec_stream_info, boot_id);

class BootIdTest : public testing::Test {
protected:
	BootIdTest()
	{
		for (size_t i = 0; i < id_.size(); i++)
			id_[i] = static_cast<uint8_t>(i + 1);
	}

	// A packet with a STREAM_INFO of this boot, and what follows it.
	std::string packet(const BootId &boot)
	{
		Synth synth(true);

		EXPECT_TRUE(synth.parse("cpu none\ninfo boot=0\nmeta class 0 unknown\n"));
		const std::vector<uint8_t> bytes = synth.streams()[0];
		std::string text(bytes.begin(), bytes.end());
		std::copy(boot.begin(), boot.end(), text.begin() + field);
		return text;
	}

	BootId id_;
};

TEST_F(BootIdTest, IsFilledInWhereItIsZeros)
{
	const std::string before = packet({});
	std::string after = before + before;

	fill_boot_id(after.data(), after.size(), id_);
	EXPECT_EQ(after, packet(id_) + packet(id_));
	EXPECT_NE(after, before + before);
	EXPECT_EQ(after[field + 15], 16);
}

TEST_F(BootIdTest, AnotherBootsStays)
{
	BootId other = {};
	other[15] = 1;
	std::string text = packet(other);

	fill_boot_id(text.data(), text.size(), id_);
	EXPECT_EQ(text, packet(other));
}

TEST_F(BootIdTest, WhatIsCutOrNoStreamStays)
{
	const std::string whole = packet({});

	for (size_t size = 0; size < field + 16; size++) {
		std::string cut = whole.substr(0, size);

		fill_boot_id(cut.data(), cut.size(), id_);
		EXPECT_EQ(cut, whole.substr(0, size));
	}
	std::string text = "not a stream, and long enough to be one";
	const std::string same = text;
	fill_boot_id(text.data(), text.size(), id_);
	EXPECT_EQ(text, same);
}

TEST(BootId, IsThatOfProc)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	const BootId id = read_boot_id();
	char text[37] = {};
	std::string digits;

	if (!file)
		GTEST_SKIP() << "no boot id in /proc";
	EXPECT_EQ(fread(text, 1, 36, file), 36u);
	fclose(file);
	for (const uint8_t byte : id) {
		char two[3];

		snprintf(two, sizeof(two), "%02x", byte);
		digits += two;
	}
	std::string wanted = text;
	std::erase(wanted, '-');
	EXPECT_EQ(digits, wanted);
}

} // namespace grtrace
