// SPDX-License-Identifier: GPL-2.0
#include "read/capture/output_names.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace grtrace {

// A folder with a capture of one CPU.
class OutputNamesTest : public testing::Test {
protected:
	void SetUp() override
	{
		ASSERT_NE(mkdtemp(folder_), nullptr);
		std::ofstream(path("x.grtrace.0")) << "capture";
		std::filesystem::create_symlink(path("x.grtrace.0"), path("link"));
	}
	void TearDown() override { std::filesystem::remove_all(folder_); }

	std::string path(const std::string &name) const
	{
		return std::string(folder_) + "/" + name;
	}
	std::string check(const std::string &o, const std::string &d = "", bool is_capture = true)
	{
		return check_outputs({{"-o", o}, {"-d", d, is_capture}}, folder_, {"x"}).sentence();
	}

	char folder_[32] = "/tmp/grtrace-XXXXXX";
};

TEST_F(OutputNamesTest, files_of_their_own_are_fine)
{
	EXPECT_EQ(check(path("a"), path("b")), "");
	EXPECT_EQ(check("-", "-"), "");
	EXPECT_EQ(check("/dev/null", "/dev/null"), "");
	// Opening it says why.
	EXPECT_EQ(check(path("none/a"), path("none/a")), "");
}

TEST_F(OutputNamesTest, what_is_read_is_not_written)
{
	for (const std::string &name : {path("x.grtrace.0"), path("link"), path("./x.grtrace.0")})
		EXPECT_EQ(check(name), "-o " + name + ": this is " + path("x.grtrace.0") +
					       ", which is an input: give the output another name");
}

TEST_F(OutputNamesTest, two_outputs_are_two_files)
{
	EXPECT_EQ(check(path("a"), path("../") + (folder_ + 5) + "/a"),
		  "-d " + path("../") + (folder_ + 5) +
			  "/a: -o writes to that file: give one of them another name");
}

TEST_F(OutputNamesTest, a_capture_is_not_written_beside_one_that_is_read_instead)
{
	EXPECT_EQ(check("-", path("x")),
		  "-d " + path("x") + ": there is " + path("x.grtrace.0") +
			  ", which would be read instead of it: give the output another name");
	EXPECT_EQ(check("-", path("x"), false), "");
}

} // namespace grtrace
