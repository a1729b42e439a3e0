// SPDX-License-Identifier: GPL-2.0
#include "words/translate/translator.h"

#include "unit/words/tracefs/tracefs_kernel.h"

#include <gtest/gtest.h>

namespace grtrace {

using Lines = std::vector<std::string>;

constexpr uint8_t hardirq = 0x08;
constexpr uint8_t softirq = 0x10;

// As 6.17 and later have it.
class NewSched : public testing::Test {
protected:
	void SetUp() override { define(0); }

	void define(size_t gap)
	{
		for (const char *name :
		     {"dma_fence_signaled", "dma_fence_wait_start", "dma_fence_wait_end"})
			ASSERT_TRUE(kernel.define(name, fence_class, gap));
		for (const char *name : {"drm_sched_job_queue", "drm_sched_job_run"})
			ASSERT_TRUE(kernel.define(name, new_job_class, gap));
		for (const char *name : {"drm_sched_job_add_dep", "drm_sched_job_unschedulable"})
			ASSERT_TRUE(kernel.define(name, new_dep_class, gap));
		ASSERT_TRUE(kernel.define("drm_sched_job_done", new_done_class, gap));
	}

	void job(const char *event, uint64_t ctx, uint64_t seqno, const char *ring = "gfx_0",
		 const char *device = "gpu")
	{
		kernel.happen(event, {{"fence_context", ctx}, {"fence_seqno", seqno}},
			      {{"name", ring}, {"dev", device}});
	}
	void signal(uint64_t ctx, uint64_t seqno, const char *driver = "drm_sched")
	{
		kernel.happen("dma_fence_signaled", {{"context", ctx}, {"seqno", seqno}},
			      {{"driver", driver}, {"timeline", "gfx_0"}});
	}

	FakeKernel kernel;
};

TEST_F(NewSched, AJobHasItsClient)
{
	kernel.on(0, 70);
	kernel.happen("drm_sched_job_queue",
		      {{"fence_context", 11}, {"fence_seqno", 1}, {"client_id", UINT64_MAX}},
		      {{"name", "gfx_0"}, {"dev", "gpu"}});
	EXPECT_EQ(kernel.sink.last.client, UINT64_MAX);
	job("drm_sched_job_run", 11, 1);
	EXPECT_EQ(kernel.sink.last.client, 0u);
}

TEST_F(NewSched, AJobsWholeLife)
{
	kernel.on(0, 70);
	job("drm_sched_job_queue", 11, 1);
	kernel.happen("drm_sched_job_add_dep",
		      {{"fence_context", 11}, {"fence_seqno", 1}, {"ctx", 21}, {"seqno", 5}});
	kernel.on(1, 80);
	kernel.happen("drm_sched_job_unschedulable",
		      {{"fence_context", 11}, {"fence_seqno", 1}, {"ctx", 21}, {"seqno", 5}});
	job("drm_sched_job_run", 11, 1);
	signal(10, 1);
	kernel.on(1, 0, hardirq);
	signal(99, 1, "gpu");
	kernel.happen("drm_sched_job_done", {{"fence_context", 11}, {"fence_seqno", 1}});
	signal(11, 1);
	EXPECT_EQ(kernel.sink.lines,
		  (Lines{"0 Q 11:1 ring 1", "0 DP 11:1 ring 1 <- 21:5", "1 UN 11:1 ring 1 <- 21:5",
			 "1 I 11:1 ring 1", "1 D 11:1 ring 1 <- 11:1", "1 FS 99:1 flags 0x9",
			 "1 E 11:1 ring 1 flags 0x9", "1 C 11:1 ring 1 flags 0x9"}));
	EXPECT_EQ(kernel.translator().untold(), 0u);
}

// Jobs of one scheduler wait for the scheduled fence of the other, whose context is one
// below its key.
TEST_F(NewSched, AScheduledFenceIsThatOfItsJob)
{
	job("drm_sched_job_queue", 13, 1);
	job("drm_sched_job_queue", 11, 1);
	kernel.happen("drm_sched_job_unschedulable",
		      {{"fence_context", 11}, {"fence_seqno", 1}, {"ctx", 12}, {"seqno", 1}});
	kernel.happen("drm_sched_job_unschedulable",
		      {{"fence_context", 11}, {"fence_seqno", 1}, {"ctx", 12}, {"seqno", 9}});
	EXPECT_EQ(kernel.sink.lines,
		  (Lines{"0 Q 13:1 ring 1", "0 Q 11:1 ring 1", "0 UN 11:1 ring 1 <- 13:1",
			 "0 UN 11:1 ring 1 <- 12:9"}));
}

TEST_F(NewSched, RingsAndTasksAreToldOnEachCpuOnce)
{
	kernel.on(0, 70);
	job("drm_sched_job_queue", 11, 1);
	job("drm_sched_job_queue", 11, 2);
	kernel.on(1, 70);
	job("drm_sched_job_queue", 11, 3);
	kernel.on(1, 71, softirq);
	job("drm_sched_job_queue", 11, 4, "sdma0");
	EXPECT_EQ(kernel.sink.notes,
		  (Lines{"0 task 70 70 ?", "0 ring 1 class 1 gpu ? gfx_0", "1 task 70 70 ?",
			 "1 ring 1 class 1 gpu ? gfx_0", "1 ring 2 class 3 gpu ? sdma0"}));
}

// A scheduled fence is also signalled without run_job().
TEST_F(NewSched, AKilledJobIsNotCommitted)
{
	job("drm_sched_job_queue", 11, 1);
	signal(10, 1);
	signal(11, 1);
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 11:1 ring 1", "0 C 11:1 ring 1"}));
}

// The lost event may be its PICK, and it was committed: so it is not killed for
// sure, and what is unknown is lost. A job that came later was seen whole.
TEST_F(NewSched, WithoutItsPickAJobMayBeCommittedOrKilled)
{
	job("drm_sched_job_queue", 11, 1);
	kernel.translator().lose();
	job("drm_sched_job_queue", 13, 1);
	signal(10, 1);
	signal(12, 1);
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 11:1 ring 1", "0 Q 13:1 ring 1", "0 lost 1"}));
	EXPECT_EQ(kernel.translator().untold(), 0u);
}

TEST_F(NewSched, RingsOfOneNameAreTwoOnTwoDevices)
{
	job("drm_sched_job_queue", 11, 1, "gfx_0", "a");
	job("drm_sched_job_queue", 13, 1, "gfx_0", "b");
	job("drm_sched_job_run", 11, 1, "gfx_0", "a");
	EXPECT_EQ(kernel.sink.lines,
		  (Lines{"0 Q 11:1 ring 1", "0 Q 13:1 ring 2", "0 I 11:1 ring 1"}));
}

TEST_F(NewSched, AJobThatMovedIsOnItsNewRing)
{
	job("drm_sched_job_queue", 11, 1, "gfx_0");
	job("drm_sched_job_run", 11, 1, "gfx_1");
	signal(11, 1);
	EXPECT_EQ(kernel.sink.lines,
		  (Lines{"0 Q 11:1 ring 1", "0 I 11:1 ring 2", "0 C 11:1 ring 2"}));
}

TEST_F(NewSched, JobsOlderThanTheRecording)
{
	signal(11, 1);
	EXPECT_EQ(kernel.translator().untold(), 1u);
	job("drm_sched_job_run", 11, 2);
	signal(10, 2);
	signal(11, 2);
	EXPECT_EQ(kernel.sink.lines,
		  (Lines{"0 I 11:2 ring 1", "0 D 11:2 ring 1 <- 11:2", "0 C 11:2 ring 1"}));
}

// Events that cannot be translated are counted; only a killed job's fence is dropped silently.
TEST_F(NewSched, AScheduledFenceOfAJobThatWasLost)
{
	job("drm_sched_job_queue", 11, 1);
	signal(10, 2);
	EXPECT_EQ(kernel.translator().untold(), 1u);
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 11:1 ring 1"}));
}

TEST_F(NewSched, FenceEventsHaveHalfOfAContext)
{
	const uint64_t ctx = 0x500000001;

	job("drm_sched_job_queue", ctx, 1);
	signal(uint32_t(ctx), 1);
	EXPECT_EQ(kernel.sink.lines[1], "0 C 21474836481:1 ring 1");
}

TEST_F(NewSched, WaitsHaveNoRing)
{
	kernel.happen("dma_fence_wait_start", {{"context", 11}, {"seqno", 1}},
		      {{"driver", "drm_sched"}, {"timeline", "x"}});
	kernel.happen("dma_fence_wait_end", {{"context", 11}, {"seqno", 1}},
		      {{"driver", "detached-driver"}, {"timeline", "x"}});
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 WE 11:1", "0 WX 11:1"}));
}

TEST_F(NewSched, ARecordThatIsTooShortHasNoFields)
{
	std::vector<uint8_t> data =
		kernel.pack("drm_sched_job_queue", {{"fence_context", 11}}, {{"name", "gfx_0"}});

	data.resize(20);
	kernel.take({1, 0, data});
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 0:0 ring 1"}));
}

class MovedFields : public NewSched {
protected:
	void SetUp() override { define(24); }
};

TEST_F(MovedFields, AreFoundByName)
{
	job("drm_sched_job_queue", 11, 1);
	signal(11, 1);
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 11:1 ring 1", "0 C 11:1 ring 1"}));
}

// As 6.12 has it: jobs by address.
class OldSched : public testing::Test {
protected:
	void SetUp() override
	{
		for (const char *name : {"dma_fence_init", "dma_fence_signaled"})
			ASSERT_TRUE(kernel.define(name, fence_class));
		for (const char *name : {"drm_sched_job", "drm_run_job"})
			ASSERT_TRUE(kernel.define(name, old_job_class));
		ASSERT_TRUE(kernel.define("drm_sched_process_job",
					  {{"struct dma_fence *", "fence", 8}}));
		ASSERT_TRUE(
			kernel.define("drm_sched_job_wait_dep", {{"char[]", "name", 0},
								 {"uint64_t", "id", 8},
								 {"struct dma_fence *", "fence", 8},
								 {"uint64_t", "ctx", 8},
								 {"unsigned", "seqno", 4}}));
	}

	void fence(const char *event, uint64_t ctx, uint64_t seqno, const char *ring = "gfx_0")
	{
		kernel.happen(event, {{"context", ctx}, {"seqno", seqno}},
			      {{"driver", "drm_sched"}, {"timeline", ring}});
	}
	void arm(uint64_t ctx, uint64_t seqno, const char *ring = "gfx_0")
	{
		fence("dma_fence_init", ctx - 1, seqno, ring);
		fence("dma_fence_init", ctx, seqno, ring);
	}
	void job(const char *event, uint64_t address, uint64_t entity, uint64_t id,
		 const char *ring = "gfx_0")
	{
		kernel.happen(event, {{"fence", address}, {"entity", entity}, {"id", id}},
			      {{"name", ring}});
	}

	FakeKernel kernel;
};

TEST_F(OldSched, KeysComeFromTheFencesThatTheTaskMade)
{
	kernel.on(0, 70);
	arm(11, 1);
	job("drm_sched_job", 0xa000, 0xe1, 1);
	kernel.on(1, 80);
	job("drm_run_job", 0xa000, 0xe1, 1);
	fence("dma_fence_signaled", 10, 1);
	kernel.happen("drm_sched_process_job", {{"fence", 0xa000}});
	fence("dma_fence_signaled", 11, 1);
	EXPECT_EQ(kernel.sink.lines,
		  (Lines{"0 Q 11:1 ring 1", "1 I 11:1 ring 1", "1 D 11:1 ring 1 <- 11:1",
			 "1 E 11:1 ring 1", "1 C 11:1 ring 1"}));
	EXPECT_EQ(kernel.sink.notes[1], "0 ring 1 class 1 ? ? gfx_0");
	EXPECT_EQ(kernel.translator().untold(), 0u);
}

TEST_F(OldSched, TasksThatMakeJobsAtOnceAreToldApart)
{
	kernel.on(0, 70);
	arm(11, 1);
	kernel.on(1, 71);
	arm(13, 1);
	job("drm_sched_job", 0xb000, 0xe2, 2);
	kernel.on(0, 70);
	job("drm_sched_job", 0xa000, 0xe1, 1);
	EXPECT_EQ(kernel.sink.lines, (Lines{"1 Q 13:1 ring 1", "0 Q 11:1 ring 1"}));
}

// amdgpu arms the jobs of a gang, then pushes them.
TEST_F(OldSched, AGangIsArmedBeforeItIsPushed)
{
	arm(11, 1, "gfx_0");
	arm(13, 1, "comp_0");
	job("drm_sched_job", 0xb000, 0xe2, 2, "comp_0");
	job("drm_sched_job", 0xa000, 0xe1, 1, "gfx_0");
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 13:1 ring 1", "0 Q 11:1 ring 2"}));
}

TEST_F(OldSched, AJobThatWasGivenUpIsNotTheNextOne)
{
	arm(11, 1);
	job("drm_sched_job", 0xa000, 0xe1, 1);
	arm(11, 2); // never pushed
	arm(11, 3);
	job("drm_sched_job", 0xb000, 0xe1, 3);
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 11:1 ring 1", "0 Q 11:3 ring 1"}));
}

TEST_F(OldSched, AnAddressIsUsedAgain)
{
	arm(11, 1);
	job("drm_sched_job", 0xa000, 0xe1, 1);
	fence("dma_fence_signaled", 11, 1);
	job("drm_run_job", 0xa000, 0xe1, 1);
	EXPECT_EQ(kernel.translator().untold(), 1u);
	arm(13, 1);
	job("drm_sched_job", 0xa000, 0xe2, 2);
	job("drm_run_job", 0xa000, 0xe2, 2);
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 11:1 ring 1", "0 C 11:1 ring 1", "0 Q 13:1 ring 1",
					    "0 I 13:1 ring 1"}));
}

TEST_F(OldSched, OnlyAFenceThatIsNotSignalledBlocks)
{
	const auto wait = [this](uint64_t ctx, uint64_t seqno) {
		kernel.happen("drm_sched_job_wait_dep", {{"id", 7}, {"ctx", ctx}, {"seqno", seqno}},
			      {{"name", "gfx_0"}});
	};

	fence("dma_fence_init", 30, 1);
	fence("dma_fence_init", 31, 1);
	arm(11, 1);
	job("drm_sched_job", 0xa000, 0xe1, 7);
	wait(30, 1);
	fence("dma_fence_signaled", 30, 1);
	wait(30, 1);
	wait(31, 1);
	wait(32, 1); // older than the recording: nothing is known
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 11:1 ring 1", "0 UN 11:1 ring 1 <- 30:1",
					    "0 UN 11:1 ring 1 <- 31:1"}));
}

TEST_F(OldSched, AJobArmedBeforeTheRecordingIsLeftOut)
{
	job("drm_sched_job", 0xa000, 0xe1, 1);
	job("drm_run_job", 0xa000, 0xe1, 1);
	kernel.happen("drm_sched_process_job", {{"fence", 0xa000}});
	EXPECT_EQ(kernel.sink.lines, Lines());
	EXPECT_EQ(kernel.translator().untold(), 3u);
}

// A scheduled fence whose other half was not seen is not a key.
TEST_F(OldSched, HalfAJobIsNone)
{
	fence("dma_fence_init", 11, 1);
	job("drm_sched_job", 0xa000, 0xe1, 1);
	EXPECT_EQ(kernel.sink.lines, Lines());
}

class Virtio : public testing::Test {
protected:
	void SetUp() override
	{
		for (const char *name : {"dma_fence_emit", "dma_fence_signaled"})
			ASSERT_TRUE(kernel.define(name, fence_class));
		for (const char *name : {"virtio_gpu_cmd_queue", "virtio_gpu_cmd_response"})
			ASSERT_TRUE(kernel.define(name, {{"int", "dev", 4},
							 {"unsigned int", "vq", 4},
							 {"char[]", "name", 0},
							 {"u32", "type", 4},
							 {"u32", "flags", 4},
							 {"u64", "fence_id", 8},
							 {"u32", "ctx_id", 4},
							 {"u32", "num_free", 4},
							 {"u32", "seqno", 4}}));
	}
	void command(const char *event, uint32_t type, uint32_t seqno, uint64_t fence = 0,
		     const char *queue = "control")
	{
		kernel.happen(event,
			      {{"type", type},
			       {"seqno", seqno},
			       {"flags", fence ? 1 : 0},
			       {"fence_id", fence}},
			      {{"name", queue}});
	}
	void emit(uint64_t ctx, uint64_t seqno)
	{
		kernel.happen("dma_fence_emit", {{"context", ctx}, {"seqno", seqno}},
			      {{"driver", "virtio_gpu"}, {"timeline", "controlq"}});
	}

	FakeKernel kernel;
};

TEST_F(Virtio, ACommandAndItsFence)
{
	emit(4, 9);
	command("virtio_gpu_cmd_queue", 0x207, 3, 9);
	command("virtio_gpu_cmd_response", 0x1100, 3);
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 2147418113:3 ring 1 <- 4:9 command 0x207",
					    "0 E 2147418113:3 ring 1 command 0x1100"}));
}

TEST_F(Virtio, AFenceOfAnotherCpuOrUsedBeforeIsNotTheCommands)
{
	kernel.on(1, 70);
	emit(4, 9);
	kernel.on(0, 71);
	command("virtio_gpu_cmd_queue", 0x207, 3, 9);
	kernel.on(1, 70);
	command("virtio_gpu_cmd_queue", 0x207, 4, 9);
	command("virtio_gpu_cmd_queue", 0x207, 5, 9);
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 2147418113:3 ring 1 command 0x207",
					    "1 Q 2147418113:4 ring 1 <- 4:9 command 0x207",
					    "1 Q 2147418113:5 ring 1 command 0x207"}));
}

TEST_F(Virtio, AHostThatRefuses)
{
	command("virtio_gpu_cmd_response", 0x1203, 3);
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 E 2147418113:3 ring 1 command 0x1203",
					    "0 ER 2147418113:3 ring 1 kind 5 code 0x1203"}));
}

TEST_F(Virtio, ADriverThatWasBoundAnewHasNewRings)
{
	command("virtio_gpu_cmd_queue", 1, 1);
	command("virtio_gpu_cmd_queue", 1, 1, 0, "cursor");
	command("virtio_gpu_cmd_queue", 1, 1);
	command("virtio_gpu_cmd_response", 0x1100, 1);
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 2147418113:1 ring 1 command 0x1",
					    "0 Q 2147418114:1 ring 2 command 0x1",
					    "0 Q 2147418115:1 ring 3 command 0x1",
					    "0 E 2147418115:1 ring 3 command 0x1100"}));
}

class I915 : public testing::Test {
protected:
	void SetUp() override
	{
		std::vector<FakeField> fields = {{"u32", "dev", 4},      {"u64", "ctx", 8},
						 {"u16", "class", 2},    {"u16", "instance", 2},
						 {"u32", "seqno", 4},    {"u32", "tail", 4},
						 {"u32", "completed", 4}};

		for (const char *name :
		     {"i915_request_add", "i915_request_execute", "i915_request_out",
		      "i915_request_wait_begin", "i915_request_wait_end"})
			ASSERT_TRUE(kernel.define(name, fields));
		for (const char *name :
		     {"dma_fence_signaled", "dma_fence_wait_start", "dma_fence_wait_end"})
			ASSERT_TRUE(kernel.define(name, fence_class));
	}
	void request(const char *event, uint32_t seqno, uint64_t completed = 0)
	{
		kernel.happen(event, {{"ctx", 7},
				      {"seqno", seqno},
				      {"class", 2},
				      {"instance", 1},
				      {"completed", completed}});
	}
	void fence(const char *event, uint64_t ctx, uint32_t seqno)
	{
		kernel.happen(event, {{"context", ctx}, {"seqno", seqno}},
			      {{"driver", "0000:00:02.0"}, {"timeline", "x"}});
	}

	FakeKernel kernel;
};

TEST_F(I915, ARequestsLife)
{
	request("i915_request_add", 2);
	request("i915_request_execute", 2);
	request("i915_request_out", 2, 0);
	request("i915_request_execute", 2);
	request("i915_request_out", 2, 1);
	kernel.on(0, 0, hardirq);
	fence("dma_fence_signaled", 7, 2);
	fence("dma_fence_signaled", 8, 2);
	EXPECT_EQ(kernel.sink.lines,
		  (Lines{"0 Q 7:2 ring 1", "0 D 7:2 ring 1 <- 7:2", "0 D 7:2 ring 1 <- 7:2",
			 "0 E 7:2 ring 1", "0 E 7:2 ring 1 flags 0x9", "0 C 7:2 ring 1 flags 0x9",
			 "0 FS 8:2 flags 0x9"}));
	EXPECT_EQ(kernel.sink.notes[1], "0 ring 1 class 4 ? i915 vcs1");
}

// Both report the wait for an i915 fence.
TEST_F(I915, AWaitIsToldOnce)
{
	request("i915_request_add", 2);
	fence("dma_fence_wait_start", 7, 2);
	request("i915_request_wait_begin", 2);
	request("i915_request_wait_end", 2);
	fence("dma_fence_wait_end", 7, 2);
	fence("dma_fence_wait_start", 8, 1);
	fence("dma_fence_wait_end", 8, 1);
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 7:2 ring 1", "0 WE 7:2", "0 WX 7:2",
					    "0 FN 8 0000:00:02.0 x", "0 WE 8:1", "0 WX 8:1"}));
}

TEST(Around, WaitersSleepAreWokenAndRun)
{
	FakeKernel kernel;

	for (const char *name : {"dma_fence_wait_start", "dma_fence_wait_end"})
		ASSERT_TRUE(kernel.define(name, fence_class));
	ASSERT_TRUE(kernel.define(
		"sched_switch",
		{{"pid_t", "prev_pid", 4}, {"long", "prev_state", 8}, {"pid_t", "next_pid", 4}}));
	ASSERT_TRUE(kernel.define("sched_wakeup", {{"pid_t", "pid", 4}}));
	const auto change = [&](uint64_t from, uint64_t state, uint64_t to) {
		kernel.happen("sched_switch",
			      {{"prev_pid", from}, {"prev_state", state}, {"next_pid", to}});
	};

	change(70, 1, 0);
	kernel.on(0, 70);
	kernel.happen("dma_fence_wait_start", {{"context", 4}, {"seqno", 1}});
	change(70, 2, 0);
	change(71, 1, 0);
	kernel.happen("sched_wakeup", {{"pid", 70}});
	change(0, 0, 70);
	kernel.happen("dma_fence_wait_end", {{"context", 4}, {"seqno", 1}});
	change(70, 1, 0);
	EXPECT_EQ(kernel.sink.lines,
		  (Lines{"0 WE 4:1", "0 m waiter 70 sleeps", "0 m waiter 70 is woken",
			 "0 m waiter 70 runs", "0 WX 4:1"}));
}

TEST(Around, AVblankIsAMessage)
{
	FakeKernel kernel;

	ASSERT_TRUE(kernel.define("drm_vblank_event",
				  {{"int", "crtc", 4}, {"unsigned int", "seq", 4}}));
	kernel.happen("drm_vblank_event", {{"crtc", 1}, {"seq", 77}});
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 m vblank crtc=1 seq=77"}));
}

// Kernels with our patches have these events.
TEST(Around, WaitsForSeveralHaveAResult)
{
	FakeKernel kernel;

	ASSERT_TRUE(kernel.define("dma_fence_wait_any_start", {{"char[]", "driver", 0},
							       {"char[]", "timeline", 0},
							       {"u64", "context", 8},
							       {"u64", "seqno", 8}}));
	ASSERT_TRUE(kernel.define("dma_fence_wait_any_end", {{"u64", "context", 8},
							     {"u64", "seqno", 8},
							     {"u64", "signaled_context", 8},
							     {"u64", "signaled_seqno", 8},
							     {"s64", "ret", 8}}));
	const auto wait = [&](uint64_t signaled, int64_t ret) {
		kernel.happen("dma_fence_wait_any_start", {{"context", 8}, {"seqno", 1}},
			      {{"driver", "gpu"}, {"timeline", "x"}});
		kernel.happen("dma_fence_wait_any_end", {{"context", 8},
							 {"seqno", 1},
							 {"signaled_context", signaled},
							 {"signaled_seqno", signaled},
							 {"ret", uint64_t(ret)}});
	};

	wait(9, 250);
	wait(9, 0);
	wait(0, 0);
	wait(0, -512);
	wait(0, INT64_MIN);
	EXPECT_EQ(kernel.sink.lines,
		  (Lines{"0 FN 8 gpu x", "0 WE 8:1", "0 WX 8:1", "0 WE 8:1", "0 WX 8:1", "0 WE 8:1",
			 "0 WX 8:1 arg 0xffc2", "0 WE 8:1", "0 WX 8:1 arg 0xfe00", "0 WE 8:1",
			 "0 WX 8:1"}));
}

TEST(Around, WaitsForSyncObjectsHaveAResult)
{
	FakeKernel kernel;

	ASSERT_TRUE(kernel.define("drm_syncobj_wait_start",
				  {{"u64", "context", 8}, {"u64", "seqno", 8}}));
	ASSERT_TRUE(kernel.define("drm_syncobj_wait_end",
				  {{"u64", "context", 8}, {"u64", "seqno", 8}, {"s64", "ret", 8}}));
	const auto wait = [&](uint64_t ctx, int64_t ret) {
		kernel.happen("drm_syncobj_wait_start", {{"context", ctx}, {"seqno", 3}});
		kernel.happen("drm_syncobj_wait_end",
			      {{"context", ctx}, {"seqno", 3}, {"ret", uint64_t(ret)}});
	};

	wait(4, 0);
	wait(0, -62);
	EXPECT_EQ(kernel.sink.lines,
		  (Lines{"0 WE 4:3", "0 WX 4:3", "0 WE 0:3", "0 WX 0:3 arg 0xffc2"}));
}

TEST(Around, AWedgedDeviceNamesWhoIsToBlame)
{
	FakeKernel kernel;

	ASSERT_TRUE(kernel.define("drm_dev_wedged", {{"char[]", "dev", 0},
						     {"u32", "method", 4},
						     {"pid_t", "pid", 4},
						     {"char[]", "comm", 0}}));
	kernel.happen("drm_dev_wedged", {{"method", 6}, {"pid", 1234}},
		      {{"dev", "0000:03:00.0"}, {"comm", "game.exe"}});
	kernel.happen("drm_dev_wedged", {{"method", 0}}, {{"dev", "0000:03:00.0"}, {"comm", ""}});
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 ER 0:0 ring 1 kind 6 code 0x6 by game.exe:1234 \"\"",
					    "0 ER 0:0 ring 1 kind 6 code 0x0"}));
	EXPECT_EQ(kernel.sink.notes.back(), "0 ring 1 class 6 0000:03:00.0 ? device");
}

TEST(Filters, LeaveOutTypesAndRings)
{
	RecordFilter filter;

	filter.types = ~(1ull << GRTRACE_PICK);
	filter.rings = {"copy"};
	FakeKernel kernel(filter);
	for (const char *name : {"drm_sched_job_queue", "drm_sched_job_run"})
		ASSERT_TRUE(kernel.define(name, new_job_class));
	ASSERT_TRUE(kernel.define("dma_fence_signaled", fence_class));
	for (const char *ring : {"gfx", "copy"}) {
		for (const char *event : {"drm_sched_job_queue", "drm_sched_job_run"})
			kernel.happen(
				event,
				{{"fence_context", ring[0] == 'g' ? 11 : 13}, {"fence_seqno", 1}},
				{{"name", ring}, {"dev", "gpu"}});
	}
	kernel.happen("dma_fence_signaled", {{"context", 40}, {"seqno", 1}},
		      {{"driver", "gpu"}, {"timeline", "x"}});
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 Q 13:1 ring 2", "0 FS 40:1"}));
}

TEST(FoundEvents, AMissingFieldIsNamedAndTheRestGoesOn)
{
	FakeKernel kernel;

	EXPECT_FALSE(kernel.define("drm_sched_job_done", {{"u64", "fence_context", 8}}));
	EXPECT_EQ(kernel.remarks, (Lines{"gpu_scheduler:drm_sched_job_done is left out: it "
					 "has no field fence_seqno"}));
	// An optional event.
	EXPECT_TRUE(kernel.define(
		"drm_sched_job_run",
		{{"char[]", "name", 0}, {"u64", "fence_context", 8}, {"u64", "fence_seqno", 8}}));
	kernel.happen("drm_sched_job_run", {{"fence_context", 11}, {"fence_seqno", 1}},
		      {{"name", "gfx"}});
	EXPECT_EQ(kernel.sink.lines, (Lines{"0 I 11:1 ring 1"}));
}

TEST(FoundEvents, SourcesCountWhatTheKernelCouldHave)
{
	FakeKernel kernel;

	ASSERT_TRUE(kernel.define("drm_sched_job", old_job_class));
	ASSERT_TRUE(kernel.define("dma_fence_signaled", fence_class));
	Lines lines;
	for (const TraceSource &source : kernel.found.sources())
		lines.push_back(fmt::format("{} {} {}", source.name, source.found, source.known));
	EXPECT_EQ(lines, (Lines{"drm_sched 1 4", "dma_fence 1 5", "virtio_gpu 0 2", "i915 0 3",
				"amdgpu 0 2"}));
}

} // namespace grtrace
