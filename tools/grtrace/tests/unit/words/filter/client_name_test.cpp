// SPDX-License-Identifier: GPL-2.0
#include "words/filter/client_name.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(ClientName, amdgpu_counts_its_own_jobs_downwards)
{
	EXPECT_STREQ(client_name(18446744073709551615u, "amdgpu"), "vm_update");
	EXPECT_STREQ(client_name(18446744073709551609u, "amdgpu"), "ttm_copy_buffer");
	EXPECT_STREQ(client_name(18446744073709551598u, "amdgpu"), "run_shader");
	EXPECT_EQ(client_name(18446744073709551597u, "amdgpu"), nullptr);
	EXPECT_EQ(client_name(12, "amdgpu"), nullptr);
	EXPECT_EQ(client_name(0, "amdgpu"), nullptr);
}

TEST(ClientName, another_driver_may_mean_something_else)
{
	EXPECT_EQ(client_name(UINT64_MAX, "mock"), nullptr);
	EXPECT_STREQ(client_name(UINT64_MAX, ""), "vm_update");
}

TEST(ClientName, a_name_is_a_number)
{
	uint64_t client = 0;

	EXPECT_TRUE(client_by_name("vm_pt_clear", client));
	EXPECT_EQ(client, 18446744073709551612u);
	EXPECT_FALSE(client_by_name("firefox", client));
}

} // namespace grtrace
