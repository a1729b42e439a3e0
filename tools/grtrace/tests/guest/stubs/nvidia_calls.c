// SPDX-License-Identifier: GPL-2.0
/*
 * nvidia_stub: a device, /dev/nvidia_stub, whose file operations have the names
 * and types of nvidia.ko's (kernel-open/nvidia/nv.c and nv-mmap.c), and which
 * calls what nvidia_hooks.h has.  It computes nothing.  It counts its calls
 * in debugfs, nvidia_stub/counts, to be compared with the counts of a probe.
 *
 * Its ioctls have the numbers of nvidia.ko's (nv_escape.h): an RM_ALLOC makes
 * the file's TSG and binds it, an RM_CONTROL requests a token and raises an
 * interrupt, an RM_FREE destroys the TSG. One more, STUB_ESC_ALL, does once what no
 * ioctl of the driver does: both kinds of interrupts with their bottom halves, memory
 * for another device and back, a suspend and a resume.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/seq_file.h>

#include "nvidia_hooks.h"

#define NV_ESC_RM_FREE		0x29
#define NV_ESC_RM_CONTROL	0x2a
#define NV_ESC_RM_ALLOC		0x2b
#define STUB_ESC_ALL		0x7f

/* The numbers that a hook is called with. */
#define STUB_ENGINE	1
#define STUB_TIMESLICE	1024
#define STUB_RUNLIST	13
#define STUB_CHANNELS	8
#define STUB_CHANNEL	7
#define STUB_TOKEN	99
#define STUB_IRQ	7
#define STUB_MSIX_IRQ	41
#define STUB_P2P_ADDRESS	0x700000ULL
#define STUB_P2P_BYTES	65536

enum stub_count {
	STUB_OPENS,
	STUB_CLOSES,
	STUB_MMAPS,
	STUB_IOCTLS,
	STUB_POLLS,
	STUB_INTERRUPTS,
	STUB_TSGS,
	STUB_BINDS,
	STUB_REFUSED,
	STUB_TOKENS,
	STUB_DESTROYED,
	STUB_VMA_OPENS,
	STUB_VMA_CLOSES,
	STUB_FAULTS,
	STUB_WRITE_FAULTS,
	STUB_ACCESSES,
	STUB_ALL,
	STUB_COUNTS
};

static const char * const stub_names[STUB_COUNTS] = {
	[STUB_OPENS] = "opens",
	[STUB_CLOSES] = "closes",
	[STUB_MMAPS] = "mmaps",
	[STUB_IOCTLS] = "ioctls",
	[STUB_POLLS] = "polls",
	[STUB_INTERRUPTS] = "isr",
	[STUB_TSGS] = "tsgs",
	[STUB_BINDS] = "scheduled",
	[STUB_REFUSED] = "refused",
	[STUB_TOKENS] = "tokens",
	[STUB_DESTROYED] = "destroyed",
	[STUB_VMA_OPENS] = "vma_opens",
	[STUB_VMA_CLOSES] = "vma_closes",
	[STUB_FAULTS] = "faults",
	[STUB_WRITE_FAULTS] = "write_faults",
	[STUB_ACCESSES] = "accesses",
	[STUB_ALL] = "all",
};

static atomic_t stub_counts[STUB_COUNTS];
static atomic_t stub_tsgs;
static struct dentry *stub_folder;
static struct page *stub_page;		/* that all mappings show */

static void stub_count(enum stub_count what)
{
	atomic_inc(&stub_counts[what]);
}

static void stub_interrupt(struct irq_work *work)
{
	stub_count(STUB_INTERRUPTS);
	nvidia_isr(STUB_IRQ, NULL);
}

static struct irq_work stub_irq = IRQ_WORK_INIT_HARD(stub_interrupt);

static void stub_msix_interrupt(struct irq_work *work)
{
	stub_count(STUB_INTERRUPTS);
	nvidia_isr_msix(STUB_MSIX_IRQ, NULL);
}

static struct irq_work stub_msix = IRQ_WORK_INIT_HARD(stub_msix_interrupt);

static void stub_raise(struct irq_work *interrupt)
{
	/* an entry that is not taken yet would count for two */
	irq_work_sync(interrupt);
	irq_work_queue(interrupt);
	irq_work_sync(interrupt);
}

static void stub_all(void)
{
	stub_count(STUB_ALL);
	stub_raise(&stub_irq);
	nvidia_isr_kthread_bh(STUB_IRQ, NULL);
	stub_raise(&stub_msix);
	nvidia_isr_msix_kthread_bh(STUB_MSIX_IRQ, NULL);
	nvidia_p2p_get_pages(0, 0, STUB_P2P_ADDRESS, STUB_P2P_BYTES, NULL, NULL, NULL);
	nvidia_p2p_dma_map_pages(NULL, NULL, NULL);
	nvidia_p2p_dma_unmap_pages(NULL, NULL, NULL);
	nvidia_p2p_put_pages(0, 0, STUB_P2P_ADDRESS, NULL);
	nvidia_suspend(NULL, 0, false);
	nvidia_resume(NULL, 0);
}

/* Every other TSG may not run, and its numbers exceed 32 bits where they can. */
static void stub_make_tsg(u64 tsg)
{
	struct nv_gpu_task_init_ctx init = {
		.tsg_id = tsg,
		.engine_type = STUB_ENGINE,
		.default_timeslice = STUB_TIMESLICE,
		.default_interleave = 2,
		.runlist_id = STUB_RUNLIST,
	};
	struct nv_gpu_bind_ctx bind = {
		.tsg_id = tsg,
		.runlist_id = STUB_RUNLIST,
		.channel_count = STUB_CHANNELS,
		.timeslice_us = BIT_ULL(32) + STUB_TIMESLICE,
		.interleave_level = 3,
		.allow = tsg & 1,
	};

	stub_count(STUB_TSGS);
	nv_gpu_sched_task_init(&init);
	stub_count(STUB_BINDS);
	if (!bind.allow)
		stub_count(STUB_REFUSED);
	nv_gpu_sched_bind(&bind);
}

static void stub_request_token(u64 tsg)
{
	struct nv_gpu_token_request_ctx token = {
		.channel_id = STUB_CHANNEL,
		.tsg_id = tsg,
		.token = STUB_TOKEN,
	};

	stub_count(STUB_TOKENS);
	nv_gpu_sched_token_request(&token);
}

static void stub_destroy_tsg(u64 tsg)
{
	struct nv_gpu_task_destroy_ctx destroy = { .tsg_id = tsg };

	stub_count(STUB_DESTROYED);
	nv_gpu_sched_task_destroy(&destroy);
}

static int nvidia_open(struct inode *inode, struct file *file)
{
	stub_count(STUB_OPENS);
	/* not the misc device's pointer to itself: the file's TSG, none yet */
	file->private_data = NULL;
	return 0;
}

static int nvidia_close(struct inode *inode, struct file *file)
{
	stub_count(STUB_CLOSES);
	return 0;
}

static void nvidia_vma_open(struct vm_area_struct *vma)
{
	stub_count(STUB_VMA_OPENS);
}

static void nvidia_vma_release(struct vm_area_struct *vma)
{
	stub_count(STUB_VMA_CLOSES);
}

static vm_fault_t nvidia_fault(struct vm_fault *vmf)
{
	stub_count(STUB_FAULTS);
	if (vmf->flags & FAULT_FLAG_WRITE)
		stub_count(STUB_WRITE_FAULTS);
	return vmf_insert_pfn(vmf->vma, vmf->address, page_to_pfn(stub_page));
}

static int nvidia_vma_access(struct vm_area_struct *vma, unsigned long addr, void *buffer,
			     int length, int write)
{
	stub_count(STUB_ACCESSES);
	memset(buffer, 0, length);
	return length;
}

static const struct vm_operations_struct stub_vm_ops = {
	.open = nvidia_vma_open,
	.close = nvidia_vma_release,
	.fault = nvidia_fault,
	.access = nvidia_vma_access,
};

static int nvidia_mmap(struct file *file, struct vm_area_struct *vma)
{
	stub_count(STUB_MMAPS);
	vm_flags_set(vma, VM_PFNMAP | VM_IO);
	vma->vm_ops = &stub_vm_ops;
	return 0;
}

static __poll_t nvidia_poll(struct file *file, poll_table *wait)
{
	stub_count(STUB_POLLS);
	return EPOLLIN;
}

static long nvidia_unlocked_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	u64 tsg = (unsigned long)file->private_data;

	stub_count(STUB_IOCTLS);
	switch (_IOC_NR(cmd)) {
	case NV_ESC_RM_ALLOC:
		tsg = atomic_inc_return(&stub_tsgs);
		file->private_data = (void *)(unsigned long)tsg;
		stub_make_tsg(tsg);
		return 0;
	case NV_ESC_RM_CONTROL:
		stub_request_token(tsg);
		stub_raise(&stub_irq);
		return 0;
	case NV_ESC_RM_FREE:
		stub_destroy_tsg(tsg);
		return 0;
	case STUB_ESC_ALL:
		stub_all();
		return 0;
	}
	return -EINVAL;
}

static const struct file_operations stub_fops = {
	.owner = THIS_MODULE,
	.open = nvidia_open,
	.release = nvidia_close,
	.mmap = nvidia_mmap,
	.poll = nvidia_poll,
	.unlocked_ioctl = nvidia_unlocked_ioctl,
};

static struct miscdevice stub_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "nvidia_stub",
	.fops = &stub_fops,
};

static int counts_show(struct seq_file *seq, void *unused)
{
	int i;

	for (i = 0; i < STUB_COUNTS; i++)
		seq_printf(seq, "%s %d\n", stub_names[i], atomic_read(&stub_counts[i]));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counts);

static int __init stub_init(void)
{
	int ret;

	stub_page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (!stub_page)
		return -ENOMEM;
	ret = misc_register(&stub_device);
	if (ret) {
		__free_page(stub_page);
		return ret;
	}
	stub_folder = debugfs_create_dir("nvidia_stub", NULL);
	debugfs_create_file("counts", 0400, stub_folder, NULL, &counts_fops);
	return 0;
}

static void __exit stub_exit(void)
{
	debugfs_remove_recursive(stub_folder);
	misc_deregister(&stub_device);
	irq_work_sync(&stub_irq);
	irq_work_sync(&stub_msix);
	__free_page(stub_page);
}

module_init(stub_init);
module_exit(stub_exit);
MODULE_DESCRIPTION("Functions with the names of nvidia.ko's, for tests of probes");
MODULE_LICENSE("GPL");
