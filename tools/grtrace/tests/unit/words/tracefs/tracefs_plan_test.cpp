// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/trace_plan.h"

#include "drive/options/capture_words.h"
#include "words/translate/device_names.h"
#include "words/translate/ring_names.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

Status plan(const std::vector<std::string> &args, TracePlan *made)
{
	CaptureOptions options;
	Status status = parse_capture_options(Word::record, args, &options);

	if (status.ok())
		status = plan_trace(options, DeviceNames("/nonexistent"), made);
	return status;
}

} // namespace

TEST(TracePlan, DefaultsAreThoseOfTheModule)
{
	TracePlan made;

	ASSERT_TRUE(plan({}, &made).ok());
	EXPECT_EQ(made.name, "all");
	EXPECT_EQ(made.subbuf_kib, 512u);
	EXPECT_EQ(made.subbufs, 4u);
	EXPECT_EQ(made.filter.types, UINT64_MAX);
	EXPECT_TRUE(made.live);
}

TEST(TracePlan, OptionsThatCanBeHad)
{
	TracePlan made;
	Status status =
		plan({"-b", "64", "-n", "8", "--mode", "overwrite", "--clock", "boot", "-a", "q",
		      "-a", "complete", "--ring", "gfx,copy", "--engine", "render", "--sched"},
		     &made);

	ASSERT_TRUE(status.ok()) << status.sentence();
	EXPECT_EQ(made.subbuf_kib, 64u);
	EXPECT_EQ(made.subbufs, 8u);
	EXPECT_FALSE(made.live);
	EXPECT_EQ(made.clock, "boot");
	EXPECT_EQ(made.clock_id, uint32_t(GRTRACE_CLOCK_BOOTTIME));
	EXPECT_EQ(made.filter.types, 1ull << GRTRACE_SUBMIT | 1ull << GRTRACE_COMPLETE);
	EXPECT_EQ(made.filter.rings, (std::vector<std::string>{"gfx", "copy"}));
	EXPECT_EQ(made.filter.engines, 1ull << GRTRACE_CLASS_RENDER);
	EXPECT_TRUE(made.groups.sched);
	EXPECT_FALSE(made.groups.vblank);
}

TEST(TracePlan, LevelNormalIsAJobsLife)
{
	TracePlan made;

	ASSERT_TRUE(plan({"--level", "normal"}, &made).ok());
	EXPECT_TRUE(made.filter.passes(GRTRACE_COMPLETE, nullptr));
	EXPECT_TRUE(made.filter.passes(GRTRACE_QUEUE, nullptr));
	EXPECT_FALSE(made.filter.passes(GRTRACE_DEP, nullptr));
}

TEST(TracePlan, OptionsOfTheModuleAreRefusedByName)
{
	const std::vector<std::vector<std::string>> refused = {
		{"--sample", "10"},
		{"--adaptive"},
		{"--rate", "5"},
		{"--slow-exec", "5"},
		{"--slow-queue", "5"},
		{"--snapshot-on", "error"},
		{"--profile"},
		{"--backpressure", "50"},
		{"--ctx", "5"},
		{"--pid", "5"},
		{"--deny"},
		{"--combine", "and"},
		{"--ring", "3"},
	};

	for (const std::vector<std::string> &args : refused) {
		TracePlan made;
		Status status = plan(args, &made);

		EXPECT_FALSE(status.ok()) << args[0];
		EXPECT_NE(status.sentence().find("tracefs"), std::string::npos) << args[0];
	}
}

TEST(RecordFilter, AsTheModuleFilters)
{
	RecordFilter filter;
	TraceRing ring = {1, GRTRACE_CLASS_COPY, "gpu", "drv", "copy0", 9, 0};

	EXPECT_TRUE(filter.wants(ring));
	EXPECT_TRUE(filter.passes(GRTRACE_END, nullptr));
	filter.devices = {"other"};
	EXPECT_FALSE(filter.wants(ring));
	EXPECT_FALSE(filter.passes(GRTRACE_END, nullptr));
	EXPECT_TRUE(filter.passes(GRTRACE_FENCE, nullptr));
	filter.devices = {"other", "gpu"};
	EXPECT_TRUE(filter.wants(ring));
	filter.engines = 1ull << GRTRACE_CLASS_RENDER;
	EXPECT_FALSE(filter.wants(ring));
}

} // namespace grtrace
