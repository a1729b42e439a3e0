// SPDX-License-Identifier: GPL-2.0
#include "lib/files/file_limit.h"

#include <sys/resource.h>

#include <gtest/gtest.h>

namespace grtrace {
namespace {

// Puts back what it finds.
class FileLimit : public testing::Test {
protected:
	FileLimit() { getrlimit(RLIMIT_NOFILE, &before_); }
	~FileLimit() override { setrlimit(RLIMIT_NOFILE, &before_); }

	void set(rlim_t soft)
	{
		const struct rlimit limit = {soft, before_.rlim_max};

		ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	}
	static rlim_t soft()
	{
		struct rlimit limit;

		getrlimit(RLIMIT_NOFILE, &limit);
		return limit.rlim_cur;
	}

	struct rlimit before_;
};

TEST_F(FileLimit, makes_room_for_two_files_of_each_cpu)
{
	set(128);
	allow_files(100);
	EXPECT_EQ(soft(), std::min<rlim_t>(264, before_.rlim_max));
}

TEST_F(FileLimit, is_left_alone_where_it_is_enough)
{
	set(128);
	allow_files(32);
	EXPECT_EQ(soft(), 128u);
}

TEST_F(FileLimit, ends_at_the_hard_one)
{
	set(128);
	allow_files(size_t(1) << 40);
	EXPECT_EQ(soft(), before_.rlim_max);
}

} // namespace
} // namespace grtrace
