// SPDX-License-Identifier: GPL-2.0
#include "unit/words/monitor/monitor_events.h"

namespace grtrace {

namespace {

MadeValues vblank(uint64_t crtc, uint64_t seq, uint64_t time)
{
	return {{"crtc", crtc}, {"seq", seq}, {"time", time}};
}

MadeValues wanted(uint64_t file, uint64_t crtc, uint64_t seq)
{
	return {{"file", file}, {"crtc", crtc}, {"seq", seq}};
}

} // namespace

TEST(VblankMonitor, rate_and_missed)
{
	MonitorBench w("vblank");

	w.take("drm_vblank_event", 1, 0, vblank(0, 100, 1000000000));
	EXPECT_EQ(w.cell("crtcs", 0, "hz"), "NA");
	w.take("drm_vblank_event", 2, 0, vblank(0, 101, 1010000000));
	w.take("drm_vblank_event", 3, 0, vblank(0, 104, 1040000000));
	EXPECT_EQ(w.told(), "crtc=0 seq=104 missed=2");
	EXPECT_EQ(w.cell("crtcs", 0, "hz"), "100.0");
	EXPECT_EQ(w.cell("crtcs", 0, "missed"), "2");
	EXPECT_EQ(w.cell("crtcs", 0, "vblanks"), "3");
	// The same vblank again is not another one.
	EXPECT_FALSE(w.take("drm_vblank_event", 4, 0, vblank(0, 104, 1040000000)));
}

// Without the hardware's time it is the event's.
TEST(VblankMonitor, drivers_without_a_time)
{
	MonitorBench w("vblank");

	w.take("drm_vblank_event", 1000000000, 0, vblank(1, 1, 0));
	w.take("drm_vblank_event", 1020000000, 0, vblank(1, 2, 0));
	EXPECT_EQ(w.cell("crtcs", 0, "crtc"), "1");
	EXPECT_EQ(w.cell("crtcs", 0, "hz"), "50.0");
}

TEST(VblankMonitor, counters_wrap_and_begin_anew)
{
	MonitorBench w("vblank");

	w.take("drm_vblank_event", 1, 0, vblank(0, UINT32_MAX, 1000));
	w.take("drm_vblank_event", 2, 0, vblank(0, 0, 2000));
	EXPECT_EQ(w.cell("crtcs", 0, "missed"), "0");
	w.take("drm_vblank_event", 3, 0, vblank(0, 4000000000, 3000));
	w.take("drm_vblank_event", 4, 0, vblank(0, 4000000001, 100));
	EXPECT_EQ(w.cell("crtcs", 0, "resets"), "2");
	EXPECT_EQ(w.cell("crtcs", 0, "missed"), "0");
}

TEST(VblankMonitor, from_queued_to_delivered)
{
	MonitorBench w("vblank");

	EXPECT_TRUE(w.take("drm_vblank_event_queued", 1000, 7, wanted(0xf1, 0, 5)));
	EXPECT_TRUE(w.take("drm_vblank_event_queued", 2000, 7, wanted(0xf2, 0, 5)));
	// Later than asked for, as it is by then.
	EXPECT_TRUE(w.take("drm_vblank_event_delivered", 9000, 0, wanted(0xf1, 0, 6)));
	EXPECT_EQ(w.told(), "crtc=0 seq=6 wait_us=8.0 latency_us=NA");
	EXPECT_FALSE(w.take("drm_vblank_event_delivered", 9000, 0, wanted(0xf1, 0, 6)));
	EXPECT_FALSE(w.take("drm_vblank_event_delivered", 9000, 0, wanted(0xf2, 1, 5)));
	EXPECT_EQ(w.cell("crtcs", 0, "queued"), "2");
	EXPECT_EQ(w.cell("crtcs", 0, "delivered"), "1");
	EXPECT_EQ(w.cell("crtcs", 0, "wait_max_us"), "8.0");
	EXPECT_EQ(w.cell("crtcs", 0, "latency_max_us"), "NA");
}

// The kernel delivers first and records the vblank afterwards. The wait for it, 16 ms, is
// not a latency.
TEST(VblankMonitor, from_the_vblank_to_delivered)
{
	MonitorBench w("vblank");

	w.take("drm_vblank_event", 1005000, 0, vblank(0, 4, 1000000));
	w.take("drm_vblank_event_queued", 1010000, 7, wanted(0xf1, 0, 5));
	w.take("drm_vblank_event_delivered", 17030000, 0, wanted(0xf1, 0, 5));
	EXPECT_EQ(w.told(), "crtc=0 seq=5 wait_us=16020.0 latency_us=NA");
	EXPECT_EQ(w.cell("crtcs", 0, "latency_max_us"), "NA");
	w.take("drm_vblank_event", 17040000, 0, vblank(0, 5, 17000000));
	EXPECT_EQ(w.cell("crtcs", 0, "latency_max_us"), "30.0");
	EXPECT_EQ(w.cell("crtcs", 0, "wait_max_us"), "16020.0");
}

// It asks for a vblank that is over: its wait is short, and it is late.
TEST(VblankMonitor, a_late_compositor)
{
	MonitorBench w("vblank");

	for (uint64_t seq : {3, 4, 5, 6})
		w.take("drm_vblank_event", seq * 1000000 + 50, 0, vblank(0, seq, seq * 1000000));
	w.take("drm_vblank_event_queued", 6400000, 7, wanted(0xf1, 0, 5));
	w.take("drm_vblank_event_delivered", 6402000, 0, wanted(0xf1, 0, 6));
	EXPECT_EQ(w.told(), "crtc=0 seq=6 wait_us=2.0 latency_us=1402.0");
	EXPECT_EQ(w.cell("crtcs", 0, "latency_max_us"), "1402.0");
}

// It was missed: the next one came in its place.
TEST(VblankMonitor, late_for_one_that_never_came)
{
	MonitorBench w("vblank");

	w.take("drm_vblank_event", 4000050, 0, vblank(0, 4, 4000000));
	w.take("drm_vblank_event_queued", 4100000, 7, wanted(0xf1, 0, 5));
	w.take("drm_vblank_event_delivered", 7040000, 0, wanted(0xf1, 0, 7));
	w.take("drm_vblank_event", 7050000, 0, vblank(0, 7, 7000000));
	EXPECT_EQ(w.cell("crtcs", 0, "latency_max_us"), "40.0");
	EXPECT_EQ(w.cell("crtcs", 0, "missed"), "2");
}

// Neither a vblank of before the start nor one that comes later is taken for it.
TEST(VblankMonitor, the_latency_of_what_was_not_seen_is_not_known)
{
	MonitorBench w("vblank");

	w.take("drm_vblank_event", 4000050, 0, vblank(0, 4, 4000000));
	w.take("drm_vblank_event_queued", 4100000, 7, wanted(0xf1, 0, 2));
	w.take("drm_vblank_event_delivered", 4101000, 0, wanted(0xf1, 0, 4));
	EXPECT_EQ(w.told(), "crtc=0 seq=4 wait_us=1.0 latency_us=NA");
	w.take("drm_vblank_event_queued", 4200000, 7, wanted(0xf1, 0, 5));
	w.take("drm_vblank_event_delivered", 5000010, 0, wanted(0xf1, 0, 5));
	w.take("drm_vblank_event", 6000050, 0, vblank(0, 6, 6000000));
	EXPECT_EQ(w.cell("crtcs", 0, "delivered"), "2");
	EXPECT_EQ(w.cell("crtcs", 0, "latency_max_us"), "NA");
	// Without the hardware's time a vblank is recorded after it was delivered.
	w.take("drm_vblank_event_queued", 6100000, 7, wanted(0xf1, 0, 7));
	w.take("drm_vblank_event_delivered", 7000010, 0, wanted(0xf1, 0, 7));
	w.take("drm_vblank_event", 7000050, 0, vblank(0, 7, 0));
	EXPECT_EQ(w.cell("crtcs", 0, "latency_max_us"), "NA");
}

// They wrap, and begin again.
TEST(VblankMonitor, late_across_a_wrap)
{
	MonitorBench w("vblank");

	w.take("drm_vblank_event", 1000050, 0, vblank(0, UINT32_MAX, 1000000));
	w.take("drm_vblank_event", 2000050, 0, vblank(0, 0, 2000000));
	w.take("drm_vblank_event_queued", 2100000, 7, wanted(0xf1, 0, 0));
	w.take("drm_vblank_event_delivered", 2200000, 0, wanted(0xf1, 0, 0));
	EXPECT_EQ(w.told(), "crtc=0 seq=0 wait_us=100.0 latency_us=200.0");
}

// Two processes: the one that learns of a vblank too late is named, also if the vblank is
// recorded later.
TEST(VblankMonitor, late_by_process)
{
	MonitorBench w("vblank");

	w.take("drm_vblank_event", 1000050, 0, vblank(0, 1, 1000000));
	w.take("drm_vblank_event_queued", 1100000, 71, wanted(0xf1, 0, 1));
	w.take("drm_vblank_event_queued", 1100000, 81, wanted(0xf2, 0, 1));
	w.take("drm_vblank_event_queued", 1100000, 82, wanted(0xf3, 0, 2));
	w.take("drm_vblank_event_delivered", 2000000, 0, wanted(0xf1, 0, 1));
	w.take("drm_vblank_event_delivered", 2000001, 0, wanted(0xf2, 0, 1));
	w.take("drm_vblank_event_delivered", 8500000, 0, wanted(0xf3, 0, 2));
	w.take("drm_vblank_event", 8500050, 0, vblank(0, 2, 7000000));
	EXPECT_EQ(w.cell("crtcs", 0, "late"), "2");
	EXPECT_EQ(w.cell("processes", 0, "pid"), "70");
	EXPECT_EQ(w.cell("processes", 0, "late"), "0");
	EXPECT_EQ(w.cell("processes", 0, "latency_max_us"), "1000.0");
	EXPECT_EQ(w.cell("processes", 1, "comm"), "task80");
	EXPECT_EQ(w.cell("processes", 1, "queued"), "2");
	EXPECT_EQ(w.cell("processes", 1, "delivered"), "2");
	EXPECT_EQ(w.cell("processes", 1, "late"), "2");
	EXPECT_EQ(w.cell("processes", 1, "latency_max_us"), "1500.0");
	EXPECT_EQ(w.cell("processes", 1, "wait_max_us"), "7400.0");
}

TEST(VblankMonitor, precise_times)
{
	MonitorBench w("vblank");
	MadeValues at = vblank(0, 1, 1000000);

	at["high_prec"] = uint64_t(1);
	w.take("drm_vblank_event", 1, 0, at);
	EXPECT_EQ(w.told(), "crtc=0 seq=1 precise=yes");
	at = vblank(0, 2, 2000000);
	at["high_prec"] = uint64_t(0);
	w.take("drm_vblank_event", 2, 0, at);
	EXPECT_EQ(w.told(), "crtc=0 seq=2 missed=0 precise=no");
	EXPECT_EQ(w.cell("crtcs", 0, "precise"), "1");
}

} // namespace grtrace
