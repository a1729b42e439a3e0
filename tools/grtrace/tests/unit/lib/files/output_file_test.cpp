// SPDX-License-Identifier: GPL-2.0
#include "lib/files/output_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace grtrace {

// A folder with one file in it.
class OutputFileTest : public testing::Test {
protected:
	void SetUp() override
	{
		ASSERT_NE(mkdtemp(folder_), nullptr);
		std::ofstream(path()) << "before";
	}
	void TearDown() override { std::filesystem::remove_all(folder_); }

	std::string path() const { return std::string(folder_) + "/file"; }
	std::string content() const
	{
		std::ifstream file(path());

		return {std::istreambuf_iterator<char>(file), {}};
	}
	size_t files() const
	{
		return std::distance(std::filesystem::directory_iterator(folder_), {});
	}

	char folder_[32] = "/tmp/grtrace-XXXXXX";
};

static void put(OutputFile &file, const char *text)
{
	fmt::format_to(std::back_inserter(file.text()), "{}", text);
}

TEST_F(OutputFileTest, replaces_when_all_is_written)
{
	OutputFile file;

	ASSERT_TRUE(file.replace(path()).ok());
	put(file, "after");
	file.flush();
	EXPECT_EQ(content(), "before");
	EXPECT_TRUE(file.close().ok());
	EXPECT_EQ(content(), "after");
	EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, leaves_nothing_where_it_is_given_up)
{
	{
		OutputFile file;

		ASSERT_TRUE(file.replace(path()).ok());
		put(file, "half");
	}
	EXPECT_EQ(content(), "before");
	EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, drains_whole_blocks)
{
	OutputFile file;

	ASSERT_TRUE(file.open(path()).ok());
	put(file, "small");
	file.drain();
	EXPECT_EQ(content(), "");
	file.text().resize(OutputFile::block);
	file.drain();
	EXPECT_EQ(content().size(), OutputFile::block);
	EXPECT_TRUE(file.close().ok());
}

TEST_F(OutputFileTest, one_that_fails_keeps_the_others_from_their_names)
{
	OutputFile full, whole;

	ASSERT_TRUE(full.open("/dev/full").ok());
	ASSERT_TRUE(whole.replace(path()).ok());
	put(full, "x");
	put(whole, "after");
	OutputFile *const files[] = {&full, &whole};
	EXPECT_EQ(close_all(files).sentence(), "/dev/full: cannot write: No space left on device: "
					       "make room, or name another file");
	EXPECT_TRUE(full.failed());
	EXPECT_FALSE(full.reader_gone());
	EXPECT_EQ(content(), "before");
}

// As on a file system that writes then, and finds no room.
TEST_F(OutputFileTest, what_fails_when_it_is_closed_is_said)
{
	int number = -1;

	for (OutputFile file; number <= STDERR_FILENO;) {
		number = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
		ASSERT_GE(number, 0);
		if (number <= STDERR_FILENO)
			continue;
		// The file gets it, and it is closed behind its back.
		::close(number);
		ASSERT_TRUE(file.replace("/dev/null").ok());
		::close(number);
		EXPECT_EQ(file.close().sentence(), "/dev/null: cannot write: Bad file descriptor: "
						   "make room, or name another file");
	}
}

TEST_F(OutputFileTest, says_where_it_cannot_be)
{
	OutputFile file;

	EXPECT_EQ(file.open(path() + "/x").sentence(),
		  path() + "/x: cannot create: Not a directory");
	EXPECT_FALSE(file.is_open());
}

} // namespace grtrace
