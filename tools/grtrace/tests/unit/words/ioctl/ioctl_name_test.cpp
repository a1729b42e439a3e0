// SPDX-License-Identifier: GPL-2.0
#include "words/ioctl/ioctl_name.h"

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

// As the headers of their uAPI have them, in hexadecimal or not: a hole that is missing, or a
// name too many, moves the last one.
TEST(IoctlName, the_last_of_each_driver)
{
	const struct {
		const char *driver;
		unsigned int number;
		const char *name;
	} last[] = {
		{"etnaviv", 0x0b, "PM_QUERY_SIG"},   {"i915", 0x3c, "GEM_CREATE_EXT"},
		{"lima", 0x06, "CTX_FREE"},          {"msm", 0x0e, "PERFCNTR_CONFIG"},
		{"nouveau", 0x44, "GEM_INFO"},       {"panfrost", 0x0d, "QUERY_BO_INFO"},
		{"panthor", 16, "BO_QUERY_INFO"},    {"powervr", 0x0d, "SUBMIT_JOBS"},
		{"qxl", 0x06, "ALLOC_SURF"},         {"radeon", 0x2d, "GEM_USERPTR"},
		{"tegra", 0x22, "SYNCPOINT_WAIT"},   {"v3d", 0x0d, "PERFMON_SET_GLOBAL"},
		{"vc4", 0x0e, "PERFMON_GET_VALUES"}, {"vgem", 0x02, "FENCE_SIGNAL"},
		{"vmwgfx", 32, "MKSSTAT_REMOVE"},    {"xe", 0x0f, "VM_GET_PROPERTY"},
	};

	for (const auto &[driver, number, name] : last)
		EXPECT_EQ(ioctl_name(_IO('d', 0x40 + number), driver), name) << driver;
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
