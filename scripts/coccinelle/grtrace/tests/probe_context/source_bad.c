// SPDX-License-Identifier: GPL-2.0
/* What probe_context.cocci must say something about. */
static DEFINE_PER_CPU(struct bad, bad_cpu);

static void *bad_memory(size_t size)
{
	return kzalloc(size, GFP_ATOMIC); /* fires */
}

static void bad_guard(struct bad *bad)
{
	guard(mutex)(&bad->lock); /* fires */
	bad->count++;
}

static void bad_scope(struct bad *bad)
{
	scoped_guard(spinlock_irqsave, &bad->spin) { /* fires */
		bad->count++;
	}
	scoped_guard(irqsave)
		bad->count++;
	guard(preempt)();
	bad->count++;
}

static void probe_lock(void *data, struct dma_fence *fence)
{
	struct bad *bad = this_cpu_ptr(&bad_cpu);

	if (fence->seqno > 1 && mutex_trylock(&bad->mutex)) /* fires */
		bad->count++;
	spin_lock(&bad->spin); /* fires */
	bad->memory = bad_memory(sizeof(*bad));
	spin_unlock(&bad->spin);
	bad_guard(bad);
	bad_scope(bad);
}

static void probe_print(void *data, struct dma_fence *fence)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
	pr_warn_once("%llu\n", fence->seqno); /* fires */
#else
	if (!WARN_ON(!fence)) /* fires */
		dev_info(fence->dev, "here\n"); /* fires */
#endif
	grtrace_far_below(fence);
	grtrace_one_file_up(fence);
}

static void probe_sleep(void *data, struct dma_fence *fence)
{
	xa_for_each(&fence->all, index, fence)
		cond_resched(); /* fires */
	for (;;)
		wait_event(fence->queue, fence->seqno); /* fires */
	switch (fence->seqno) {
	case 1:
		return (void)copy_to_user(fence->to, fence, 8); /* fires */
	default:
		xa_store(&fence->all, 1, fence, 0); /* fires */
	}
}

/* No probe comes here. */
static int __init bad_init(void)
{
	void *memory = kmalloc(1, GFP_KERNEL);

	mutex_lock(&bad_lock);
	kfree(memory);
	return 0;
}
