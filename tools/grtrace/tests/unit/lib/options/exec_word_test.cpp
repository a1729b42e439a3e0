// SPDX-License-Identifier: GPL-2.0
#include "lib/options/exec_word.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace grtrace {

// A folder of words, which GRTRACE_EXEC_PATH names: one can be run, one cannot.
class ExecWordTest : public testing::Test {
protected:
	void SetUp() override
	{
		ASSERT_NE(mkdtemp(folder_), nullptr);
		std::ofstream(path("run")) << "#!/bin/sh\nexit $2\n";
		std::filesystem::permissions(path("run"), std::filesystem::perms::owner_all);
		std::ofstream(path("text")) << "no program\n";
		std::filesystem::create_directory(path("folder"));
		setenv("GRTRACE_EXEC_PATH", folder_, 1);
	}
	void TearDown() override
	{
		unsetenv("GRTRACE_EXEC_PATH");
		std::filesystem::remove_all(folder_);
	}
	std::string path(const char *word) const
	{
		return std::string(folder_) + "/grtrace-" + word;
	}

	char folder_[32] = "/tmp/grtrace-XXXXXX";
};

TEST_F(ExecWordTest, finds_only_what_can_be_run)
{
	EXPECT_EQ(find_word_program("run"), path("run"));
	EXPECT_EQ(find_word_program("text"), "");
	EXPECT_EQ(find_word_program("folder"), "");
	EXPECT_EQ(find_word_program("nothing"), "");
}

TEST_F(ExecWordTest, a_word_is_no_path_and_no_option)
{
	EXPECT_EQ(find_word_program(""), "");
	EXPECT_EQ(find_word_program("-run"), "");
	EXPECT_EQ(find_word_program("../" + std::string(folder_ + 5) + "/grtrace-run"), "");
}

TEST_F(ExecWordTest, becomes_the_program)
{
	EXPECT_EXIT(exit(exec_word("grtrace", {"run", "a", "7"}, "")), testing::ExitedWithCode(7),
		    "");
}

TEST_F(ExecWordTest, says_what_is_missing_and_where)
{
	testing::internal::CaptureStderr();
	EXPECT_EQ(exec_word("grtrace", {"nothing"}, "libfmt-dev"), 1);
	EXPECT_EQ(testing::internal::GetCapturedStderr(),
		  "grtrace: there is no program grtrace-nothing in " + std::string(folder_) +
			  ", which GRTRACE_EXEC_PATH names, nor in PATH: unset it, or name the "
			  "folder that has it\n");
	unsetenv("GRTRACE_EXEC_PATH");
	testing::internal::CaptureStderr();
	EXPECT_EQ(exec_word("grtrace", {"nothing"}, "libfmt-dev"), 1);
	EXPECT_NE(testing::internal::GetCapturedStderr().find("it is built with libfmt-dev\n"),
		  std::string::npos);
}

} // namespace grtrace
