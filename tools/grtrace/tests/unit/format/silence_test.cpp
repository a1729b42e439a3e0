// SPDX-License-Identifier: GPL-2.0
#include "format/silence.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(Silence, one_that_could_have_told_is_enough)
{
	Silence silence;

	silence.add("drm_sched", 0, 5);
	EXPECT_NE(silence.sentence(), "");
	silence.add("xe", 1, 5);
	EXPECT_EQ(silence.sentence(), "");
}

TEST(Silence, a_driver_that_calls_us_itself_could_have)
{
	Silence silence;

	silence.add("mock", 0, 0);
	EXPECT_EQ(silence.sentence(), "");
}

TEST(Silence, names_those_that_heard_nothing)
{
	Silence silence;

	silence.add("drm_sched", 0, 5);
	silence.add("virtio_gpu", 0, 2);
	EXPECT_NE(silence.sentence().find("the tracepoints of drm_sched, virtio_gpu was loaded"),
		  std::string::npos);
}

TEST(Silence, fences_are_no_source_of_jobs)
{
	Silence silence;

	silence.add("dma_fence", 5, 5);
	silence.add("drm", 1, 1);
	EXPECT_NE(silence.sentence().find("no source of jobs was loaded"), std::string::npos);
}

} // namespace grtrace
