// SPDX-License-Identifier: GPL-2.0
#include "unit/words/monitor/monitor_events.h"

namespace grtrace {

namespace {

MadeValues job(uint64_t ctx, uint64_t seqno, const char *ring = "gfx",
	       const char *device = "0000:03:00.0")
{
	return {{"fence_context", ctx},
		{"fence_seqno", seqno},
		{"name", std::string(ring)},
		{"dev", std::string(device)}};
}

MadeValues fence(uint64_t ctx, uint64_t seqno)
{
	return {{"fence_context", ctx}, {"fence_seqno", seqno}};
}

MadeValues old_job(uint64_t address, uint64_t id, const char *ring = "gfx")
{
	return {{"fence", address}, {"id", id}, {"name", std::string(ring)}};
}

} // namespace

TEST(SchedMonitor, from_queue_to_done)
{
	MonitorBench w("sched");

	EXPECT_TRUE(w.take("drm_sched_job_queue", 1000, 7, job(5, 1)));
	EXPECT_EQ(w.told(), "dev=0000:03:00.0 ring=gfx fence=5:1");
	EXPECT_EQ(w.cell("rings", 0, "queue"), "1");
	EXPECT_TRUE(w.take("drm_sched_job_run", 3000, 1, job(5, 1)));
	EXPECT_EQ(w.told(), "dev=0000:03:00.0 ring=gfx fence=5:1 wait_us=2.0");
	EXPECT_EQ(w.cell("rings", 0, "queue"), "0");
	EXPECT_EQ(w.cell("rings", 0, "hw"), "1");
	EXPECT_TRUE(w.take("drm_sched_job_done", 8000, 0, fence(5, 1)));
	EXPECT_EQ(w.told(), "dev=0000:03:00.0 ring=gfx fence=5:1 run_us=5.0");
	EXPECT_EQ(w.cell("rings", 0, "hw"), "0");
	EXPECT_EQ(w.cell("rings", 0, "done"), "1");
	EXPECT_EQ(w.cell("rings", 0, "wait_avg_us"), "2.0");
	EXPECT_EQ(w.cell("rings", 0, "run_max_us"), "5.0");
	EXPECT_EQ(w.cell("rings", 0, "stall_avg_us"), "NA");
}

// Out of order, two devices with rings of one name, numbers that wrap.
TEST(SchedMonitor, jobs_are_known_by_their_fences)
{
	MonitorBench w("sched");

	w.take("drm_sched_job_queue", 1000, 7, job(5, UINT64_MAX));
	w.take("drm_sched_job_queue", 1000, 7, job(6, 1, "gfx", "0000:04:00.0"));
	w.take("drm_sched_job_run", 2000, 1, job(5, UINT64_MAX));
	w.take("drm_sched_job_run", 2000, 1, job(6, 1, "gfx", "0000:04:00.0"));
	w.take("drm_sched_job_done", 3000, 0, fence(6, 1));
	EXPECT_EQ(w.cell("rings", 0, "done"), "0");
	EXPECT_EQ(w.cell("rings", 1, "done"), "1");
	EXPECT_EQ(w.cell("rings", 1, "dev"), "0000:04:00.0");
	EXPECT_EQ(w.cell("rings", 0, "hw"), "1");
}

TEST(SchedMonitor, stalls_last_from_the_first_block_to_the_run)
{
	MonitorBench w("sched");
	MadeValues dep = fence(5, 2);

	dep["ctx"] = uint64_t(9);
	dep["seqno"] = uint64_t(4);
	w.take("drm_sched_job_queue", 1000, 7, job(5, 2));
	EXPECT_TRUE(w.take("drm_sched_job_add_dep", 1100, 7, dep));
	EXPECT_TRUE(w.take("drm_sched_job_unschedulable", 2000, 1, dep));
	EXPECT_EQ(w.told(), "dev=0000:03:00.0 ring=gfx fence=5:2 on=9:4");
	EXPECT_TRUE(w.take("drm_sched_job_unschedulable", 3000, 1, dep));
	w.take("drm_sched_job_run", 5000, 1, job(5, 2));
	EXPECT_EQ(w.cell("rings", 0, "deps"), "1");
	EXPECT_EQ(w.cell("rings", 0, "stalls"), "1");
	EXPECT_EQ(w.cell("rings", 0, "stall_avg_us"), "3.0");
}

// Until 6.16: by the address of the fence, and a wait by ring and number.
TEST(SchedMonitor, old_events)
{
	MonitorBench w("sched");

	w.take("drm_sched_job", 1000, 7, old_job(0xffff1000, 3));
	w.take("drm_sched_job", 1000, 7, old_job(0xffff2000, 3, "copy"));
	EXPECT_TRUE(w.take("drm_sched_job_wait_dep", 2000, 1,
			   {{"name", std::string("copy")},
			    {"id", uint64_t(3)},
			    {"ctx", uint64_t(9)},
			    {"seqno", uint64_t(4)}}));
	EXPECT_EQ(w.told(), "dev=NA ring=copy id=3 on=9:4");
	w.take("drm_run_job", 3000, 1, old_job(0xffff2000, 3, "copy"));
	EXPECT_TRUE(w.take("drm_sched_process_job", 5000, 0, {{"fence", uint64_t(0xffff2000)}}));
	EXPECT_EQ(w.told(), "dev=NA ring=copy fence=0xffff2000 run_us=2.0");
	EXPECT_EQ(w.cell("rings", 0, "ring"), "copy");
	EXPECT_EQ(w.cell("rings", 0, "stalls"), "1");
	EXPECT_EQ(w.cell("rings", 0, "dev"), "NA");
	EXPECT_EQ(w.cell("rings", 1, "queue"), "1");
}

// Its memory is used again: what was there is never done.
TEST(SchedMonitor, an_old_job_that_never_ends)
{
	MonitorBench w("sched");

	w.take("drm_sched_job", 1000, 7, old_job(0xffff1000, 3));
	w.take("drm_sched_job", 2000, 7, old_job(0xffff1000, 4));
	EXPECT_EQ(w.cell("rings", 0, "queue"), "1");
	EXPECT_EQ(w.cell("rings", 0, "jobs"), "2");
	EXPECT_EQ(w.cell("notes", 0, "jobs_never_done"), "1");
}

TEST(SchedMonitor, what_began_before_is_left_out)
{
	MonitorBench w("sched");

	EXPECT_FALSE(w.take("drm_sched_job_run", 3000, 1, job(5, 1)));
	EXPECT_FALSE(w.take("drm_sched_job_done", 3000, 1, fence(5, 1)));
	EXPECT_EQ(w.cell("rings", 0, "jobs"), "no row");
	// Told twice is once.
	w.take("drm_sched_job_queue", 4000, 7, job(5, 2));
	EXPECT_TRUE(w.take("drm_sched_job_run", 5000, 1, job(5, 2)));
	EXPECT_FALSE(w.take("drm_sched_job_run", 5000, 1, job(5, 2)));
	EXPECT_EQ(w.cell("rings", 0, "hw"), "1");
}

// The tasks that run and end a job are others than the one that queued it.
TEST(SchedMonitor, filters)
{
	MonitorBench w("sched");

	w.filter.pids = {7};
	w.filter.rings = {"gfx"};
	EXPECT_TRUE(w.take("drm_sched_job_queue", 1000, 7, job(5, 1)));
	EXPECT_FALSE(w.take("drm_sched_job_queue", 1000, 8, job(6, 1)));
	EXPECT_FALSE(w.take("drm_sched_job_queue", 1000, 7, job(7, 1, "copy")));
	EXPECT_TRUE(w.take("drm_sched_job_run", 2000, 1, job(5, 1)));
	EXPECT_TRUE(w.take("drm_sched_job_done", 3000, 1, fence(5, 1)));
	EXPECT_FALSE(w.take("drm_sched_job_run", 2000, 1, job(6, 1)));
}

// An interval begins with what is still there; the summary has all.
TEST(SchedMonitor, intervals_add_up)
{
	MonitorBench w("sched");

	w.take("drm_sched_job_queue", 1000, 7, job(5, 1));
	w.take("drm_sched_job_queue", 1000, 7, job(5, 2));
	const auto first = w.monitor->interval(0.5);
	EXPECT_EQ(MonitorBench::cell_of(first, "rings", 0, "jobs"), "2");
	EXPECT_EQ(MonitorBench::cell_of(first, "rings", 0, "jobs_s"), "4.0");
	w.take("drm_sched_job_run", 2000, 1, job(5, 1));
	const auto second = w.monitor->interval(0.5);
	EXPECT_EQ(MonitorBench::cell_of(second, "rings", 0, "jobs"), "0");
	EXPECT_EQ(MonitorBench::cell_of(second, "rings", 0, "queue"), "1");
	EXPECT_EQ(MonitorBench::cell_of(second, "rings", 0, "queue_max"), "2");
	EXPECT_EQ(MonitorBench::cell_of(second, "rings", 0, "wait_avg_us"), "1.0");
	EXPECT_EQ(w.cell("rings", 0, "jobs"), "2");
	EXPECT_EQ(w.cell("rings", 0, "wait_avg_us"), "1.0");
	EXPECT_EQ(w.cell("rings", 0, "queue_max"), "2");
}

// Times that go back do not become ages.
TEST(SchedMonitor, hostile_times)
{
	MonitorBench w("sched");

	w.take("drm_sched_job_queue", UINT64_MAX, 7, job(5, 1));
	w.take("drm_sched_job_run", 5, 1, job(5, 1));
	w.take("drm_sched_job_done", 1, 1, fence(5, 1));
	EXPECT_EQ(w.cell("rings", 0, "run_max_us"), "0.0");
}

} // namespace grtrace
