/* SPDX-License-Identifier: GPL-2.0 */
/* The names of the devices that rings belong to. */
#ifndef _GRTRACE_DEVICES_H_
#define _GRTRACE_DEVICES_H_

#include <linux/atomic.h>
#include <linux/types.h>

#include <uapi/drm/grtrace_drm.h>

#define GRTRACE_DEVICES_MAX	64	/* bits of filter_device's mask */
#define GRTRACE_DEVICE_NAMES	(2 * GRTRACE_DEVICES_MAX)	/* races waste some */

/**
 * struct grtrace_devices - the names of devices, which are never forgotten
 *
 * @names: memory for them
 * @next_name: index of the first free name
 * @device: names in use; a device's number is its index + 1
 */
struct grtrace_devices {
	char names[GRTRACE_DEVICE_NAMES][GRTRACE_DEVICE_LEN];
	atomic_t next_name;
	const char *device[GRTRACE_DEVICES_MAX];
};

u32 grtrace_devices_id(struct grtrace_devices *devices, const char *device);
const char *grtrace_devices_name(const struct grtrace_devices *devices, u32 device_id);
u32 grtrace_device_id(const char *device);
const char *grtrace_device_name(u32 device_id);

#endif /* _GRTRACE_DEVICES_H_ */
