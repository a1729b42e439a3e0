/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few things of the kernel that the programs look at. Only the names count:
 * where a field is, libbpf reads from the running kernel's BTF.
 */
#ifndef _GRTRACE_BPF_KERNEL_TYPES_H_
#define _GRTRACE_BPF_KERNEL_TYPES_H_

#include <linux/types.h>

#define __of_kernel __attribute__((preserve_access_index))

struct drm_driver {
	char *name;
} __of_kernel;

struct drm_device {
	const struct drm_driver *driver;
} __of_kernel;

struct drm_minor {
	int index;
	struct drm_device *dev;
} __of_kernel;

struct drm_file {
	struct drm_minor *minor;
} __of_kernel;

struct file {
	void *private_data;
} __of_kernel;

struct dma_fence {
	__u64 context;
	__u64 seqno;
} __of_kernel;

#endif /* _GRTRACE_BPF_KERNEL_TYPES_H_ */
