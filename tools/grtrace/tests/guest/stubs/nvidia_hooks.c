// SPDX-License-Identifier: GPL-2.0
/*
 * nvidia_stub: the functions that a probe finds and that do nothing.  They are in
 * a file of their own so that they are called as the drivers' are, with all
 * arguments where the ABI wants them.
 */
#include <linux/compiler.h>
#include <linux/delay.h>

#include "nvidia_hooks.h"

/* The driver's is too long to be a part of nvidia_isr_msix(). */
noinline irqreturn_t nvidia_isr(int irq, void *arg)
{
	barrier();
	return IRQ_HANDLED;
}

irqreturn_t nvidia_isr_msix(int irq, void *arg)
{
	return nvidia_isr(irq, arg);
}

/* These sleep, as the driver's may: a probe measures them. */
irqreturn_t nvidia_isr_kthread_bh(int irq, void *data)
{
	msleep(NVIDIA_BH_MS);
	return IRQ_HANDLED;
}

irqreturn_t nvidia_isr_msix_kthread_bh(int irq, void *data)
{
	msleep(NVIDIA_BH_MS);
	return IRQ_HANDLED;
}

u32 nvidia_suspend(struct device *dev, int pm_action, bool is_procfs_suspend)
{
	msleep(NVIDIA_SUSPEND_MS);
	return 0;
}

u32 nvidia_resume(struct device *dev, int pm_action)
{
	msleep(NVIDIA_RESUME_MS);
	return 0;
}

int nvidia_p2p_get_pages(u64 p2p_token, u32 va_space, u64 virtual_address, u64 length,
			 struct nvidia_p2p_page_table **page_table,
			 void (*free_callback)(void *data), void *data)
{
	barrier();
	return 0;
}

int nvidia_p2p_put_pages(u64 p2p_token, u32 va_space, u64 virtual_address,
			 struct nvidia_p2p_page_table *page_table)
{
	barrier();
	return 0;
}

int nvidia_p2p_dma_map_pages(struct pci_dev *peer, struct nvidia_p2p_page_table *page_table,
			     struct nvidia_p2p_dma_mapping **dma_mapping)
{
	barrier();
	return 0;
}

int nvidia_p2p_dma_unmap_pages(struct pci_dev *peer, struct nvidia_p2p_page_table *page_table,
			       struct nvidia_p2p_dma_mapping *dma_mapping)
{
	barrier();
	return 0;
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
