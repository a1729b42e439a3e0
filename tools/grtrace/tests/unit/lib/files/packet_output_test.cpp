// SPDX-License-Identifier: GPL-2.0
#include "lib/files/packet_output.h"

#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace grtrace {

class PacketOutputTest : public testing::Test {
protected:
	void SetUp() override { close(mkstemp(path_)); }
	void TearDown() override { unlink(path_); }

	char path_[32] = "/tmp/grtrace-XXXXXX";
};

TEST_F(PacketOutputTest, counts_what_it_wrote)
{
	Output output;

	ASSERT_TRUE(output.create(path_).ok());
	EXPECT_TRUE(output.write("packet", 6).ok());
	EXPECT_EQ(output.bytes(), 6u);
	EXPECT_TRUE(output.close().ok());
	output.remove_if_empty();
	EXPECT_EQ(access(path_, F_OK), 0);
}

TEST_F(PacketOutputTest, one_without_a_byte_goes_away)
{
	Output output;

	ASSERT_TRUE(output.create(path_).ok());
	EXPECT_TRUE(output.close().ok());
	output.remove_if_empty();
	EXPECT_NE(access(path_, F_OK), 0);
}

TEST_F(PacketOutputTest, nobody_else_reads_a_capture)
{
	struct stat info;

	// A new one, and one that was there; the umask of a shell.
	const mode_t mask = umask(022);
	for (const bool is_new : {true, false}) {
		Output output;

		if (is_new)
			unlink(path_);
		else
			chmod(path_, 0644);
		ASSERT_TRUE(output.create(path_).ok());
		ASSERT_EQ(stat(path_, &info), 0);
		EXPECT_EQ(info.st_mode & 07777, 0600u) << is_new;
	}
	umask(mask);
}

TEST_F(PacketOutputTest, takes_nothing_more_after_a_failure)
{
	Output output;

	ASSERT_TRUE(output.create("/dev/full").ok());
	const std::string sentence = output.write("x", 1).sentence();
	EXPECT_EQ(sentence, "/dev/full: No space left on device: its first 0 bytes are safe, the "
			    "rest is missing");
	EXPECT_EQ(output.write("", 0).sentence(), sentence);
	EXPECT_EQ(output.close().sentence(), sentence);
	// A device is not a file of ours.
	output.remove_if_empty();
	EXPECT_EQ(access("/dev/full", F_OK), 0);
}

} // namespace grtrace
