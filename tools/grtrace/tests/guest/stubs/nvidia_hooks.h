/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that other files in nvidia.ko call: its interrupt handlers and their bottom
 * halves, what gives its memory to other devices, what suspends it, and the hooks that
 * gpu_ext adds to it (kernel-open/nvidia/nv-gpu-sched-hooks.h there). Names, arguments,
 * and the members with their types and order, are those of the drivers.
 */
#ifndef NVIDIA_HOOKS_H
#define NVIDIA_HOOKS_H

#include <linux/irqreturn.h>
#include <linux/types.h>

/* How long the stub's own take at least. */
#define NVIDIA_BH_MS		3
#define NVIDIA_SUSPEND_MS	30
#define NVIDIA_RESUME_MS	10

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

struct device;
struct nvidia_p2p_dma_mapping;
struct nvidia_p2p_page_table;
struct pci_dev;

irqreturn_t nvidia_isr(int irq, void *arg);
irqreturn_t nvidia_isr_msix(int irq, void *arg);
irqreturn_t nvidia_isr_kthread_bh(int irq, void *data);
irqreturn_t nvidia_isr_msix_kthread_bh(int irq, void *data);
int nvidia_p2p_get_pages(u64 p2p_token, u32 va_space, u64 virtual_address, u64 length,
			 struct nvidia_p2p_page_table **page_table,
			 void (*free_callback)(void *data), void *data);
int nvidia_p2p_put_pages(u64 p2p_token, u32 va_space, u64 virtual_address,
			 struct nvidia_p2p_page_table *page_table);
int nvidia_p2p_dma_map_pages(struct pci_dev *peer, struct nvidia_p2p_page_table *page_table,
			     struct nvidia_p2p_dma_mapping **dma_mapping);
int nvidia_p2p_dma_unmap_pages(struct pci_dev *peer, struct nvidia_p2p_page_table *page_table,
			       struct nvidia_p2p_dma_mapping *dma_mapping);
u32 nvidia_suspend(struct device *dev, int pm_action, bool is_procfs_suspend);
u32 nvidia_resume(struct device *dev, int pm_action);
void nv_gpu_sched_task_init(struct nv_gpu_task_init_ctx *ctx);
void nv_gpu_sched_bind(struct nv_gpu_bind_ctx *ctx);
void nv_gpu_sched_token_request(struct nv_gpu_token_request_ctx *ctx);
void nv_gpu_sched_task_destroy(struct nv_gpu_task_destroy_ctx *ctx);

#endif
