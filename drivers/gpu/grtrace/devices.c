// SPDX-License-Identifier: GPL-2.0
/*
 * The names of devices, by number, which filter_device uses. They are never
 * removed, so a number has the same meaning as long as the module is loaded.
 */
#include <linux/string.h>

#include "devices.h"

static struct grtrace_devices devices_all;

static char *devices_name_alloc(struct grtrace_devices *devices, const char *device)
{
	int i = atomic_fetch_inc(&devices->next_name);

	if (i >= GRTRACE_DEVICE_NAMES) {
		atomic_set(&devices->next_name, GRTRACE_DEVICE_NAMES);
		return NULL;
	}
	strscpy(devices->names[i], device, sizeof(devices->names[i]));
	return devices->names[i];
}

/**
 * grtrace_devices_id - intern the name of a device
 * @devices: the table
 * @device: the name
 *
 * Context: Any.
 * Return: a number above 0, the same for the same name, or 0 if the table is
 * full.
 */
u32 grtrace_devices_id(struct grtrace_devices *devices, const char *device)
{
	char *own = NULL;
	const char *name;
	u32 i;

	for (i = 0; i < GRTRACE_DEVICES_MAX; i++) {
		/* Pairs with the cmpxchg below: a visible name is complete. */
		name = smp_load_acquire(&devices->device[i]);
		if (!name) {
			if (!own)
				own = devices_name_alloc(devices, device);
			if (!own)
				return 0;
			name = cmpxchg(&devices->device[i], NULL, own);
			if (!name)
				return i + 1;
		}
		if (!strncmp(name, device, GRTRACE_DEVICE_LEN - 1))
			return i + 1;
	}
	return 0;
}

/**
 * grtrace_devices_name - the name behind a number
 * @devices: the table
 * @device_id: from grtrace_devices_id()
 */
const char *grtrace_devices_name(const struct grtrace_devices *devices, u32 device_id)
{
	if (!device_id || device_id > GRTRACE_DEVICES_MAX)
		return "";
	return devices->device[device_id - 1] ?: "";
}

/**
 * grtrace_device_id - grtrace_devices_id() for the kernel's own table
 * @device: the name
 */
u32 grtrace_device_id(const char *device)
{
	return grtrace_devices_id(&devices_all, device);
}

/**
 * grtrace_device_name - grtrace_devices_name() for the kernel's own table
 * @device_id: from grtrace_device_id()
 */
const char *grtrace_device_name(u32 device_id)
{
	return grtrace_devices_name(&devices_all, device_id);
}
