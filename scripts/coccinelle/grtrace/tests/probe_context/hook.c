// SPDX-License-Identifier: GPL-2.0
/* All of hook.c is probe context, but for what says that it is not. */
void grtrace_one_file_up(struct dma_fence *fence)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&fence->raw, flags); /* fires */
	queue_work(system_wq, &fence->work); /* fires */
	memcpy(fence, fence + 1, sizeof(*fence));
	irq_work_queue(&fence->irq_work);
}

struct grtrace_ring *grtrace_ring_intern(const void *key)
{
	grtrace_rings_owner_lock();
	return NULL;
}

static inline bool hook_message(const char *text)
{
	return kasprintf(GFP_ATOMIC, "%s", text); /* fires */
}
