// SPDX-License-Identifier: GPL-2.0
/*
 * The names of devices, by number, which filter_device uses. They are never
 * removed, so a number has the same meaning as long as the module is loaded.
 */
#include <linux/string.h>

#include "filter.h"

struct grtrace_devices grtrace_devices;

static char *device_name_alloc(struct grtrace_devices *devices, const char *device)
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
 * grtrace_device_id - intern the name of a device
 * @devices: the table: &grtrace_devices, or that of a test
 * @device: the name
 *
 * Context: Any.
 * Return: a number above 0, the same for the same name, or 0 if the table is
 * full.
 */
u32 grtrace_device_id(struct grtrace_devices *devices, const char *device)
{
	char *own = NULL;
	const char *name;
	u32 i;

	for (i = 0; i < GRTRACE_DEVICES_MAX; i++) {
		/* Pairs with the cmpxchg below: a visible name is complete. */
		name = smp_load_acquire(&devices->device[i]);
		if (!name) {
			if (!own)
				own = device_name_alloc(devices, device);
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
