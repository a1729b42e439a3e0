// SPDX-License-Identifier: GPL-2.0
#include "read/stream/ioctl_name.h"

#include <linux/ioctl.h>

#include <gtest/gtest.h>

namespace grtrace {

TEST(IoctlName, those_of_drm_itself)
{
	EXPECT_EQ(ioctl_name(_IO('d', 0x00), "mock"), "VERSION");
	EXPECT_EQ(ioctl_name(_IO('d', 0x09), ""), "GEM_CLOSE");
	EXPECT_EQ(ioctl_name(_IO('d', 0x2e), "i915"), "PRIME_FD_TO_HANDLE");
	EXPECT_EQ(ioctl_name(_IO('d', 0x3a), "xe"), "WAIT_VBLANK");
	EXPECT_EQ(ioctl_name(_IO('d', 0xbc), "amdgpu"), "MODE_ATOMIC");
	EXPECT_EQ(ioctl_name(_IO('d', 0xca), "msm"), "SYNCOBJ_TIMELINE_WAIT");
	EXPECT_EQ(ioctl_name(_IO('d', 0xce), "msm"), "MODE_GETFB2");
}

TEST(IoctlName, those_of_a_driver_are_its_own)
{
	EXPECT_EQ(ioctl_name(_IO('d', 0x42), "virtio_gpu"), "EXECBUFFER");
	EXPECT_EQ(ioctl_name(_IO('d', 0x4b), "virtio_gpu"), "CONTEXT_INIT");
	EXPECT_EQ(ioctl_name(_IO('d', 0x42), "amdgpu"), "CTX");
	EXPECT_EQ(ioctl_name(_IO('d', 0x42), "nobody"), "0x42");
}

// Holes, the ends of the tables, and what is not DRM's at all.
TEST(IoctlName, numbers_without_a_name)
{
	EXPECT_EQ(ioctl_name(_IO('d', 0x0e), "mock"), "0x0e");
	EXPECT_EQ(ioctl_name(_IO('d', 0xff), "mock"), "0xff");
	EXPECT_EQ(ioctl_name(_IO('d', 0x4c), "amdgpu"), "0x4c");
	EXPECT_EQ(ioctl_name(_IO('d', 0x9f), "amdgpu"), "0x9f");
	EXPECT_EQ(ioctl_name(0x5401, "mock"), "0x5401");
}

} // namespace grtrace
