// SPDX-License-Identifier: GPL-2.0
#include "words/export/output_directory.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace grtrace {
namespace {

namespace fs = std::filesystem;

class OutputDirectoryTest : public testing::Test {
protected:
	OutputDirectoryTest()
	{
		char name[] = "/tmp/output_directory_test.XXXXXX";

		place_ = mkdtemp(name);
	}
	~OutputDirectoryTest() override { fs::remove_all(place_); }

	size_t entries() const
	{
		return static_cast<size_t>(
			std::distance(fs::directory_iterator(place_), fs::directory_iterator()));
	}

	fs::path place_;
};

TEST_F(OutputDirectoryTest, IsThereWhenAllIsWritten)
{
	OutputDirectory out;

	ASSERT_TRUE(out.create(place_ / "x/").ok());
	out.make_directory("a");
	out.append("a/b", "one ");
	out.append("a/b", "two");
	EXPECT_FALSE(fs::exists(place_ / "x"));
	EXPECT_TRUE(out.close().ok());

	std::ifstream file(place_ / "x/a/b");
	EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "one two");
	EXPECT_EQ(entries(), 1u);
}

TEST_F(OutputDirectoryTest, IsNotThereAfterAnError)
{
	OutputDirectory out;

	ASSERT_TRUE(out.create(place_ / "x").ok());
	out.append("none/b", "one");
	EXPECT_TRUE(out.failed());
	EXPECT_FALSE(out.close().ok());
	EXPECT_EQ(entries(), 0u);
}

TEST_F(OutputDirectoryTest, IsNotThereWhenNobodyClosedIt)
{
	{
		OutputDirectory out;
		ASSERT_TRUE(out.create(place_ / "x").ok());
		out.append("b", "one");
	}
	EXPECT_EQ(entries(), 0u);
}

TEST_F(OutputDirectoryTest, ReplacesNothingButAnEmptyDirectory)
{
	OutputDirectory empty, full;

	fs::create_directories(place_ / "empty");
	fs::create_directories(place_ / "full/of");
	ASSERT_TRUE(empty.create(place_ / "empty").ok());
	empty.append("b", "one");
	EXPECT_TRUE(empty.close().ok());
	EXPECT_TRUE(fs::exists(place_ / "empty/b"));
	EXPECT_FALSE(full.create(place_ / "full").ok());
}

} // namespace
} // namespace grtrace
