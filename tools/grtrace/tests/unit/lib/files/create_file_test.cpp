// SPDX-License-Identifier: GPL-2.0
//
// Links and modes are tested with the outputs that create the files.
#include "lib/files/create_file.h"

#include "lib/files/fd.h"

#include <cstdlib>
#include <filesystem>

#include <unistd.h>

#include <gtest/gtest.h>

namespace grtrace {

class CreateFileTest : public testing::Test {
protected:
	void SetUp() override { ASSERT_NE(mkdtemp(folder_), nullptr); }
	void TearDown() override
	{
		unsetenv("SUDO_UID");
		std::filesystem::remove_all(folder_);
	}
	struct stat info(const std::string &name) const
	{
		struct stat info = {};

		EXPECT_EQ(stat((folder_ + ("/" + name)).c_str(), &info), 0) << name;
		return info;
	}

	char folder_[32] = "/tmp/grtrace-XXXXXX";
};

TEST_F(CreateFileTest, captures_belong_to_who_called_sudo)
{
	constexpr uid_t nobody = 65534;
	const std::string folder = folder_;

	if (geteuid())
		GTEST_SKIP() << "only root gives files away";
	ASSERT_GE(Fd(create_file(folder + "/old", usual_mode)).get(), 0);
	setenv("SUDO_UID", std::to_string(nobody).c_str(), 1);
	ASSERT_GE(Fd(create_file(folder + "/capture", capture_mode)).get(), 0);
	ASSERT_GE(Fd(create_file(folder + "/other", usual_mode)).get(), 0);
	ASSERT_GE(Fd(create_file(folder + "/old", capture_mode)).get(), 0);
	ASSERT_TRUE(create_capture_directory(folder + "/captures"));
	ASSERT_TRUE(create_capture_directory(folder + "/captures"));
	EXPECT_EQ(info("capture").st_uid, nobody);
	EXPECT_EQ(info("captures").st_uid, nobody);
	EXPECT_EQ(info("captures").st_mode & 07777, 0700u);
	// An existing file is not given away, and a report belongs to its writer.
	EXPECT_EQ(info("old").st_uid, 0u);
	EXPECT_EQ(info("other").st_uid, 0u);
}

TEST_F(CreateFileTest, the_directory_of_a_path)
{
	EXPECT_EQ(directory_of("a"), "./");
	EXPECT_EQ(directory_of("a/b"), "a/");
	EXPECT_EQ(directory_of("/a"), "/");
}

} // namespace grtrace
