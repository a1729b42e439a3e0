// SPDX-License-Identifier: GPL-2.0
#include "drive/run/kprobe_events.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(KprobeEvents, probes_of_the_dead_are_left)
{
	const std::string own = kprobe_name("drm_ioctl");
	const std::vector<std::string> left = {"grtrace_annotate/drm_ioctl_grtrace_4194305_77",
					       "nvidia/open_grtrace_1_1"};

	// No process has a number above 4194304, and the first one began before the first tick
	// only if it is not the first one.
	EXPECT_EQ(left_kprobes("r4096:grtrace_annotate/" + own +
			       " drm_ioctl\n"
			       "r4096:grtrace_annotate/drm_ioctl_grtrace_4194305_77 drm_ioctl\n"
			       "p:nvidia/open_grtrace_1_1 nvidia_open device=$arg1\n"
			       "p:kprobes/myprobe_4194305_77 do_sys_open\n"
			       "p:other/grtrace_4194305 x\n"),
		  left);
	EXPECT_TRUE(left_kprobes("").empty());
}

} // namespace grtrace
