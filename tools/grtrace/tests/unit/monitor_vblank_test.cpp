// SPDX-License-Identifier: GPL-2.0
#include "monitor_events.h"

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
	// Told again is not another one.
	EXPECT_FALSE(
		w.take("drm_vblank_event", 4, 0, vblank(0, 104, 1040000000)));
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

	EXPECT_TRUE(
		w.take("drm_vblank_event_queued", 1000, 7, wanted(0xf1, 0, 5)));
	EXPECT_TRUE(
		w.take("drm_vblank_event_queued", 2000, 7, wanted(0xf2, 0, 5)));
	// Later than asked for, as it is by then.
	EXPECT_TRUE(w.take("drm_vblank_event_delivered", 9000, 0,
			   wanted(0xf1, 0, 6)));
	EXPECT_EQ(w.told(), "crtc=0 seq=6 latency_us=8.0");
	EXPECT_FALSE(w.take("drm_vblank_event_delivered", 9000, 0,
			    wanted(0xf1, 0, 6)));
	EXPECT_FALSE(w.take("drm_vblank_event_delivered", 9000, 0,
			    wanted(0xf2, 1, 5)));
	EXPECT_EQ(w.cell("crtcs", 0, "queued"), "2");
	EXPECT_EQ(w.cell("crtcs", 0, "delivered"), "1");
	EXPECT_EQ(w.cell("crtcs", 0, "latency_max_us"), "8.0");
}

} // namespace grtrace
