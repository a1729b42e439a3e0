/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The render node of the mock GPU, for the selftests. No DRM header: not every
 * distribution has one, and the load for the mock GPU needs no more than this.
 */
#ifndef GRTRACE_MOCK_H
#define GRTRACE_MOCK_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "modules/grtrace_mock_drm.h"

#define RENDER_FIRST	128	/* minors of render nodes */
#define RENDER_LAST	191

/* As struct drm_version in drm.h. */
struct mock_version {
	int major, minor, patch;
	size_t name_len;
	char *name;
	size_t date_len;
	char *date;
	size_t desc_len;
	char *desc;
};

#define MOCK_IOCTL_VERSION	_IOWR('d', 0x00, struct mock_version)

static inline bool is_mock(int fd)
{
	char name[32] = "";
	struct mock_version version = {
		.name_len = sizeof(name) - 1,
		.name = name,
	};

	return !ioctl(fd, MOCK_IOCTL_VERSION, &version) &&
	       !strcmp(name, GRTRACE_MOCK_NAME);
}

/* Opens the first one; returns -1 if there is none. */
static inline int mock_open(void)
{
	char path[64];
	int fd, minor;

	for (minor = RENDER_FIRST; minor <= RENDER_LAST; minor++) {
		snprintf(path, sizeof(path), "/dev/dri/renderD%d", minor);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (is_mock(fd))
			return fd;
		close(fd);
	}
	return -1;
}

#endif /* GRTRACE_MOCK_H */
