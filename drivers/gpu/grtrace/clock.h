/* SPDX-License-Identifier: GPL-2.0 */
/* The clocks that a session may use; all may be read in any context. */
#ifndef _GRTRACE_CLOCK_H_
#define _GRTRACE_CLOCK_H_

#include <linux/timekeeping.h>

#include <uapi/drm/grtrace_drm.h>

/* The current time in ns, in any context. */
static __always_inline u64 grtrace_clock(enum grtrace_clock clock)
{
	if (likely(clock == GRTRACE_CLOCK_MONOTONIC))
		return ktime_get_mono_fast_ns();
	if (clock == GRTRACE_CLOCK_BOOTTIME)
		return ktime_get_boot_fast_ns();
	return ktime_get_tai_fast_ns();
}

/* The clock for measuring a duration. CLOCK_TAI follows the time of day, which can be set. */
static __always_inline enum grtrace_clock
grtrace_clock_steady(enum grtrace_clock clock)
{
	return clock == GRTRACE_CLOCK_TAI ? GRTRACE_CLOCK_MONOTONIC : clock;
}

#endif /* _GRTRACE_CLOCK_H_ */
