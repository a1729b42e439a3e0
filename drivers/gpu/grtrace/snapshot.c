// SPDX-License-Identifier: GPL-2.0
/*
 * A snapshot is a copy of the channel's content, taken while writing continues.
 *
 * A trigger fires in a hook, in any context. irq_work passes it on to a work
 * item, which may sleep and takes the snapshot. The first snapshot is kept,
 * because the time before a hang matters more than the time after it. The
 * trigger is armed again when the snapshot is discarded.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "channel_write.h"
#include "snapshot.h"

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

static atomic_t snapshot_count = ATOMIC_INIT(0);

const char * const grtrace_snapshot_reasons[] = {
	[GRTRACE_SNAPSHOT_SLOW_QUEUE]	= "slow_queue",
	[GRTRACE_SNAPSHOT_SLOW_EXEC]	= "slow_exec",
	[GRTRACE_SNAPSHOT_ERROR]	= "error",
	[GRTRACE_SNAPSHOT_MANUAL]	= "manual",
};

/*
 * The state of the trigger: armed, or the reason why it fired. Any other value
 * than armed blocks further triggers.
 */
#define TRIGGER_ARMED	0
#define TRIGGER_HELD	-1
#define TRIGGER_PULLED(reason)	((int)(reason) + 1)

static atomic_t snapshot_state = ATOMIC_INIT(TRIGGER_ARMED);
static struct work_struct snapshot_work;

static void snapshot_irq_work(struct irq_work *work)
{
	schedule_work(&snapshot_work);
}

static struct irq_work snapshot_irq = IRQ_WORK_INIT(snapshot_irq_work);

/**
 * grtrace_snapshot_trigger - report an event that may trigger a snapshot
 * @triggers: bits of the reasons that are enabled
 * @reason: reason of this event
 *
 * Context: Any but NMI.
 */
void grtrace_snapshot_trigger(u32 triggers,
			      enum grtrace_snapshot_reason reason)
{
	if (!(triggers & BIT(reason)) ||
	    atomic_read(&snapshot_state) != TRIGGER_ARMED)
		return;
	if (atomic_cmpxchg(&snapshot_state, TRIGGER_ARMED,
			   TRIGGER_PULLED(reason)) == TRIGGER_ARMED)
		irq_work_queue(&snapshot_irq);
}

/* Returns whether the trigger has fired, and why. */
bool grtrace_snapshot_triggered(enum grtrace_snapshot_reason *reason)
{
	int state = atomic_read(&snapshot_state);

	if (state == TRIGGER_ARMED || state == TRIGGER_HELD)
		return false;
	*reason = state - TRIGGER_PULLED(0);
	return true;
}

/* Allows the trigger to fire. */
void grtrace_snapshot_arm(void)
{
	atomic_set(&snapshot_state, TRIGGER_ARMED);
}

/* Prevents the trigger from firing. */
void grtrace_snapshot_hold(void)
{
	atomic_set(&snapshot_state, TRIGGER_HELD);
}

/* @take is the work when the trigger has fired. */
void grtrace_snapshot_init(work_func_t take)
{
	INIT_WORK(&snapshot_work, take);
}

/* The caller holds no lock that @take of grtrace_snapshot_init() takes. */
void grtrace_snapshot_exit(void)
{
	irq_work_sync(&snapshot_irq);
	cancel_work_sync(&snapshot_work);
}

/* ------------------------------------------------------------ the memory */

/* Returns the size of the buffers of all CPUs in bytes. */
static size_t snapshot_size(const struct grtrace_channel *channel)
{
	size_t size = 0;
	int cpu;

	/* Only CPUs that are or were online have a buffer. */
	for_each_possible_cpu(cpu)
		if (grtrace_channel_buf(channel, cpu))
			size += (size_t)channel->subbuf_size *
				channel->n_subbufs;
	return size;
}

/* Returns whether there is a snapshot, with memory for a channel's content. */
bool grtrace_snapshot_suffices(const struct grtrace_snapshot *snapshot,
			       const struct grtrace_channel *channel)
{
	return snapshot && snapshot->size >= snapshot_size(channel);
}

/**
 * grtrace_snapshot_create - allocate memory for the whole content of a channel
 * @channel: the channel
 *
 * Context: Process.
 * Return: an empty snapshot; ERR_PTR(-ENFILE) if there are
 * GRTRACE_SNAPSHOTS_MAX, or ERR_PTR(-ENOMEM).
 */
struct grtrace_snapshot *
grtrace_snapshot_create(const struct grtrace_channel *channel)
{
	struct grtrace_snapshot *snapshot;
	size_t size = snapshot_size(channel);

	/* Without this limit, a task that keeps old snapshots open could use unlimited memory. */
	if (!atomic_add_unless(&snapshot_count, 1, GRTRACE_SNAPSHOTS_MAX))
		return ERR_PTR(-ENFILE);
	snapshot = kzalloc_obj(*snapshot);
	if (snapshot && grtrace_channel_affords(size))
		snapshot->data = __vmalloc(size, GFP_KERNEL |
					   __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
	if (!snapshot || !snapshot->data) {
		kfree(snapshot);
		atomic_dec(&snapshot_count);
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&snapshot->kref);
	snapshot->size = size;
	return snapshot;
}

/**
 * grtrace_snapshot_take - copy the content of the channel
 * @snapshot: from grtrace_snapshot_create() for this channel
 * @channel: the channel
 * @reason: the reason for the snapshot
 *
 * Context: Process, sleeps.
 */
void grtrace_snapshot_take(struct grtrace_snapshot *snapshot,
			   struct grtrace_channel *channel,
			   enum grtrace_snapshot_reason reason)
{
	struct rchan_buf *buf;
	int cpu;

	snapshot->reason = reason;
	snapshot->ts = grtrace_clock(channel->clock);
	snapshot->used = 0;
	for_each_possible_cpu(cpu) {
		buf = grtrace_channel_buf(channel, cpu);
		if (buf)
			snapshot->used +=
				grtrace_channel_copy(buf, snapshot->data +
						     snapshot->used,
						     snapshot->size -
						     snapshot->used);
	}
}

static void snapshot_release(struct kref *kref)
{
	struct grtrace_snapshot *snapshot =
		container_of(kref, struct grtrace_snapshot, kref);

	vfree(snapshot->data);
	kfree(snapshot);
	atomic_dec(&snapshot_count);
}

void grtrace_snapshot_put(struct grtrace_snapshot *snapshot)
{
	if (snapshot)
		kref_put(&snapshot->kref, snapshot_release);
}
