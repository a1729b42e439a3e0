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

// By whom a job was held up, each dependency for itself: the time from its first block to
// the next one's, or to the run. A fence is known by either of its entity's two contexts.
TEST(SchedMonitor, blocked_by)
{
	MonitorBench w("sched");
	auto block = [&](uint64_t ts, uint64_t ctx, uint64_t seqno) {
		MadeValues dep = fence(5, 2);

		dep["ctx"] = ctx;
		dep["seqno"] = seqno;
		EXPECT_TRUE(w.take("drm_sched_job_unschedulable", ts, 1, dep));
		return w.told();
	};

	w.take("drm_sched_job_queue", 500, 7, job(9, 1, "copy"));
	w.take("drm_sched_job_queue", 1000, 7, job(5, 2));
	EXPECT_EQ(block(2000, 8, 1), "dev=0000:03:00.0 ring=gfx fence=5:2 on=8:1 by=copy");
	block(3000, 8, 1);
	EXPECT_EQ(block(6000, 77, 1), "dev=0000:03:00.0 ring=gfx fence=5:2 on=77:1");
	w.take("drm_sched_job_run", 7000, 1, job(5, 2));
	EXPECT_EQ(w.cell("blocked", 0, "by_ring"), "NA");
	EXPECT_EQ(w.cell("blocked", 0, "blocked_sum_us"), "1.0");
	EXPECT_EQ(w.cell("blocked", 1, "ring"), "gfx");
	EXPECT_EQ(w.cell("blocked", 1, "by_ring"), "copy");
	EXPECT_EQ(w.cell("blocked", 1, "by_dev"), "0000:03:00.0");
	EXPECT_EQ(w.cell("blocked", 1, "blocks"), "1");
	EXPECT_EQ(w.cell("blocked", 1, "blocked_max_us"), "4.0");
	EXPECT_EQ(w.cell("rings", 1, "waits"), "2");
	EXPECT_EQ(w.cell("rings", 1, "stalls"), "1");
	EXPECT_EQ(w.cell("rings", 1, "stall_avg_us"), "5.0");
}

// The kernel's own counts also have the jobs from before the start.
TEST(SchedMonitor, depths_are_the_kernels)
{
	MonitorBench w("sched");
	MadeValues deep = job(5, 1);

	deep["job_count"] = uint64_t(12);
	deep["hw_job_count"] = uint64_t(2);
	w.take("drm_sched_job_queue", 1000, 7, deep);
	EXPECT_EQ(w.told(), "dev=0000:03:00.0 ring=gfx fence=5:1 queued=12 hw=2");
	deep["job_count"] = uint64_t(11);
	deep["hw_job_count"] = uint64_t(3);
	w.take("drm_sched_job_run", 2000, 1, deep);
	EXPECT_EQ(w.told(), "dev=0000:03:00.0 ring=gfx fence=5:1 queued=11 hw=3 wait_us=1.0");
	EXPECT_EQ(w.cell("rings", 0, "queue_max"), "1");
	EXPECT_EQ(w.cell("rings", 0, "entity_queue_max"), "12");
	EXPECT_EQ(w.cell("rings", 0, "credits_max"), "3");
	EXPECT_EQ(w.cell("entities", 0, "queued_max"), "12");
}

// The longest on the hardware comes first, and those of one process are several.
TEST(SchedMonitor, entities)
{
	MonitorBench w("sched");
	auto one = [&](uint64_t ctx, uint32_t pid, uint64_t busy, uint64_t client) {
		MadeValues values = job(ctx, 1);

		values["client_id"] = client;
		w.take("drm_sched_job_queue", 1000, pid, values);
		w.take("drm_sched_job_run", 4000, 1, values);
		w.take("drm_sched_job_done", 4000 + busy, 0, fence(ctx, 1));
	};

	one(5, 71, 1000, 3);
	one(7, 72, 9000, 4);
	for (uint64_t ctx = 100; ctx < 130; ctx++)
		one(ctx, 81, 500, 5);
	EXPECT_EQ(w.cell("entities", 0, "entity"), "7");
	EXPECT_EQ(w.cell("entities", 0, "client"), "4");
	EXPECT_EQ(w.cell("entities", 0, "pid"), "70");
	EXPECT_EQ(w.cell("entities", 0, "run_sum_us"), "9.0");
	EXPECT_EQ(w.cell("entities", 1, "entity"), "5");
	EXPECT_EQ(w.cell("entities", 1, "done"), "1");
	EXPECT_EQ(w.cell("entities", 1, "wait_avg_us"), "3.0");
	EXPECT_EQ(w.cell("entities", 1, "stall_avg_us"), "NA");
	EXPECT_EQ(w.cell("entities", 2, "entity"), "100");
	EXPECT_EQ(w.cell("entities", 19, "entity"), "117");
	EXPECT_EQ(w.cell("entities", 20, "entity"), "no row");
}

TEST(SchedMonitor, old_entities_are_addresses)
{
	MonitorBench w("sched");
	MadeValues old = old_job(0xffff1000, 3);

	old["entity"] = uint64_t(0xffff888012345678);
	w.take("drm_sched_job", 1000, 71, old);
	EXPECT_EQ(w.cell("entities", 0, "entity"), "0xffff888012345678");
	EXPECT_EQ(w.cell("entities", 0, "client"), "NA");
	EXPECT_EQ(w.cell("entities", 0, "dev"), "NA");
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
	// A job that is reported twice counts once.
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
