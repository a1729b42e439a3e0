// SPDX-License-Identifier: GPL-2.0
#include "read/stream/note_counter.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace grtrace {

static std::string told(const char *line)
{
	const std::optional<NoteCounter> counter = note_counter(line);

	if (!counter)
		return "none";
	return fmt::format("{}: {}{}", counter->name, counter->value,
			   counter->bytes ? " bytes" : " Hz");
}

TEST(NoteCounter, reads_what_the_recorder_writes)
{
	EXPECT_EQ(told("gpu_mem_total gpu_id=1 pid=4711 size=1099511627776"),
		  "gpu_mem_total gpu_id=1 pid=4711: 1099511627776 bytes");
	EXPECT_EQ(told("gpu_frequency gpu_id=1 state=1300000"),
		  "gpu_frequency gpu_id=1: 1300000000 Hz");
	EXPECT_EQ(told("devfreq_frequency dev_name=1300.mali freq=800 "
		       "prev_freq=400"),
		  "devfreq_frequency dev_name=1300.mali: 800 Hz");
	EXPECT_EQ(told("intel_gpu_freq_change freq=1100"),
		  "intel_gpu_freq_change: 1100000000 Hz");
}

// As merge has them from trace-cmd and perf.
TEST(NoteCounter, reads_what_the_kernel_prints)
{
	EXPECT_EQ(told("drm_msm_gpu:msm_gpu_freq_change: new_freq=710"),
		  "msm_gpu_freq_change: 710000000 Hz");
	EXPECT_EQ(told("gpu_mem_total: gpu_id=0 pid=0 size=4096"),
		  "gpu_mem_total gpu_id=0 pid=0: 4096 bytes");
	EXPECT_EQ(told("gpu_frequency: state=5, gpu_id=2"),
		  "gpu_frequency gpu_id=2: 5000 Hz");
}

TEST(NoteCounter, takes_no_other_for_one)
{
	for (const char *line :
	     {"", "=", "gpu_frequency", "gpu_frequency state=",
	      "gpu_frequency state=1x", "gpu_frequency state=-5",
	      "gpu_frequency state=18446744073709551615",
	      "gpu_mem_total size=99999999999999999999",
	      "amdgpu_bo_move bo_size=4096", "gpu_mem size=4", "vblank seq=1"})
		EXPECT_EQ(told(line), "none") << line;
}

} // namespace grtrace
