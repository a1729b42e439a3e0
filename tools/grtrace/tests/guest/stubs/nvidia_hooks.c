// SPDX-License-Identifier: GPL-2.0
/*
 * nvidia_stub: the functions that a probe finds and that do nothing.  They are in
 * a file of their own so that they are called as the drivers' are, with all
 * arguments where the ABI wants them.
 */
#include <linux/compiler.h>

#include "nvidia_hooks.h"

irqreturn_t nvidia_isr(int irq, void *arg)
{
	barrier();
	return IRQ_HANDLED;
}

void nv_gpu_sched_task_init(struct nv_gpu_task_init_ctx *ctx)
{
	barrier();
}

void nv_gpu_sched_bind(struct nv_gpu_bind_ctx *ctx)
{
	barrier();
}

void nv_gpu_sched_token_request(struct nv_gpu_token_request_ctx *ctx)
{
	barrier();
}

void nv_gpu_sched_task_destroy(struct nv_gpu_task_destroy_ctx *ctx)
{
	barrier();
}
