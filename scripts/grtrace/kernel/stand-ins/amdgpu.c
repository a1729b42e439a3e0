// SPDX-License-Identifier: GPL-2.0
/*
 * In the place of the driver, for a kernel that has no such GPU: its trace events, and
 * what these call.
 */
#include <linux/module.h>

#include "amdgpu_trace_points.c"

unsigned int amdgpu_fence_count_emitted(struct amdgpu_ring *ring)
{
	return 0;
}

uint64_t amdgpu_vm_map_gart(const dma_addr_t *pages_addr, uint64_t addr)
{
	return 0;
}

MODULE_LICENSE("GPL and additional rights");
