// SPDX-License-Identifier: GPL-2.0
#include "read/capture/capture_input.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

namespace grtrace {

class CaptureInputTest : public testing::Test {
protected:
	void SetUp() override { ASSERT_NE(mkdtemp(folder_), nullptr); }
	void TearDown() override
	{
		for (const InputFile &file : input_.files)
			close(file.fd);
		std::filesystem::remove_all(folder_);
	}

	void make(const std::string &name) { std::ofstream(path(name)) << "x"; }
	std::string path(const std::string &name) const
	{
		return std::string(folder_) + "/" + name;
	}
	Status open(const std::string &name) { return input_.open(folder_, name, diagnostics_); }

	char folder_[32] = "/tmp/grtrace-XXXXXX";
	std::vector<std::string> sentences_;
	Diagnostics diagnostics_{
		[this](const std::string &sentence) { sentences_.push_back(sentence); }};
	CaptureInput input_;
};

TEST_F(CaptureInputTest, a_base_is_the_files_of_its_cpus_in_order)
{
	for (const char *name : {"x.grtrace.10", "x.grtrace.0", "x.grtrace.1", "x.grtrace.1x", "y"})
		make(name);
	// As a shell completes it.
	ASSERT_TRUE(open("x.grtrace.1").ok());
	EXPECT_EQ(input_.name, "x");
	EXPECT_TRUE(input_.per_cpu);
	EXPECT_EQ(input_.next_cpu, 11u);
	ASSERT_EQ(input_.files.size(), 3u);
	EXPECT_EQ(input_.files[2].path, path("x.grtrace.10"));
	EXPECT_EQ(CaptureInput::paths(folder_, "x").size(), 3u);
}

TEST_F(CaptureInputTest, says_which_cpus_are_missing)
{
	make("x.grtrace.2");
	ASSERT_TRUE(open("x").ok());
	ASSERT_EQ(sentences_.size(), 2u);
	EXPECT_EQ(sentences_[1], path("x.grtrace.1") +
					 " is missing, though there is one for CPU 2: what CPU 1 "
					 "recorded is not shown; copy the file next to the others");
}

TEST_F(CaptureInputTest, one_file_has_all_cpus)
{
	make("x");
	ASSERT_TRUE(open("x").ok());
	EXPECT_FALSE(input_.per_cpu);
	EXPECT_EQ(input_.files.size(), 1u);
	EXPECT_EQ(CaptureInput::shadow_of(path("x")), "");
	// If it is named, that is read instead.
	make("x.grtrace.3");
	EXPECT_EQ(CaptureInput::shadow_of(path("x")), path("x.grtrace.3"));
}

TEST_F(CaptureInputTest, says_what_is_no_capture)
{
	EXPECT_EQ(open("x").sentence(), path("x") + ": no such capture: there is neither a file " +
						path("x.grtrace.0") + " nor a file " + path("x"));
	std::filesystem::create_directory(path("d"));
	EXPECT_EQ(open("d").sentence(),
		  path("d") + ": is a directory: name the capture in it, without .grtrace.<cpu>");
	std::filesystem::create_directory(path("e.grtrace.0"));
	EXPECT_EQ(open("e").sentence(), path("e") + ": none of its CPU files can be opened");
	EXPECT_EQ(sentences_.back(), path("e.grtrace.0") + ": cannot open: Is a directory");
}

TEST(CaptureInput, a_cpu_is_a_number_to_the_end_of_the_name)
{
	char directory[] = "/tmp/grtrace-XXXXXX";

	ASSERT_NE(mkdtemp(directory), nullptr);
	const std::string base = std::string(directory) + "/a.grtrace.";
	const std::string names[] = {base + "0", base + "1x", base + "x", base + "99999999999"};
	for (const std::string &name : names)
		std::ofstream(name).put('\n');

	EXPECT_EQ(CaptureInput::paths(directory, "a"), std::vector{names[0]});

	for (const std::string &name : names)
		unlink(name.c_str());
	rmdir(directory);
}

} // namespace grtrace
