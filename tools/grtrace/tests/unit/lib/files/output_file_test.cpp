// SPDX-License-Identifier: GPL-2.0
#include "lib/files/output_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <sys/stat.h>
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

static mode_t mode_of(const std::string &path)
{
	struct stat info;

	return stat(path.c_str(), &info) ? 0 : info.st_mode & 07777;
}

TEST_F(OutputFileTest, what_it_replaces_keeps_its_mode)
{
	const mode_t mask = umask(022);

	for (const mode_t mode : {0600u, 0666u}) {
		OutputFile file;

		chmod(path().c_str(), mode);
		ASSERT_TRUE(file.replace(path()).ok());
		put(file, "after");
		ASSERT_TRUE(file.close().ok());
		EXPECT_EQ(mode_of(path()), mode);
	}
	OutputFile capture, other;
	ASSERT_TRUE(capture.replace(path(), capture_mode).ok());
	ASSERT_TRUE(capture.close().ok());
	EXPECT_EQ(mode_of(path()), 0600u);
	ASSERT_TRUE(other.replace(path() + "2").ok());
	ASSERT_TRUE(other.close().ok());
	EXPECT_EQ(mode_of(path() + "2"), 0644u);
	umask(mask);
}

TEST_F(OutputFileTest, a_link_of_ours_is_followed)
{
	const std::string link = path() + "-link";
	OutputFile file;

	ASSERT_EQ(symlink("file", link.c_str()), 0);
	ASSERT_TRUE(file.replace(link).ok());
	put(file, "after");
	ASSERT_TRUE(file.close().ok());
	EXPECT_EQ(content(), "after");
	EXPECT_TRUE(std::filesystem::is_symlink(link));
}

// As the kernel has it with fs.protected_symlinks, on whatever machine this runs.
TEST_F(OutputFileTest, a_planted_link_is_not)
{
	const std::string link = path() + "-link";
	constexpr uid_t nobody = 65534;

	if (geteuid())
		GTEST_SKIP() << "only root can plant a link of another user";
	ASSERT_EQ(symlink("file", link.c_str()), 0);
	ASSERT_EQ(lchown(link.c_str(), nobody, nobody), 0);
	ASSERT_EQ(chmod(folder_, 01777), 0);
	OutputFile file;
	EXPECT_EQ(file.replace(link).sentence(), link + ": cannot create: Permission denied");
	EXPECT_EQ(file.open(link).sentence(), link + ": cannot create: Permission denied");
	EXPECT_EQ(content(), "before");
	// Its owner is the directory's, or others cannot put anything there.
	ASSERT_EQ(chmod(folder_, 0755), 0);
	EXPECT_FALSE(is_planted_link(link));
	ASSERT_EQ(chmod(folder_, 01777), 0);
	ASSERT_EQ(chown(folder_, nobody, nobody), 0);
	EXPECT_FALSE(is_planted_link(link));
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
