// SPDX-License-Identifier: GPL-2.0
//
// Jobs of files, by the lines that old and new kernels print.
#include "unit/words/translate/telling_sink.h"
#include "words/foreign/event_text.h"
#include "words/foreign/trace_line.h"
#include "words/translate/device_names.h"
#include "words/translate/task_names.h"
#include "words/translate/translator.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

namespace grtrace {

using Lines = std::vector<std::string>;

class ForeignJobs : public testing::Test {
protected:
	ForeignJobs() : translator({}, devices, tasks, sink)
	{
		translator.make_keys();
		for (const ForeignEvent &event : foreign_events())
			texts.emplace_back(event);
	}

	void happen(std::string_view event, std::string_view text, uint32_t pid = 1,
		    uint16_t flags = 0)
	{
		FieldValues fields;

		for (const EventText &one : texts) {
			if (one.event().name != event || !one.read(text, &fields))
				continue;
			translator.expect(one.event().kind);
			translator.take({now += 1000, 0, pid, flags, one.event().kind, &fields});
			return;
		}
		ADD_FAILURE() << event << ": " << text;
	}
	void old_job(const char *event, uint64_t entity, uint64_t id, uint64_t address,
		     const char *ring = "gfx")
	{
		happen(event, fmt::format("entity={:016x}, id={}, fence={:016x}, ring={}, job "
					  "count:1, hw job count:0",
					  entity, id, address, ring));
	}
	void old_done(uint64_t address)
	{
		happen("drm_sched_process_job", fmt::format("fence={:016x} signaled", address));
	}

	DeviceNames devices{""};
	TaskNames tasks{"", ""};
	TellingSink sink;
	Translator translator;
	std::deque<EventText> texts;
	uint64_t now = 0;
};

// 0x70000000: the first context that is made for a ring and an entity.
TEST_F(ForeignJobs, NothingButTheSchedulersThreeEvents)
{
	old_job("drm_sched_job", 0xe, 39, 0xf1);
	old_job("drm_sched_job", 0xe, 40, 0xf2);
	old_job("drm_run_job", 0xe, 39, 0xf1);
	old_done(0xf1);
	old_job("drm_run_job", 0xe, 40, 0xf2);
	old_done(0xf2);
	EXPECT_EQ(sink.lines, (Lines{"0 Q 1879048192:39 ring 1", "0 Q 1879048192:40 ring 1",
				     "0 I 1879048192:39 ring 1", "0 E 1879048192:39 ring 1",
				     "0 I 1879048192:40 ring 1", "0 E 1879048192:40 ring 1"}));
	EXPECT_EQ(translator.made_keys(), 2u);
	EXPECT_EQ(translator.untold(), 0u);
}

TEST_F(ForeignJobs, NumbersCountOnEachRing)
{
	old_job("drm_sched_job", 0xe, 1, 0xf1, "gfx");
	old_job("drm_sched_job", 0xe, 1, 0xf2, "sdma0");
	old_job("drm_sched_job", 0xd, 2, 0xf3, "gfx");
	old_job("drm_run_job", 0xe, 1, 0xf2, "sdma0");
	EXPECT_EQ(sink.lines, (Lines{"0 Q 1879048192:1 ring 1", "0 Q 1879048193:1 ring 2",
				     "0 Q 1879048194:2 ring 1", "0 I 1879048193:1 ring 2"}));
}

// With the fences' events jobs have the kernel's keys.
TEST_F(ForeignJobs, AnInitNamesTheJob)
{
	happen("dma_fence_init", "driver=drm_sched timeline=gfx context=10 seqno=1");
	happen("dma_fence_init", "driver=drm_sched timeline=gfx context=11 seqno=1");
	old_job("drm_sched_job", 0xe, 39, 0xf1);
	old_job("drm_run_job", 0xe, 39, 0xf1);
	happen("dma_fence_signaled", "driver=drm_sched timeline=gfx context=10 seqno=1");
	old_done(0xf1);
	happen("dma_fence_signaled", "driver=drm_sched timeline=gfx context=11 seqno=1");
	EXPECT_EQ(sink.lines,
		  (Lines{"0 Q 11:1 ring 1", "0 I 11:1 ring 1", "0 D 11:1 ring 1 <- 11:1",
			 "0 E 11:1 ring 1", "0 C 11:1 ring 1"}));
	EXPECT_EQ(translator.made_keys(), 0u);
}

// The address of a fence is used again as soon as it is free.
TEST_F(ForeignJobs, ThousandsOfReusedAddresses)
{
	constexpr uint64_t jobs = 20000, addresses = 7;

	for (uint64_t id = 1; id <= jobs; id++) {
		old_job("drm_sched_job", id % 3, id, id % addresses);
		old_job("drm_run_job", id % 3, id, id % addresses);
		if (id > 2)
			old_done((id - 2) % addresses);
	}
	std::map<std::string, Lines> of;
	for (const std::string &line : sink.lines)
		of[line.substr(4, line.find(" ring") - 4)].push_back(line.substr(2, 1));
	ASSERT_EQ(of.size(), jobs);
	size_t whole = 0;
	for (const auto &[key, steps] : of)
		whole += steps == Lines{"Q", "I", "E"};
	EXPECT_EQ(whole, jobs - 2);
	EXPECT_EQ(translator.untold(), 0u);
}

// The end of the first job is lost, and the beginning of the second.
TEST_F(ForeignJobs, AReusedAddressIsNoJobOfAnotherNumber)
{
	old_job("drm_sched_job", 0xe, 39, 0xf1);
	translator.lose();
	old_job("drm_run_job", 0xe, 77, 0xf1);
	EXPECT_EQ(sink.lines, (Lines{"0 Q 1879048192:39 ring 1"}));
	EXPECT_EQ(translator.untold(), 1u);
}

// The first kernels with a scheduler, which did not number jobs.
TEST_F(ForeignJobs, AmdgpuOf4_x)
{
	for (int i = 0; i < 2; i++) {
		happen("amd_sched_job", "entity=ffff8800db0a7c00, sched job=ffff8800d9b0a000, "
					"fence=ffff8800d9b0a048, ring=gfx, job count:1, hw job "
					"count:0");
		happen("amdgpu_sched_run_job",
		       "adev=ffff8800d9b00000, sched_job=ffff8800d9b0a000, first "
		       "ib=ffff8800d9b0b000, sched fence=ffff8800d9b0a048, ring name:gfx, "
		       "num_ibs:1");
		happen("amd_sched_process_job", "fence=ffff8800d9b0a048 signaled");
	}
	EXPECT_EQ(sink.lines, (Lines{"0 Q 1879048192:1 ring 1", "0 I 1879048192:1 ring 1",
				     "0 E 1879048192:1 ring 1", "0 Q 1879048192:2 ring 1",
				     "0 I 1879048192:2 ring 1", "0 E 1879048192:2 ring 1"}));
}

// Before drm_run_job only the driver said that a job runs.
TEST_F(ForeignJobs, AmdgpuWithoutAnEventOfTheSchedulerForRunning)
{
	happen("amdgpu_cs_ioctl", "sched_job=39, timeline=gfx, context=11, seqno=3, "
				  "ring_name=gfx, num_ibs=1");
	old_job("drm_sched_job", 0xe, 39, 0xf1);
	happen("amdgpu_sched_run_job",
	       "sched_job=39, timeline=gfx, context=11, seqno=3, ring_name=gfx, num_ibs=1");
	old_job("drm_sched_job", 0xe, 40, 0xf2);
	happen("amdgpu_sched_run_job",
	       "sched_job=40, timeline=gfx, context=11, seqno=4, ring_name=gfx, num_ibs=1");
	old_done(0xf2);
	EXPECT_EQ(sink.lines,
		  (Lines{"0 Q 11:3 ring 1", "0 I 11:3 ring 1", "0 Q 1879048192:40 ring 1",
			 "0 I 1879048192:40 ring 1", "0 E 1879048192:40 ring 1"}));
}

// A job in flight blocks what depends on it, with or without dma_fence_init: by its finished
// fence until it is done, and by its scheduled one until it is picked.
TEST_F(ForeignJobs, AJobInFlightBlocks)
{
	const auto wait = [this](int ctx) {
		happen("drm_sched_job_wait_dep",
		       fmt::format("job ring=gfx, id=40, depends fence=0000000000000077, "
				   "context={}, seq=3",
				   ctx));
	};

	happen("amdgpu_cs_ioctl", "sched_job=39, timeline=gfx, context=11, seqno=3, "
				  "ring_name=gfx, num_ibs=1");
	old_job("drm_sched_job", 0xe, 39, 0xf1);
	old_job("drm_sched_job", 0xd, 40, 0xf2);
	wait(11);
	translator.expect(TraceKind::old_done);
	wait(9);
	wait(10);
	wait(11);
	old_job("drm_run_job", 0xe, 39, 0xf1);
	wait(10);
	wait(11);
	old_done(0xf1);
	wait(11);
	EXPECT_EQ(
		sink.lines,
		(Lines{"0 Q 11:3 ring 1", "0 Q 1879048192:40 ring 1",
		       // no event of the trace says whether it is signalled
		       "0 UN 1879048192:40 ring 1 <- 11:3", "0 UN 1879048192:40 ring 1 <- 9:3",
		       "0 UN 1879048192:40 ring 1 <- 11:3", "0 UN 1879048192:40 ring 1 <- 11:3",
		       "0 I 11:3 ring 1", "0 UN 1879048192:40 ring 1 <- 11:3", "0 E 11:3 ring 1"}));
}

// Files for gpuvis, which have no event of the scheduler.
TEST_F(ForeignJobs, AmdgpuWithoutTheScheduler)
{
	translator.take_drivers();
	happen("amdgpu_cs_ioctl", "sched_job=39, timeline=gfx_0.0.0, context=11, seqno=3, "
				  "ring_name=gfx_0.0.0, num_ibs=1");
	happen("amdgpu_sched_run_job", "sched_job=39, timeline=gfx_0.0.0, context=11, seqno=3, "
				       "ring_name=gfx_0.0.0, num_ibs=1");
	happen("dma_fence_signaled", "driver=drm_sched timeline=gfx_0.0.0 context=10 seqno=3");
	happen("dma_fence_signaled", "driver=drm_sched timeline=gfx_0.0.0 context=11 seqno=3");
	EXPECT_EQ(sink.lines, (Lines{"0 Q 11:3 ring 1", "0 I 11:3 ring 1",
				     "0 D 11:3 ring 1 <- 11:3", "0 C 11:3 ring 1"}));
	EXPECT_EQ(translator.untold(), 0u);
}

// 6.17 no longer prints the scheduler's number.
TEST_F(ForeignJobs, AmdgpuOf6_17WithoutTheScheduler)
{
	translator.take_drivers();
	happen("amdgpu_cs_ioctl",
	       "timeline=gfx_0.0.0, context=11, seqno=3, ring_name=gfx_0.0.0, num_ibs=1");
	happen("amdgpu_sched_run_job",
	       "timeline=gfx_0.0.0, context=11, seqno=3, ring_name=gfx_0.0.0, num_ibs=1");
	EXPECT_EQ(sink.lines, (Lines{"0 Q 11:3 ring 1", "0 I 11:3 ring 1"}));
}

// The first kernels, whose events have nothing but the fence's address.
TEST_F(ForeignJobs, AmdgpuOf4_xWithoutTheScheduler)
{
	constexpr const char *job =
		"adev=ffff8800d9b00000, sched_job=ffff8800d9b0a000, first ib=ffff8800d9b0b000, "
		"sched fence=ffff8800d9b0a048, ring name:gfx, num_ibs:1";

	translator.take_drivers();
	happen("amdgpu_cs_ioctl", job);
	happen("amdgpu_sched_run_job", job);
	EXPECT_EQ(sink.lines, (Lines{"0 Q 1879048192:1 ring 1", "0 I 1879048192:1 ring 1"}));
}

// The driver's events of a job say nothing that the scheduler has not said.
TEST_F(ForeignJobs, TheSchedulerCountsWhereBothAreThere)
{
	translator.take_drivers();
	translator.expect(TraceKind::old_queue);
	happen("amdgpu_cs_ioctl",
	       "adev=ffff8800d9b00000, sched_job=ffff8800d9b0a000, first ib=ffff8800d9b0b000, "
	       "sched fence=ffff8800d9b0a048, ring name:gfx, num_ibs:1");
	happen("msm_gpu_submit", "id=7 pid=70 ring=0 bos=3 cmds=1");
	happen("v3d_submit_cl", "dev=0, RCL, seqno=5, 0x00001000..0x00002000");
	happen("lima_task_submit", "context=11 seqno=3 pipe=pp");
	happen("xe_sched_job_exec", "fence=00000000557e7342, seqno=5, lrc_seqno=5, guc_id=2, "
				    "batch_addr=0x000000201000, guc_state=0x0, flags=0x0, error=0");
	EXPECT_EQ(sink.lines, Lines());
	EXPECT_EQ(translator.untold(), 0u);
}

// The bin and the render job of one submission have numbers of their own.
TEST_F(ForeignJobs, V3d)
{
	translator.take_drivers();
	happen("v3d_submit_cl", "dev=0, BCL, seqno=5, 0x00001000..0x00002000");
	happen("v3d_bcl_irq", "dev=0, seqno=5", 0, GRTRACE_IN_HARDIRQ);
	happen("v3d_submit_cl", "dev=0, RCL, seqno=5, 0x00001000..0x00002000");
	happen("v3d_rcl_irq", "dev=0, seqno=5", 0, GRTRACE_IN_HARDIRQ);
	happen("v3d_submit_tfu", "dev=0, seqno=2");
	happen("v3d_tfu_irq", "dev=0, seqno=2", 0, GRTRACE_IN_HARDIRQ);
	happen("v3d_submit_csd", "dev=0, seqno=9");
	happen("v3d_csd_irq", "dev=0, seqno=8", 0, GRTRACE_IN_HARDIRQ);
	Lines steps;
	for (const std::string &line : sink.lines)
		steps.push_back(line.substr(2, line.find(" flags") - 2));
	EXPECT_EQ(steps, (Lines{"I 1879048192:5 ring 1", "D 1879048192:5 ring 1 <- 1879048192:5",
				"E 1879048192:5 ring 1", "I 1879048193:5 ring 2",
				"D 1879048193:5 ring 2 <- 1879048193:5", "E 1879048193:5 ring 2",
				"I 1879048194:2 ring 3", "D 1879048194:2 ring 3 <- 1879048194:2",
				"E 1879048194:2 ring 3", "I 1879048195:9 ring 4",
				"D 1879048195:9 ring 4 <- 1879048195:9"}));
	EXPECT_EQ(translator.untold(), 1u);
	ASSERT_FALSE(sink.notes.empty());
	EXPECT_EQ(sink.notes[1], "0 ring 1 class 1 card0 v3d v3d_bin");
}

// The number of a job is not known when it is submitted, but the address of its commands is.
TEST_F(ForeignJobs, V3dRenderJobsAreOfTheirProcess)
{
	translator.take_drivers();
	happen("v3d_submit_cl_ioctl", "dev=0, RCL 0x00140000..0x0014005f", 70);
	happen("v3d_submit_cl_ioctl", "dev=0, RCL 0x00180000..0x0018005f", 80);
	happen("v3d_submit_cl", "dev=0, BCL, seqno=1, 0x00140000..0x0006000e", 3);
	// Another card's, one that was submitted before, and the two of these.
	happen("v3d_submit_cl", "dev=1, RCL, seqno=1, 0x00140000..0x0014005f", 4);
	happen("v3d_submit_cl", "dev=0, RCL, seqno=1, 0x00200000..0x0020005f", 4);
	happen("v3d_submit_cl", "dev=0, RCL, seqno=2, 0x00180000..0x0018005f", 4);
	happen("v3d_rcl_irq", "dev=0, seqno=2", 0, GRTRACE_IN_HARDIRQ);
	happen("v3d_submit_cl", "dev=0, RCL, seqno=3, 0x00140000..0x0014005f", 4);
	happen("v3d_rcl_irq", "dev=0, seqno=3", 0, GRTRACE_IN_HARDIRQ);
	// The list is at the same place again, of a job that was not seen.
	happen("v3d_submit_cl", "dev=0, RCL, seqno=4, 0x00140000..0x0014005f", 4);
	Lines steps;
	for (const std::string &line : sink.lines)
		if (line[2] != 'D')
			steps.push_back(line.substr(2, line.find(" flags") - 2));
	EXPECT_EQ(steps,
		  (Lines{"Q 1879048192:1 ring 1", "Q 1879048193:1 ring 1", "I 1879048194:1 ring 2",
			 "I 1879048195:1 ring 3", "I 1879048196:1 ring 1", "I 1879048193:1 ring 1",
			 "E 1879048193:1 ring 1", "I 1879048192:1 ring 1", "E 1879048192:1 ring 1",
			 "I 1879048196:4 ring 1"}));
	EXPECT_EQ(translator.untold(), 0u);
}

// The numbers count over all rings and processes, whose jobs overtake each other.
TEST_F(ForeignJobs, Msm)
{
	translator.take_drivers();
	happen("msm_gpu_submit", "id=7 pid=70 ring=0 bos=3 cmds=1", 70);
	happen("msm_gpu_submit", "id=8 pid=80 ring=0 bos=3 cmds=1", 80);
	happen("msm_gpu_submit_flush", "id=8 pid=80 ring=0:12 ticks=1000");
	happen("msm_gpu_submit_retired",
	       "id=8 pid=80 ring=0:12 elapsed=52083 ns mhz=500 start=1100 end=2100");
	happen("msm_gpu_submit_flush", "id=7 pid=70 ring=0:13 ticks=2000");
	happen("msm_gpu_submit_retired",
	       "id=7 pid=70 ring=0:13 elapsed=52083 ns mhz=500 start=2100 end=3100");
	EXPECT_EQ(sink.lines,
		  (Lines{"0 Q 1879048192:7 ring 1", "0 Q 1879048193:8 ring 1",
			 "0 I 1879048193:8 ring 1", "0 D 1879048193:8 ring 1 <- 1879048193:8",
			 "0 E 1879048193:8 ring 1", "0 I 1879048192:7 ring 1",
			 "0 D 1879048192:7 ring 1 <- 1879048192:7", "0 E 1879048192:7 ring 1"}));
	EXPECT_EQ(translator.untold(), 0u);
}

// The device's counter, of 19.2 MHz, is known for the time of handing the job over; no job can have
// been done after it was retired.
TEST_F(ForeignJobs, MsmHasTheTimesOfTheDevice)
{
	translator.take_drivers();
	happen("msm_gpu_submit_flush", "id=7 pid=70 ring=0:12 ticks=19200000");
	now += 2000000;
	happen("msm_gpu_submit_retired", "id=7 pid=70 ring=0:12 elapsed=1000000 ns mhz=500 "
					 "start=19209600 end=19228800");
	EXPECT_EQ(sink.lines.size(), 4u);
	EXPECT_EQ(sink.times, (std::vector<uint64_t>{1000, 1000, 501000, 1501000}));
	EXPECT_EQ(sink.lines[2], "0 B 1879048192:7 ring 1 flags 0x2");
	EXPECT_EQ(sink.lines[3], "0 E 1879048192:7 ring 1 flags 0x2");
	happen("msm_gpu_submit_flush", "id=8 pid=70 ring=0:12 ticks=19200000");
	happen("msm_gpu_submit_retired", "id=8 pid=70 ring=0:12 elapsed=1000000 ns mhz=500 "
					 "start=19209600 end=19228800");
	ASSERT_EQ(sink.lines.size(), 7u);
	EXPECT_EQ(sink.lines[6], "0 E 1879048192:8 ring 1");
}

// The hardware fence has the address that the job's events have.
TEST_F(ForeignJobs, Xe)
{
	constexpr const char *job =
		"fence=00000000557e7342, seqno=4294967169, lrc_seqno=5, guc_id=2, "
		"batch_addr=0x000000201000, guc_state=0x0, flags=0x0, error=0";

	translator.take_drivers();
	for (const char *device : {"", "dev=0000:03:00.0, "}) {
		const std::string text = std::string(device) + job;

		happen("xe_sched_job_exec", text);
		happen("xe_sched_job_run", text);
		happen("xe_hw_fence_signal", std::string(device) +
						     "ctx=0x0000000000000011, "
						     "fence=00000000557e7342, seqno=4294967169");
		happen("xe_hw_fence_signal", std::string(device) +
						     "ctx=0x0000000000000011, "
						     "fence=00000000557e7399, seqno=1");
	}
	EXPECT_EQ(sink.lines,
		  (Lines{"0 Q 1879048192:4294967169 ring 1", "0 I 1879048192:4294967169 ring 1",
			 "0 D 1879048192:4294967169 ring 1 <- 1879048192:4294967169",
			 "0 E 1879048192:4294967169 ring 1", "0 Q 1879048193:4294967169 ring 2",
			 "0 I 1879048193:4294967169 ring 2",
			 "0 D 1879048193:4294967169 ring 2 <- 1879048193:4294967169",
			 "0 E 1879048193:4294967169 ring 2"}));
}

// A job that the driver still has is not taken off the scheduler's queue again.
TEST_F(ForeignJobs, XeFailsAndRunsAgain)
{
	const auto job = [](int seqno, int error) {
		return fmt::format("dev=0000:03:00.0, fence=00000000557e734{}, seqno={}, "
				   "lrc_seqno={}, gt=0, guc_id=2, batch_addr=0x000000201000, "
				   "guc_state=0x0, flags=0x0, error={}",
				   seqno, seqno, seqno, error);
	};
	const std::string queue = "dev=0000:03:00.0, 3:0x1, gt=0, width=1, guc_id=2, "
				  "guc_state=0x1, flags=0x0";

	translator.take_drivers();
	happen("xe_sched_job_exec", job(1, 0));
	happen("xe_sched_job_exec", job(2, 0));
	happen("xe_sched_job_run", job(1, 0));
	happen("xe_exec_queue_resubmit", queue);
	happen("xe_sched_job_run", job(1, 0));
	happen("xe_sched_job_run", job(2, 0));
	happen("xe_exec_queue_memory_cat_error", queue);
	happen("xe_exec_queue_reset", queue);
	happen("xe_sched_job_set_error", job(1, 0));
	happen("xe_sched_job_timedout", job(1, 0));
	happen("xe_sched_job_set_error", job(2, -125));
	happen("xe_hw_fence_signal", "dev=0000:03:00.0, ctx=0x0000000000000011, "
				     "fence=00000000557e7341, seqno=1");
	happen("xe_sched_job_run", job(1, 0));
	EXPECT_EQ(sink.lines,
		  (Lines{"0 Q 1879048192:1 ring 1", "0 Q 1879048192:2 ring 1",
			 "0 I 1879048192:1 ring 1", "0 D 1879048192:1 ring 1 <- 1879048192:1",
			 "0 D 1879048192:1 ring 1 <- 1879048192:1", "0 I 1879048192:2 ring 1",
			 "0 D 1879048192:2 ring 1 <- 1879048192:2",
			 "0 ER 0:0 ring 1 by :0 \"memory CAT error\"",
			 "0 ER 0:0 ring 1 kind 3 code 0x0 by :0 \"the firmware reset the queue\"",
			 "0 ER 1879048192:1 ring 1 kind 1 code -0x3e", "0 ER 1879048192:2 ring 1",
			 "0 E 1879048192:1 ring 1", "0 I 1879048192:1 ring 1",
			 "0 D 1879048192:1 ring 1 <- 1879048192:1"}));
}

TEST_F(ForeignJobs, XeTurnsQueuesOffAndOn)
{
	const std::string queue = "dev=0000:03:00.0, 3:0x1, gt=0, width=1, guc_id=7, "
				  "guc_state=0x1, flags=0x0";

	happen("xe_exec_queue_scheduling_disable", queue);
	EXPECT_EQ(sink.lines, Lines());
	translator.take_drivers();
	happen("xe_exec_queue_scheduling_disable", queue);
	happen("xe_exec_queue_scheduling_enable", queue);
	EXPECT_EQ(sink.lines, (Lines{"0 QS 0:0 ring 1 off disabled client 0",
				     "0 QS 0:0 ring 1 on enabled client 0"}));
}

// A fence of no job has its names from the first event that has them.
TEST_F(ForeignJobs, NamesOfFences)
{
	const std::string fence = "driver=nvidia timeline=nvidia.prime:ce43 context=9001 seqno=";
	const std::string late = "driver=uvcvideo timeline=cam0 context=999 seqno=5";

	happen("drm_sched_job_queue", "dev=0000:71:00.0, fence=264:1, ring=gfx, job count:0, "
				      "hw job count:0, client_id:7");
	happen("dma_fence_init", "driver=drm_sched timeline=gfx context=264 seqno=1");
	happen("dma_fence_wait_start", "driver=drm_sched timeline=gfx context=264 seqno=1");
	happen("dma_fence_wait_start", fence + "77");
	happen("dma_fence_signaled", fence + "77");
	happen("dma_fence_wait_start", fence + "78");
	happen("drm_sched_job_unschedulable", "fence=264:1 depends on unsignalled fence=999:5");
	happen("dma_fence_signaled", late);
	happen("dma_fence_signaled", late);
	happen("dma_fence_signaled", "driver=amdgpu timeline=gfx context=3 seqno=54");
	happen("dma_fence_wait_start", "driver=detached-driver timeline=x context=40 seqno=1");
	Lines names;
	for (const std::string &line : sink.lines)
		if (line.substr(2, 2) == "FN")
			names.push_back(line);
	EXPECT_EQ(names, (Lines{"0 FN 9001 nvidia nvidia.prime:ce43", "0 FN 999 uvcvideo cam0"}));
	EXPECT_EQ(sink.lines[2], "0 FN 9001 nvidia nvidia.prime:ce43");
	EXPECT_EQ(sink.lines[3], "0 WE 9001:77");
}

TEST_F(ForeignJobs, Lima)
{
	translator.take_drivers();
	happen("lima_task_submit", "context=11 seqno=3 pipe=pp");
	// Linux 5.8 printed a number of the task as well.
	happen("lima_task_run", "task=7, context=11 seqno=3 pipe=pp");
	happen("dma_fence_signaled", "driver=drm_sched timeline=pp context=11 seqno=3");
	EXPECT_EQ(sink.lines, (Lines{"0 Q 11:3 ring 1", "0 I 11:3 ring 1", "0 C 11:3 ring 1"}));
}

// Nothing shows which response belongs to a command without a fence.
TEST_F(ForeignJobs, VirtioWithoutNumbersHasItsFences)
{
	happen("virtio_gpu_cmd_queue", "vdev=1 vq=0 name=control type=0x207 flags=0x1 fence_id=9 "
				       "ctx_id=1");
	happen("virtio_gpu_cmd_queue", "vdev=1 vq=1 name=cursor type=0x300 flags=0x0 fence_id=0 "
				       "ctx_id=0");
	happen("virtio_gpu_cmd_response", "vdev=1 vq=1 name=cursor type=0x1100 flags=0x0 "
					  "fence_id=0 ctx_id=0");
	happen("virtio_gpu_cmd_response", "vdev=1 vq=0 name=control type=0x1100 flags=0x1 "
					  "fence_id=9 ctx_id=1");
	EXPECT_EQ(sink.lines, (Lines{"0 Q 2147418113:9 ring 1 command 0x207",
				     "0 E 2147418113:9 ring 1 command 0x1100"}));
	EXPECT_EQ(translator.untold(), 2u);
	ASSERT_EQ(sink.notes.size(), 2u);
	EXPECT_EQ(sink.notes[1], "0 ring 1 class 0 virtio1 virtio_gpu control");
}

TEST_F(ForeignJobs, VirtioWithNumbers)
{
	happen("virtio_gpu_cmd_queue", "vdev=1 vq=1 name=cursor type=0x300 flags=0x0 fence_id=0 "
				       "ctx_id=0 num_free=15 seqno=7");
	happen("virtio_gpu_cmd_response", "vdev=1 vq=1 name=cursor type=0x1203 flags=0x0 "
					  "fence_id=0 ctx_id=0 num_free=16 seqno=7");
	EXPECT_EQ(sink.lines, (Lines{"0 Q 2147418113:7 ring 1 command 0x300",
				     "0 E 2147418113:7 ring 1 command 0x1203",
				     "0 ER 2147418113:7 ring 1 kind 5 code 0x1203"}));
}

// That i915 reports its waits is not known before it does.
TEST_F(ForeignJobs, TheFirstWaitForI915IsOneWait)
{
	happen("i915_request_add", "dev=0, engine=0:0, ctx=30, seqno=5, tail=200");
	for (int i = 0; i < 2; i++) {
		happen("dma_fence_wait_start", "driver=i915 timeline=rcs0 context=30 seqno=5", 7);
		happen("i915_request_wait_begin", "dev=0, engine=0:0, ctx=30, seqno=5, flags=0x1",
		       7);
		happen("i915_request_wait_end", "dev=0, engine=0:0, ctx=30, seqno=5, tail=200", 7);
		happen("dma_fence_wait_end", "driver=i915 timeline=rcs0 context=30 seqno=5", 7);
	}
	EXPECT_EQ(sink.lines,
		  (Lines{"0 Q 30:5 ring 1", "0 WE 30:5", "0 WX 30:5", "0 WE 30:5", "0 WX 30:5"}));
}

TEST_F(ForeignJobs, ATaskIsToldAgainUnderItsNewName)
{
	tasks.learn(1, 1, "sh");
	old_job("drm_sched_job", 0xe, 39, 0xf1);
	EXPECT_FALSE(tasks.learn(1, 0, ""));
	ASSERT_TRUE(tasks.learn(1, 1, "game"));
	translator.rename_task(1);
	old_job("drm_sched_job", 0xe, 40, 0xf2);
	EXPECT_EQ(sink.notes,
		  (Lines{"0 task 1 1 sh", "0 ring 1 class 1 ? ? gfx", "0 task 1 1 game"}));
}

// As our patches' events print them, and as trace-cmd does with -R.
TEST_F(ForeignJobs, what_only_patched_kernels_tell)
{
	happen("drm_dev_wedged",
	       "dev=0000:03:00.0, method=rebind,bus-reset, pid=1234, comm=game.exe -x");
	happen("drm_dev_wedged", "dev=0000:03:00.0, method=none, pid=0, comm=");
	happen("drm_dev_wedged", "dev=0000:03:00.0, method=unknown, pid=0, comm=");
	happen("drm_dev_wedged", "dev=0000:03:00.0 method=2 pid=7 comm=x");
	happen("drm_syncobj_wait_end",
	       "dev=0000:03:00.0, fence=5:9, count=1, ret=-62, client_id=7");
	happen("dma_fence_wait_any_end", "context=5 seqno=9 signaled=0:0 ret=0");
	happen("dma_fence_wait_any_end", "context=5 seqno=9 signaled=6:1 ret=0");
	EXPECT_EQ(sink.lines,
		  (Lines{"0 ER 0:0 ring 1 kind 6 code 0x6 by game.exe -x:1234 \"\"",
			 "0 ER 0:0 ring 1 kind 6 code 0x1", "0 ER 0:0 ring 1 kind 6 code 0x0",
			 "0 ER 0:0 ring 1 kind 6 code 0x2 by x:7 \"\"", "0 WX 5:9 arg 0xffc2",
			 "0 WX 5:9 arg 0xffc2", "0 WX 5:9"}));
}

} // namespace grtrace
