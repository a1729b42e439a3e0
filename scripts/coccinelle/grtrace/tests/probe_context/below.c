// SPDX-License-Identifier: GPL-2.0
/* What probes of another file get to. */
static void below(struct dma_fence *fence)
{
	call_rcu(&fence->rcu, NULL); /* fires */
}

void grtrace_far_below(struct dma_fence *fence)
{
	below(fence);
}

void grtrace_rings_owner_lock(void)
{
	mutex_lock(&owner_lock);
}

void grtrace_nobody_calls(struct dma_fence *fence)
{
	synchronize_rcu();
}

static int relay_start(struct rchan_buf *buf, void *subbuf, void *prev)
{
	wake_up_interruptible(&buf->read_wait); /* fires */
	return 1;
}

static const struct rchan_callbacks bad_callbacks = {
	.subbuf_start = relay_start,
	.create_buf_file = relay_create,
};
