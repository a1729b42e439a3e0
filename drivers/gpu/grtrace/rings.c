// SPDX-License-Identifier: GPL-2.0
/*
 * The registry: which address is which ring, under which id and name.
 *
 * A hook that meets a ring for the first time has to intern it, in whatever
 * context it runs. So all memory is there from the start. Whoever looks a ring up
 * takes no lock: rings stand in an RCU hash, and their memory stays. Whoever
 * interns or retires one, which is once in a ring's life, takes a raw spinlock.
 *
 * A ring is taken from a pool, filled, announced, and only then put into the hash.
 * Who comes second throws the own ring away and takes the other's. Ids count up,
 * and begin anew after %GRTRACE_RING_ID_MAX; one that a session has used is not
 * given again before the next.
 *
 * A ring that is retired can no longer be found. It keeps its place, for whoever
 * reads the table of names, until that is half full; then the place is used again,
 * once no hook can hold the ring any more. A scheduler that dies and whose address
 * is used again is told apart by grtrace_rings_same(), see grtrace_ring_submit().
 *
 * A ring keeps its id over sessions, so that one can be filtered by what another
 * showed. Those that nobody owns never retire by themselves: they are dropped when
 * a session starts and half of the table is taken.
 *
 * The registry knows nothing of records and channels.
 */
#include <linux/bitmap.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "devices.h"
#include "rings.h"

#define RINGS_HASH_BITS	12
#define RINGS_HASH_SIZE	BIT(RINGS_HASH_BITS)
#define RINGS_CROWD	(GRTRACE_RINGS_MAX / 2)

/**
 * enum rings_state - what a place of the table holds
 *
 * @RINGS_FREE: nothing
 * @RINGS_TAKEN: a ring that is being filled
 * @RINGS_LIVE: a ring that can be found
 * @RINGS_RETIRED: one that is gone, which hooks may still hold
 * @RINGS_WAITING: one that is given up when no hook can hold it any more
 */
enum rings_state {
	RINGS_FREE,
	RINGS_TAKEN,
	RINGS_LIVE,
	RINGS_RETIRED,
	RINGS_WAITING,
};

struct rings_slot {
	struct grtrace_ring ring;
	struct hlist_node node;
	enum rings_state state;
};

static struct rings_slot *rings_pool;
static struct hlist_head *rings_hash;
static int __percpu *rings_in_flight;
static DECLARE_BITMAP(rings_ids, GRTRACE_RING_ID_MAX + 1); /* not to be given */
static u32 rings_newest_id = GRTRACE_RING_NONE;
static u32 rings_next_slot;
static u32 rings_used;

/* Guards the table, but for what is filled in between; any context but NMI. */
static DEFINE_RAW_SPINLOCK(rings_lock);

/*
 * Serializes owners, who intern at any time, with the cleaning up between; guards
 * the table's being there, and keeps places from being used again.
 */
static DEFINE_MUTEX(rings_owner_lock);

static void rings_reclaim_work(struct work_struct *work);
static DECLARE_WORK(rings_work, rings_reclaim_work);

static void rings_irq_work(struct irq_work *work)
{
	schedule_work(&rings_work);
}

/* A ring retires in any context, where a work item may not be queued. */
static struct irq_work rings_irq = IRQ_WORK_INIT(rings_irq_work);

static void rings_free(void)
{
	free_percpu(rings_in_flight);
	rings_in_flight = NULL;
	kvfree(rings_hash);
	rings_hash = NULL;
	kvfree(rings_pool);
	rings_pool = NULL;
	rings_used = 0;
}

/**
 * grtrace_rings_init - allocate all that the registry will ever need
 *
 * At the first session, or for the first ring that is owned: a machine on which
 * nobody traces pays nothing.
 *
 * Context: Process, with grtrace_rings_owner_lock() held.
 * Return: 0, also if that is done; or -ENOMEM.
 */
int grtrace_rings_init(void)
{
	lockdep_assert_held(&rings_owner_lock);
	if (rings_pool)
		return 0;
	rings_pool = kvcalloc(GRTRACE_RINGS_MAX, sizeof(*rings_pool), GFP_KERNEL);
	rings_hash = kvcalloc(RINGS_HASH_SIZE, sizeof(*rings_hash), GFP_KERNEL);
	rings_in_flight = __alloc_percpu(GRTRACE_RINGS_MAX * sizeof(int),
					 sizeof(int));
	if (rings_pool && rings_hash && rings_in_flight)
		return 0;
	rings_free();
	return -ENOMEM;
}

/**
 * grtrace_rings_exit - free it
 *
 * Context: Process, with grtrace_rings_owner_lock() not held.
 */
void grtrace_rings_exit(void)
{
	irq_work_sync(&rings_irq);
	cancel_work_sync(&rings_work);
	rings_free();
}

/* --------------------------------------------------------------- rings */

static void ring_name(struct grtrace_ring *ring,
		      const struct grtrace_ring_desc *desc)
{
	const char *driver = desc->driver;

	if (!driver)
		driver = desc->dev ? dev_driver_string(desc->dev) : "?";
	if (strscpy(ring->name, desc->name ?: "?", sizeof(ring->name)) < 0)
		ring->name_cut = true;
	if (strscpy(ring->device, desc->dev ? dev_name(desc->dev) : "?",
		    sizeof(ring->device)) < 0)
		ring->name_cut = true;
	if (strscpy(ring->driver, driver, sizeof(ring->driver)) < 0)
		ring->name_cut = true;
}

static struct rings_slot *ring_slot(const struct grtrace_ring *ring)
{
	return rings_pool + ring->slot;
}

static struct hlist_head *ring_bucket(const void *key)
{
	return rings_hash + hash_ptr(key, RINGS_HASH_BITS);
}

/* Places are used in turn: so one that became free is left alone for long. */
static struct grtrace_ring *ring_alloc(void)
{
	u32 i, slot;

	lockdep_assert_held(&rings_lock);
	/* full: no search for what is not there */
	if (rings_used >= GRTRACE_RINGS_MAX)
		return NULL;
	for (i = 0; i < GRTRACE_RINGS_MAX; i++) {
		slot = rings_next_slot++ % GRTRACE_RINGS_MAX;
		if (rings_pool[slot].state != RINGS_FREE)
			continue;
		WRITE_ONCE(rings_pool[slot].state, RINGS_TAKEN);
		rings_used++;
		rings_pool[slot].ring = (struct grtrace_ring) {
			.slot = slot,
			.in_flight = rings_in_flight + slot,
		};
		return &rings_pool[slot].ring;
	}
	return NULL;
}

static void ring_free(struct grtrace_ring *ring)
{
	lockdep_assert_held(&rings_lock);
	WRITE_ONCE(ring_slot(ring)->state, RINGS_FREE);
	rings_used--;
}

/* After the newest; those from before have the longest been out of sight. */
static u32 ring_id_new(void)
{
	unsigned long id;

	id = find_next_zero_bit(rings_ids, GRTRACE_RING_ID_MAX + 1,
				rings_newest_id + 1);
	if (id > GRTRACE_RING_ID_MAX)
		id = find_next_zero_bit(rings_ids, GRTRACE_RING_ID_MAX + 1,
					GRTRACE_RING_NONE + 1);
	if (id > GRTRACE_RING_ID_MAX)
		return GRTRACE_RING_NONE;
	rings_newest_id = id;
	return id;
}

/* @wanted, or a new one; none if it was given in this session, or all were. */
static u32 ring_id(u32 wanted)
{
	u32 id = wanted ?: ring_id_new();

	lockdep_assert_held(&rings_lock);
	if (!id || __test_and_set_bit(id, rings_ids))
		return GRTRACE_RING_NONE;
	return id;
}

/**
 * grtrace_rings_prepare - fill a ring that nobody sees yet
 * @key: the address it will be found by
 * @id: the id it must have, at most %GRTRACE_RING_ID_MAX, or 0 for the next
 * @desc: what the source knows of it
 *
 * Context: Any.
 * Return: the ring, for grtrace_rings_publish(), or NULL when there are too
 * many, or when the id was given already.
 */
struct grtrace_ring *
grtrace_rings_prepare(const void *key, u32 id,
		      const struct grtrace_ring_desc *desc)
{
	struct grtrace_ring *ring;

	scoped_guard(raw_spinlock_irqsave, &rings_lock) {
		ring = ring_alloc();
		if (!ring)
			return NULL;
		ring->id = ring_id(id);
		if (!ring->id) {
			ring_free(ring);
			return NULL;
		}
	}
	ring->key = key;
	ring->dev = desc->dev;
	ring->engine_class = min_t(u32, desc->engine_class,
				   GRTRACE_CLASS_OTHER);
	ring->leaves_on = desc->leaves_on ?: GRTRACE_COMPLETE;
	ring->owned = desc->owned;
	ring->ctx = dma_fence_context_alloc(1);
	ring_name(ring, desc);
	ring->device_id = grtrace_device_id(ring->device);
	return ring;
}

/**
 * grtrace_rings_publish - let a prepared ring be found
 * @ring: the ring
 *
 * Context: Any.
 * Return: the ring under this key now: @ring, or one that another CPU
 * published first, and then @ring is free again.
 */
struct grtrace_ring *grtrace_rings_publish(struct grtrace_ring *ring)
{
	struct rings_slot *slot = ring_slot(ring);
	struct grtrace_ring *seen;

	guard(raw_spinlock_irqsave)(&rings_lock);
	seen = grtrace_rings_find(ring->key);
	if (seen) {
		ring_free(ring);
		return seen;
	}
	/* whoever walks over the table finds it filled */
	smp_store_release(&slot->state, RINGS_LIVE);
	hlist_add_head_rcu(&slot->node, ring_bucket(ring->key));
	return ring;
}

/**
 * grtrace_rings_find - the ring with this key
 * @key: the address
 *
 * Context: Any.
 * Return: the ring, or NULL.
 */
struct grtrace_ring *grtrace_rings_find(const void *key)
{
	struct rings_slot *slot;

	hlist_for_each_entry_rcu_notrace(slot, ring_bucket(key), node)
		if (READ_ONCE(slot->ring.key) == key)
			return &slot->ring;
	return NULL;
}

/**
 * grtrace_rings_next - walk over the rings, those that are gone included
 * @cursor: 0 to begin, then as left by the last call
 *
 * Context: Process, with grtrace_rings_owner_lock() held.
 * Return: a ring, or NULL at the end.
 */
struct grtrace_ring *grtrace_rings_next(u32 *cursor)
{
	struct rings_slot *slot;

	while (rings_pool && *cursor < GRTRACE_RINGS_MAX) {
		slot = rings_pool + (*cursor)++;
		/* pairs with the release in grtrace_rings_publish() */
		if (smp_load_acquire(&slot->state) >= RINGS_LIVE)
			return &slot->ring;
	}
	return NULL;
}

/**
 * grtrace_rings_find_id - the ring with this id
 * @id: the id
 *
 * Context: Process, slow, with grtrace_rings_owner_lock() held.
 * Return: the ring, or NULL.
 */
struct grtrace_ring *grtrace_rings_find_id(u32 id)
{
	struct grtrace_ring *ring;
	u32 cursor = 0;

	while ((ring = grtrace_rings_next(&cursor)))
		if (ring->id == id)
			return ring;
	return NULL;
}

/**
 * grtrace_rings_same - is it still the ring it was?
 * @ring: the ring found under an address
 * @desc: what lives at that address now
 *
 * Context: Any.
 */
bool grtrace_rings_same(const struct grtrace_ring *ring,
			const struct grtrace_ring_desc *desc)
{
	return ring->dev == desc->dev &&
	       !strncmp(ring->name, desc->name ?: "?", sizeof(ring->name) - 1);
}

/**
 * grtrace_rings_classify - what kind of work a ring does, learnt later
 * @ring: the ring
 * @engine_class: its class
 *
 * Context: Any.
 * Return: true for the one caller who told what nobody knew.
 */
bool grtrace_rings_classify(struct grtrace_ring *ring,
			    enum grtrace_engine_class engine_class)
{
	u32 unknown = GRTRACE_CLASS_UNKNOWN;

	if (engine_class == GRTRACE_CLASS_UNKNOWN ||
	    engine_class >= GRTRACE_CLASS_COUNT)
		return false;
	return try_cmpxchg(&ring->engine_class, &unknown, engine_class);
}

/**
 * grtrace_rings_retire - the ring is gone; its address may be used again
 * @ring: the ring
 *
 * It can no longer be found. Hooks may still hold it.
 *
 * Context: Any.
 */
void grtrace_rings_retire(struct grtrace_ring *ring)
{
	struct rings_slot *slot = ring_slot(ring);

	guard(raw_spinlock_irqsave)(&rings_lock);
	if (slot->state != RINGS_LIVE)
		return;
	hlist_del_rcu(&slot->node);
	WRITE_ONCE(ring->key, NULL);
	WRITE_ONCE(slot->state, RINGS_RETIRED);
	if (rings_used > RINGS_CROWD)
		irq_work_queue(&rings_irq);
}

/**
 * grtrace_rings_owner_lock - keep the table as it is
 *
 * Held by whoever interns a ring while no session need be running, and by whoever
 * walks over the rings.
 *
 * Context: Process.
 */
void grtrace_rings_owner_lock(void)
{
	mutex_lock(&rings_owner_lock);
}

/**
 * grtrace_rings_owner_unlock - and let it change again
 */
void grtrace_rings_owner_unlock(void)
{
	mutex_unlock(&rings_owner_lock);
}

static void rings_forget_counts(const struct grtrace_ring *ring)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		int *jobs = per_cpu_ptr(ring->in_flight, cpu);

		*jobs = 0;
	}
}

/* Those in state @from go on to @to; returns their number. */
static u32 rings_pass(enum rings_state from, enum rings_state to)
{
	u32 slot, n = 0;

	guard(raw_spinlock_irqsave)(&rings_lock);
	for (slot = 0; slot < GRTRACE_RINGS_MAX; slot++) {
		if (rings_pool[slot].state != from)
			continue;
		n++;
		if (to == RINGS_FREE)
			ring_free(&rings_pool[slot].ring);
		else
			WRITE_ONCE(rings_pool[slot].state, to);
	}
	return n;
}

/**
 * grtrace_rings_reclaim - make places free that retired rings have
 *
 * Waits until no probe and no hook can hold one of them.
 *
 * Context: Process, sleeps.
 */
void grtrace_rings_reclaim(void)
{
	struct grtrace_ring *ring;
	u32 cursor = 0;

	guard(mutex)(&rings_owner_lock);
	if (!rings_pool || !rings_pass(RINGS_RETIRED, RINGS_WAITING))
		return;
	tracepoint_synchronize_unregister();
	synchronize_rcu();
	while ((ring = grtrace_rings_next(&cursor)))
		if (ring_slot(ring)->state == RINGS_WAITING)
			rings_forget_counts(ring);
	rings_pass(RINGS_WAITING, RINGS_FREE);
}

static void rings_reclaim_work(struct work_struct *work)
{
	grtrace_rings_reclaim();
}

/**
 * grtrace_rings_forget - free the rings that are gone, and no job in flight
 *
 * Context: Process, with no session running.
 */
void grtrace_rings_forget(void)
{
	struct grtrace_ring *ring;
	bool crowded;
	u32 cursor = 0;

	guard(mutex)(&rings_owner_lock);
	crowded = rings_used > RINGS_CROWD;
	while ((ring = grtrace_rings_next(&cursor))) {
		rings_forget_counts(ring);
		if (crowded && !ring->owned)
			grtrace_rings_retire(ring);
	}
	rings_pass(RINGS_RETIRED, RINGS_FREE);
	guard(raw_spinlock_irqsave)(&rings_lock);
	bitmap_zero(rings_ids, GRTRACE_RING_ID_MAX + 1);
	cursor = 0;
	while ((ring = grtrace_rings_next(&cursor))) {
		/* between sessions nobody sees one die that nobody owns */
		if (!ring->owned)
			ring->newest_ctx = 0;
		__set_bit(ring->id, rings_ids);
	}
}

/* ------------------------------------------------------- jobs in flight */

/**
 * grtrace_rings_in_flight - jobs that came since the start and have not left
 * @ring: the ring
 *
 * Jobs that came before the start and leave after it are not known; where they
 * outnumber the others the answer is 0.
 */
u64 grtrace_rings_in_flight(const struct grtrace_ring *ring)
{
	u32 sum = 0;
	int cpu;

	/* each is right modulo 2^32 only, once it has run over: so is the sum */
	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(ring->in_flight, cpu));
	return max_t(s32, sum, 0);
}
