/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is called from other files in nvidia.ko: its interrupt handler, and the
 * hooks that gpu_ext adds to it (kernel-open/nvidia/nv-gpu-sched-hooks.h there).
 * Names, and the members with their types and order, are those of the drivers.
 */
#ifndef NVIDIA_HOOKS_H
#define NVIDIA_HOOKS_H

#include <linux/irqreturn.h>
#include <linux/types.h>

/* A TSG is made; the last two are what a hook may write. */
struct nv_gpu_task_init_ctx {
	u64 tsg_id;
	u32 engine_type;
	u64 default_timeslice;
	u32 default_interleave;
	u32 runlist_id;
	u64 timeslice;
	u32 interleave_level;
};

/* A TSG gets on its runlist, unless allow becomes 0. */
struct nv_gpu_bind_ctx {
	u64 tsg_id;
	u32 runlist_id;
	u32 channel_count;
	u64 timeslice_us;
	u32 interleave_level;
	u32 allow;
};

/* A program asks for what it rings a channel's doorbell with. */
struct nv_gpu_token_request_ctx {
	u32 channel_id;
	u64 tsg_id;
	u32 token;
};

struct nv_gpu_task_destroy_ctx {
	u64 tsg_id;
};

irqreturn_t nvidia_isr(int irq, void *arg);
void nv_gpu_sched_task_init(struct nv_gpu_task_init_ctx *ctx);
void nv_gpu_sched_bind(struct nv_gpu_bind_ctx *ctx);
void nv_gpu_sched_token_request(struct nv_gpu_token_request_ctx *ctx);
void nv_gpu_sched_task_destroy(struct nv_gpu_task_destroy_ctx *ctx);

#endif
