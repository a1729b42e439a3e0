/* SPDX-License-Identifier: GPL-2.0 */
/* The clocks a session can count time by; all may be read in any context. */
#ifndef _GRTRACE_CLOCK_H_
#define _GRTRACE_CLOCK_H_

#include <linux/timekeeping.h>

#include <uapi/drm/grtrace_drm.h>

/**
 * grtrace_clock - now
 * @clock: which clock
 *
 * Context: Any.
 * Return: ns.
 */
static __always_inline u64 grtrace_clock(enum grtrace_clock clock)
{
	if (likely(clock == GRTRACE_CLOCK_MONOTONIC))
		return ktime_get_mono_fast_ns();
	if (clock == GRTRACE_CLOCK_BOOTTIME)
		return ktime_get_boot_fast_ns();
	return ktime_get_tai_fast_ns();
}

#endif /* _GRTRACE_CLOCK_H_ */
