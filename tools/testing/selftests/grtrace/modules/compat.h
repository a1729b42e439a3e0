/* SPDX-License-Identifier: GPL-2.0 */
/* The test modules use these; older kernels lack them, or name them otherwise. */
#ifndef _GRTRACE_TEST_COMPAT_H_
#define _GRTRACE_TEST_COMPAT_H_

#include <linux/hrtimer.h>
#include <linux/sched.h>
#include <linux/version.h>

#include <drm/drm_device.h>
#include <drm/gpu_scheduler.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define drm_sched_start(sched, error)	drm_sched_start(sched)

static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*fn)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define DRM_WEDGE_RECOVERY_NONE	1

static inline int drm_dev_wedged_event(struct drm_device *drm, unsigned long method, void *info)
{
	return 0;
}
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define drm_dev_wedged_event(drm, method, info)	drm_dev_wedged_event(drm, method)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
struct drm_wedge_task_info {
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

#define DRM_GPU_SCHED_STAT_RESET	DRM_GPU_SCHED_STAT_NOMINAL
#endif

#endif /* _GRTRACE_TEST_COMPAT_H_ */
