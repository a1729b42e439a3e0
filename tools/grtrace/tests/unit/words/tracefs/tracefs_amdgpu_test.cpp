// SPDX-License-Identifier: GPL-2.0
#include "words/translate/translator.h"

#include "unit/words/tracefs/tracefs_kernel.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

using Lines = std::vector<std::string>;

constexpr uint8_t hardirq = 0x08;

// amdgpu beside a scheduler, whose events name jobs by their keys or, as before
// 6.17, by addresses.
class Amdgpu : public testing::Test {
protected:
	void has_new_sched()
	{
		has_amdgpu(8);
		for (const char *name : {"drm_sched_job_queue", "drm_sched_job_run"})
			ASSERT_TRUE(kernel.define(name, new_job_class));
		ASSERT_TRUE(kernel.define("drm_sched_job_done", new_done_class));
	}
	void has_old_sched()
	{
		has_amdgpu(4);
		for (const char *name : {"drm_sched_job", "drm_run_job"})
			ASSERT_TRUE(kernel.define(name, old_job_class));
		ASSERT_TRUE(kernel.define("drm_sched_process_job",
					  {{"struct dma_fence *", "fence", 8}}));
	}
	void has_amdgpu(size_t width)
	{
		for (const char *name : {"dma_fence_init", "dma_fence_signaled"})
			ASSERT_TRUE(kernel.define(name, fence_class));
		for (const char *name : {"amdgpu_cs_ioctl", "amdgpu_sched_run_job"})
			ASSERT_TRUE(kernel.define(name, {{"char[]", "timeline", 0},
							 {"u64", "context", width},
							 {"u64", "seqno", width},
							 {"char[]", "ring", 0},
							 {"u32", "num_ibs", 4}}));
	}

	void job(const char *event, uint64_t ctx, uint64_t seqno)
	{
		kernel.happen(event, {{"fence_context", ctx}, {"fence_seqno", seqno}},
			      {{"name", "gfx_0.0.0"}, {"dev", "gpu"}});
	}
	void old_job(const char *event, uint64_t address)
	{
		kernel.happen(event, {{"fence", address}, {"entity", 1}, {"id", 9}},
			      {{"name", "gfx_0.0.0"}});
	}
	void amdgpu(const char *event, uint64_t ctx, uint64_t seqno)
	{
		kernel.happen(event, {{"context", ctx}, {"seqno", seqno}},
			      {{"ring", "gfx_0.0.0"}, {"timeline", "x"}});
	}
	void fence(const char *event, uint64_t ctx, uint64_t seqno, const char *driver = "amdgpu",
		   const char *ring = "gfx_0.0.0")
	{
		kernel.happen(event, {{"context", ctx}, {"seqno", seqno}},
			      {{"driver", driver}, {"timeline", ring}});
	}
	const Lines &told() { return kernel.sink.lines; }

	FakeKernel kernel;
};

} // namespace

// The scheduler's event and the driver's are of one job. The first fence is that
// of a flush, the last one the job's.
TEST_F(Amdgpu, AJobIsTakenOnceAndHasItsHardwareFence)
{
	has_new_sched();
	kernel.on(0, 70);
	amdgpu("amdgpu_cs_ioctl", 11, 1);
	job("drm_sched_job_queue", 11, 1);
	kernel.on(1, 80);
	job("drm_sched_job_run", 11, 1);
	amdgpu("amdgpu_sched_run_job", 11, 1);
	fence("dma_fence_init", 40, 6);
	fence("dma_fence_init", 40, 7);
	fence("dma_fence_init", 50, 2, "amdgpu tlb fence");
	fence("dma_fence_init", 41, 2, "amdgpu", "sdma0");
	kernel.on(2, 81);
	fence("dma_fence_init", 40, 8); // of a job that another task runs
	kernel.on(1, 80);
	fence("dma_fence_signaled", 10, 1, "drm_sched");
	kernel.on(1, 0, hardirq);
	fence("dma_fence_signaled", 40, 7);
	job("drm_sched_job_done", 11, 1);
	fence("dma_fence_signaled", 11, 1, "drm_sched");
	EXPECT_EQ(told(), (Lines{"0 Q 11:1 ring 1", "1 I 11:1 ring 1", "1 D 11:1 ring 1 <- 40:7",
				 "1 FS 40:7 flags 0x9", "1 E 11:1 ring 1 flags 0x9",
				 "1 C 11:1 ring 1 flags 0x9"}));
	EXPECT_EQ(kernel.translator().untold(), 0u);
}

// After a reset a job runs again, with the fence that it had.
TEST_F(Amdgpu, AJobThatMadeNoFenceNamesItself)
{
	has_new_sched();
	job("drm_sched_job_queue", 11, 1);
	job("drm_sched_job_run", 11, 1);
	amdgpu("amdgpu_sched_run_job", 11, 1);
	fence("dma_fence_signaled", 10, 1, "drm_sched");
	// The key that was made for one job is not the next one's.
	job("drm_sched_job_queue", 11, 2);
	job("drm_sched_job_run", 11, 2);
	amdgpu("amdgpu_sched_run_job", 11, 3);
	fence("dma_fence_init", 40, 9);
	fence("dma_fence_signaled", 10, 2, "drm_sched");
	EXPECT_EQ(told()[2], "0 D 11:1 ring 1 <- 11:1");
	EXPECT_EQ(told()[5], "0 D 11:2 ring 1 <- 11:2");
}

// The driver's event alone does not make a job.
TEST_F(Amdgpu, RunningAloneIsNoJob)
{
	has_new_sched();
	amdgpu("amdgpu_cs_ioctl", 11, 1);
	amdgpu("amdgpu_sched_run_job", 11, 1);
	EXPECT_EQ(told(), Lines());
}

TEST_F(Amdgpu, AJobOlderThanTheRecordingIsKnownOnceItRuns)
{
	has_old_sched();
	kernel.on(0, 80);
	old_job("drm_run_job", 0xa000);
	EXPECT_EQ(kernel.translator().untold(), 1u);
	amdgpu("amdgpu_sched_run_job", 11, 5);
	fence("dma_fence_init", 40, 7);
	fence("dma_fence_signaled", 10, 5, "drm_sched");
	kernel.happen("drm_sched_process_job", {{"fence", 0xa000}});
	fence("dma_fence_signaled", 11, 5, "drm_sched");
	EXPECT_EQ(told(), (Lines{"0 I 11:5 ring 1", "0 D 11:5 ring 1 <- 40:7", "0 E 11:5 ring 1",
				 "0 C 11:5 ring 1"}));
	EXPECT_EQ(kernel.translator().untold(), 0u);
}

// The scheduler reported this one: the driver's event is not another.
TEST_F(Amdgpu, AJobThatIsKnownByItsAddressIsTakenOnce)
{
	has_old_sched();
	kernel.on(0, 70);
	amdgpu("amdgpu_cs_ioctl", 11, 1);
	old_job("drm_sched_job", 0xa000);
	kernel.on(0, 80);
	old_job("drm_run_job", 0xb000);
	old_job("drm_run_job", 0xa000);
	amdgpu("amdgpu_sched_run_job", 11, 1);
	EXPECT_EQ(told(), (Lines{"0 Q 11:1 ring 1", "0 I 11:1 ring 1"}));
	EXPECT_EQ(kernel.translator().untold(), 1u);
}

class UserQueues : public testing::Test {
protected:
	void SetUp() override
	{
		ASSERT_TRUE(kernel.define("amdgpu_userq_emit_fence", {{"u64", "fence_context", 8},
								      {"u64", "fence_seqno", 8},
								      {"char[]", "dev", 0},
								      {"u64", "doorbell_index", 8},
								      {"u64", "client_id", 8},
								      {"u32", "queue_type", 4}}));
		ASSERT_TRUE(
			kernel.define("amdgpu_userq_state_changed", {{"u64", "doorbell_index", 8},
								     {"u64", "client_id", 8},
								     {"u32", "queue_type", 4},
								     {"u32", "to", 4}}));
		for (const char *event : {"amdgpu_userq_create_start", "amdgpu_userq_destroy_start",
					  "amdgpu_userq_destroy_end"})
			ASSERT_TRUE(kernel.define(event, {{"void *", "queue", 8},
							  {"u64", "doorbell_index", 8},
							  {"int", "queue_type", 4}}));
		ASSERT_TRUE(kernel.define("dma_fence_signaled", fence_class));
	}

	void emit(uint64_t doorbell, uint64_t type, uint64_t ctx, uint64_t seqno,
		  const char *device = "gpu")
	{
		kernel.happen("amdgpu_userq_emit_fence",
			      {{"fence_context", ctx},
			       {"fence_seqno", seqno},
			       {"doorbell_index", doorbell},
			       {"queue_type", type}},
			      {{"dev", device}});
	}
	// to: 0 unmapped, 1 mapped, 2 preempted, 3 hung, 4 invalid address
	void change(uint64_t doorbell, uint64_t type, uint64_t to)
	{
		kernel.happen("amdgpu_userq_state_changed", {{"doorbell_index", doorbell},
							     {"client_id", 12},
							     {"queue_type", type},
							     {"to", to}});
	}
	void queue(const char *event, uint64_t doorbell, uint64_t type)
	{
		kernel.happen(event, {{"doorbell_index", doorbell}, {"queue_type", type}});
	}
	void destroy(uint64_t doorbell, uint64_t type)
	{
		queue("amdgpu_userq_destroy_end", doorbell, type);
	}
	// "DEVICE NAME CLASS" of each ring.
	Lines rings()
	{
		Lines lines;

		for (uint32_t id = 1; id <= kernel.translator().rings().size(); id++) {
			const TraceRing &ring = *kernel.translator().rings().at(id);
			lines.push_back(
				fmt::format("{} {} {}", ring.device, ring.name, ring.engine_class));
		}
		return lines;
	}

	FakeKernel kernel;
};

TEST_F(UserQueues, AFenceIsAJob)
{
	emit(42, 1, 60, 3);
	kernel.happen("dma_fence_signaled", {{"context", 60}, {"seqno", 3}},
		      {{"driver", "amdgpu_userq_fence"}, {"timeline", "x"}});
	EXPECT_EQ(kernel.sink.lines,
		  (Lines{"0 Q 60:3 ring 1", "0 D 60:3 ring 1 <- 60:3", "0 FS 60:3"}));
	emit(43, 2, 61, 1);
	emit(44, 9, 62, 1);
	EXPECT_EQ(rings(),
		  (Lines{"gpu userq_comp_42 2", "gpu userq_sdma_43 3", "gpu userq_other_44 0"}));
}

TEST_F(UserQueues, OnlyAHangIsAnError)
{
	emit(42, 0, 60, 1);
	kernel.sink.lines.clear();
	change(42, 0, 2);
	EXPECT_EQ(kernel.sink.lines, Lines{"0 QS 60:0 ring 1 off preempted client 12"});
	kernel.sink.lines.clear();
	change(42, 0, 3);
	EXPECT_EQ(kernel.sink.lines, (Lines{fmt::format("0 ER 0:0 ring 1 kind {} code {:#x}",
							uint32_t(GRTRACE_ERROR_HANG), -ETIME),
					    "0 QS 60:0 ring 1 off hung client 12"}));
	change(77, 0, 3); // a job that never asked for a fence
	EXPECT_EQ(rings(), (Lines{"gpu userq_gfx_42 1", "? userq_gfx_77 1"}));
}

// The event has the state alone; what came before it says why.
TEST_F(UserQueues, GoOffAndOnForAReason)
{
	queue("amdgpu_userq_create_start", 42, 0);
	change(42, 0, 1);
	emit(42, 0, 60, 1);
	change(42, 0, 0);
	change(42, 0, 1);
	change(42, 0, 2);
	change(42, 0, 1);
	change(42, 0, 4);
	change(42, 0, 7);
	queue("amdgpu_userq_destroy_start", 42, 0);
	change(42, 0, 0);
	destroy(42, 0);
	Lines lines;
	for (const std::string &line : kernel.sink.lines)
		if (line.substr(0, 4) == "0 QS")
			lines.push_back(line.substr(5));
	EXPECT_EQ(lines,
		  (Lines{"0:0 ring 1 on created client 12", "60:0 ring 1 off evicted client 12",
			 "60:0 ring 1 on restored client 12", "60:0 ring 1 off preempted client 12",
			 "60:0 ring 1 on restored client 12", "60:0 ring 1 off faulted client 12",
			 "60:0 ring 1 off unknown client 12",
			 "60:0 ring 1 off destroyed client 12"}));
	EXPECT_EQ(rings(), Lines{"gpu userq_gfx_42 1"});
	// The next with this doorbell is another one; when it was created is not known.
	kernel.sink.lines.clear();
	change(42, 0, 1);
	EXPECT_EQ(kernel.sink.lines.back(), "0 QS 0:0 ring 2 on unknown client 12");
}

TEST_F(UserQueues, ADoorbellIsUsedAgain)
{
	emit(42, 0, 60, 1);
	destroy(42, 0);
	emit(42, 0, 61, 1);
	EXPECT_EQ(kernel.sink.lines.back(), "0 D 61:1 ring 2 <- 61:1");
}

// It is unknown which of the two is gone: none is given up.
TEST_F(UserQueues, TwoDevicesMayHaveOneDoorbell)
{
	emit(42, 0, 60, 1, "one");
	emit(42, 0, 70, 1, "two");
	destroy(42, 0);
	change(42, 0, 3);
	emit(42, 0, 60, 2, "one");
	EXPECT_EQ(rings(), (Lines{"one userq_gfx_42 1", "two userq_gfx_42 1", "? userq_gfx_42 1"}));
	EXPECT_EQ(kernel.sink.lines.back(), "0 D 60:2 ring 1 <- 60:2");
}

} // namespace grtrace
