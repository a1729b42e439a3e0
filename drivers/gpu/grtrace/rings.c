// SPDX-License-Identifier: GPL-2.0
/*
 * The registry: which address is which ring, under which id and name.
 *
 * A hook that meets a ring for the first time has to intern it, in whatever
 * context it runs. So all memory is there from the first start on, and hooks do not
 * lock.
 * Each place of the table is in one state::
 *
 *	FREE -> TAKEN -> LIVE -> RETIRED -> LEAVING -> FREE
 *
 * A hook takes a free place by cmpxchg, fills the ring, and puts it in front of a
 * hash chain by another cmpxchg. A CPU that loses that race gives the place back
 * at once, as no other CPU has seen it, and takes the winner's ring. A hook that
 * learns that a ring is dead marks it as retired: it can no longer be found.
 *
 * While a session runs, only grtrace_rings_reclaim(), in a work item, takes rings
 * out of chains and makes their places free, after no probe can hold them any more.
 * It leaves retired rings where they are until half of the table is taken, so that
 * ``metadata`` has their names. As there is one that takes out and all others put
 * in front, a chain needs no lock: a ring behind the first one changes its
 * predecessor for the reclaimer only, and no ring comes back into a chain while a
 * hook that saw it there still runs.
 *
 * If nothing reports that a ring is dead, its age decides: once half of the table
 * is alive, rings that had no event for a second and have no job in flight are
 * retired. One that lives nonetheless gets a new id with its next job. A scheduler
 * whose address is used again is found by grtrace_rings_same(), see
 * grtrace_ring_submit().
 *
 * Ids count up, and begin again after %GRTRACE_RING_ID_MAX; one that a session has
 * used is not given again before the next. A ring keeps its id over sessions, so
 * that one can be filtered by what another showed, unless half of the table is taken
 * when a session starts, which then starts with an empty one.
 *
 * The registry knows nothing of records and channels.
 */
#include <linux/bitmap.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "devices.h"
#include "rings.h"

#define RINGS_HASH_BITS	12
#define RINGS_HASH_SIZE	BIT(RINGS_HASH_BITS)
#define RINGS_CROWD	(GRTRACE_RINGS_MAX / 2)
#define RINGS_PASS	max(HZ / 50, 1)	/* jiffies until a retired ring's place is freed */
#define RINGS_AGE	HZ		/* jiffies without an event that make a ring old */

/**
 * enum rings_state - what a place of the table holds
 *
 * @RINGS_FREE: nothing
 * @RINGS_TAKEN: a ring that is being filled
 * @RINGS_LIVE: a ring that can be found
 * @RINGS_RETIRED: a ring that is gone and still in its chain
 * @RINGS_LEAVING: a ring out of its chain that a hook may still hold
 */
enum rings_state {
	RINGS_FREE,
	RINGS_TAKEN,
	RINGS_LIVE,
	RINGS_RETIRED,
	RINGS_LEAVING,
};

/**
 * struct rings_slot - a place of the table
 *
 * @ring: what it holds
 * @state: &enum rings_state
 * @bucket: number of the chain it is in
 * @next: the place behind it in the chain, which was there before
 */
struct rings_slot {
	struct grtrace_ring ring;
	atomic_t state;
	u32 bucket;
	struct rings_slot *next;
};

static struct rings_slot *rings_pool;
static struct rings_slot **rings_hash;
static int __percpu *rings_in_flight;
static DECLARE_BITMAP(rings_ids, GRTRACE_RING_ID_MAX + 1); /* not to be given */
static atomic_t rings_newest_id = ATOMIC_INIT(GRTRACE_RING_NONE);
static atomic_t rings_next_slot = ATOMIC_INIT(0);

static atomic_t rings_used = ATOMIC_INIT(0);

/* Keeps rings where they are, for readers of the table. */
static DEFINE_MUTEX(rings_lock);

static void rings_crowded(struct irq_work *work);
static void rings_work_run(struct work_struct *work);
static DEFINE_IRQ_WORK(rings_irq_work, rings_crowded);
static DECLARE_DELAYED_WORK(rings_work, rings_work_run);
static u64 rings_aged;		/* jiffies when rings were last asked for their age */

static void rings_table_free(void)
{
	free_percpu(rings_in_flight);
	rings_in_flight = NULL;
	kvfree(rings_hash);
	rings_hash = NULL;
	kvfree(rings_pool);
	rings_pool = NULL;
}

/**
 * grtrace_rings_prepare_table - allocate all that the registry will ever need, once
 *
 * Context: Process, before the first session has hooks.
 * Return: 0 or -ENOMEM.
 */
int grtrace_rings_prepare_table(void)
{
	guard(mutex)(&rings_lock);
	if (rings_pool)
		return 0;
	rings_pool = kvcalloc(GRTRACE_RINGS_MAX, sizeof(*rings_pool), GFP_KERNEL);
	rings_hash = kvcalloc(RINGS_HASH_SIZE, sizeof(*rings_hash), GFP_KERNEL);
	rings_in_flight = __alloc_percpu(GRTRACE_RINGS_MAX * sizeof(int),
					 sizeof(int));
	if (rings_pool && rings_hash && rings_in_flight)
		return 0;
	rings_table_free();
	return -ENOMEM;
}

/**
 * grtrace_rings_exit - free it
 */
void grtrace_rings_exit(void)
{
	irq_work_sync(&rings_irq_work);
	cancel_delayed_work_sync(&rings_work);
	rings_table_free();
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
	return &rings_pool[ring->slot];
}

static struct grtrace_ring *ring_alloc(void)
{
	struct rings_slot *slot;
	u32 i, n;

	if (atomic_read(&rings_used) >= RINGS_CROWD)
		irq_work_queue(&rings_irq_work);
	/* full: no search for what is not there */
	if (atomic_read(&rings_used) >= GRTRACE_RINGS_MAX)
		return NULL;
	for (i = 0; i < GRTRACE_RINGS_MAX; i++) {
		n = (u32)atomic_inc_return(&rings_next_slot) % GRTRACE_RINGS_MAX;
		slot = &rings_pool[n];
		if (atomic_cmpxchg(&slot->state, RINGS_FREE, RINGS_TAKEN) !=
		    RINGS_FREE)
			continue;
		atomic_inc(&rings_used);
		slot->ring = (struct grtrace_ring) {
			.slot = n,
			.in_flight = rings_in_flight + n,
			.recent = true,
		};
		return &slot->ring;
	}
	return NULL;
}

static void ring_free(struct grtrace_ring *ring)
{
	atomic_set_release(&ring_slot(ring)->state, RINGS_FREE);
	atomic_dec(&rings_used);
}

/* After the newest; older ids have been unused for longest. */
static u32 ring_id_new(void)
{
	unsigned long id = atomic_read(&rings_newest_id);
	bool again = false;

	for (;;) {
		/* the word may be old: then the bit is already set */
		id = data_race(find_next_zero_bit(rings_ids,
						  GRTRACE_RING_ID_MAX + 1,
						  id + 1));
		if (id <= GRTRACE_RING_ID_MAX) {
			if (test_and_set_bit(id, rings_ids))
				continue;
			atomic_set(&rings_newest_id, id);
			return id;
		}
		if (again)
			return GRTRACE_RING_NONE;
		again = true;
		id = GRTRACE_RING_NONE;
	}
}

/* @wanted, or a new one; none if it was given in this session, or all were. */
static u32 ring_id(u32 wanted)
{
	if (!wanted)
		return ring_id_new();
	return test_and_set_bit(wanted, rings_ids) ? GRTRACE_RING_NONE : wanted;
}

/**
 * grtrace_rings_prepare - fill a ring that is not visible yet
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
	struct grtrace_ring *ring = ring_alloc();

	if (!ring)
		return NULL;
	ring->id = ring_id(id);
	if (!ring->id) {
		ring_free(ring);
		return NULL;
	}
	ring->key = key;
	ring->dev = desc->dev;
	ring->engine_class = min_t(u32, desc->engine_class,
				   GRTRACE_CLASS_OTHER);
	ring->leaves_on = desc->leaves_on ?: GRTRACE_COMPLETE;
	ring->ctx = dma_fence_context_alloc(1);
	ring_name(ring, desc);
	ring->device_id = grtrace_device_id(ring->device);
	return ring;
}

static struct rings_slot *chain_find(struct rings_slot *slot, const void *key)
{
	while (slot && READ_ONCE(slot->ring.key) != key)
		slot = READ_ONCE(slot->next);
	return slot;
}

/**
 * grtrace_rings_publish - let a prepared ring be found
 * @ring: the ring
 *
 * Context: Any; in a probe, or with grtrace_rings_lock() held, as for any use of a
 * ring.
 * Return: the ring under this key now: @ring, or one that another CPU
 * published first, and then @ring is free again.
 */
struct grtrace_ring *grtrace_rings_publish(struct grtrace_ring *ring)
{
	struct rings_slot *slot = ring_slot(ring), *first, *seen;
	const void *key = ring->key;
	struct rings_slot **head;

	slot->bucket = hash_ptr(key, RINGS_HASH_BITS);
	head = &rings_hash[slot->bucket];
	do {
		/* pairs with the cmpxchg below: a ring seen is a filled one */
		first = smp_load_acquire(head);
		seen = chain_find(first, key);
		if (seen) {
			ring_free(ring);
			return &seen->ring;
		}
		slot->next = first;
	} while (cmpxchg(head, first, slot) != first);
	/* unless a hook that found it has retired it already */
	atomic_cmpxchg(&slot->state, RINGS_TAKEN, RINGS_LIVE);
	return ring;
}

/**
 * grtrace_rings_find - the ring with this key
 * @key: the address
 *
 * Context: As grtrace_rings_publish().
 * Return: the ring, or NULL.
 */
struct grtrace_ring *grtrace_rings_find(const void *key)
{
	struct rings_slot *slot;

	/* pairs with the cmpxchg that published it */
	slot = smp_load_acquire(&rings_hash[hash_ptr(key, RINGS_HASH_BITS)]);
	slot = chain_find(slot, key);
	return slot ? &slot->ring : NULL;
}

/**
 * grtrace_rings_next - walk over the rings, those that are retired included
 * @cursor: 0 to begin, then as left by the last call
 *
 * Context: Process, with grtrace_rings_lock() held.
 * Return: a ring, or NULL at the end.
 */
struct grtrace_ring *grtrace_rings_next(u32 *cursor)
{
	struct rings_slot *slot;
	int state;

	/* there is no table before the first session */
	while (rings_pool && *cursor < GRTRACE_RINGS_MAX) {
		slot = &rings_pool[(*cursor)++];
		/* pairs with the cmpxchg that published it */
		state = atomic_read_acquire(&slot->state);
		if (state == RINGS_LIVE || state == RINGS_RETIRED)
			return &slot->ring;
	}
	return NULL;
}

/**
 * grtrace_rings_find_id - the ring with this id
 * @id: the id
 *
 * Context: Process, slow, with grtrace_rings_lock() held.
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
 * grtrace_rings_retire - the ring is gone; its address may be used again
 * @ring: the ring
 *
 * It can no longer be found. Its place is used again once no probe holds it.
 *
 * Context: As grtrace_rings_publish().
 */
void grtrace_rings_retire(struct grtrace_ring *ring)
{
	atomic_t *state = &ring_slot(ring)->state;
	int old = atomic_read(state);

	WRITE_ONCE(ring->key, NULL);
	/* another CPU may also retire it, or not yet have made it live */
	while (old == RINGS_TAKEN || old == RINGS_LIVE)
		if (atomic_try_cmpxchg(state, &old, RINGS_RETIRED))
			break;
}

/**
 * grtrace_rings_lock - no place is made free until it is unlocked
 *
 * Held while rings are used outside of probes.
 *
 * Context: Process.
 */
void grtrace_rings_lock(void)
{
	mutex_lock(&rings_lock);
}

/**
 * grtrace_rings_unlock - places may be made free again
 */
void grtrace_rings_unlock(void)
{
	mutex_unlock(&rings_lock);
}

static void rings_forget_counts(const struct grtrace_ring *ring)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		int *jobs = per_cpu_ptr(ring->in_flight, cpu);

		*jobs = 0;
	}
}

/* Out of its chain, which others only put rings in front of. */
static void chain_remove(struct rings_slot *slot)
{
	struct rings_slot **head = &rings_hash[slot->bucket], *before;

	lockdep_assert_held(&rings_lock);

	if (cmpxchg(head, slot, slot->next) == slot)
		return;
	/* pairs with the cmpxchg that published it */
	before = smp_load_acquire(head);
	while (before->next != slot)
		before = before->next;
	/* a reader that is at @slot continues from there */
	WRITE_ONCE(before->next, slot->next);
}

static unsigned int rings_in_state(enum rings_state state)
{
	unsigned int slot, n = 0;

	for (slot = 0; slot < GRTRACE_RINGS_MAX; slot++)
		n += atomic_read(&rings_pool[slot].state) == state;
	return n;
}

/**
 * grtrace_rings_age - retire rings that had no event since the last call
 *
 * Where the table is crowded with rings that seem to live, and only those that
 * have no job in flight.
 *
 * Context: Process, with grtrace_rings_lock() held.
 */
void grtrace_rings_age(void)
{
	struct grtrace_ring *ring;
	u32 slot;

	lockdep_assert_held(&rings_lock);

	if (rings_in_state(RINGS_LIVE) < RINGS_CROWD)
		return;
	for (slot = 0; slot < GRTRACE_RINGS_MAX; slot++) {
		ring = &rings_pool[slot].ring;
		if (atomic_read_acquire(&rings_pool[slot].state) != RINGS_LIVE)
			continue;
		if (READ_ONCE(ring->recent))
			WRITE_ONCE(ring->recent, false);
		else if (!grtrace_rings_in_flight(ring))
			grtrace_rings_retire(ring);
	}
}

/**
 * grtrace_rings_reclaim - make the places of retired rings free
 *
 * If half of the table is taken.
 *
 * Context: Process, sleeps.
 */
void grtrace_rings_reclaim(void)
{
	bool any = false;
	u32 slot;

	guard(mutex)(&rings_lock);
	if (atomic_read(&rings_used) < RINGS_CROWD)
		return;
	for (slot = 0; slot < GRTRACE_RINGS_MAX; slot++) {
		/* pairs with the cmpxchg that published it: its chain is known */
		if (atomic_read_acquire(&rings_pool[slot].state) != RINGS_RETIRED)
			continue;
		chain_remove(&rings_pool[slot]);
		atomic_set(&rings_pool[slot].state, RINGS_LEAVING);
		any = true;
	}
	if (!any)
		return;
	/* until no probe runs that found one of them */
	tracepoint_synchronize_unregister();
	for (slot = 0; slot < GRTRACE_RINGS_MAX; slot++) {
		if (atomic_read(&rings_pool[slot].state) != RINGS_LEAVING)
			continue;
		rings_forget_counts(&rings_pool[slot].ring);
		ring_free(&rings_pool[slot].ring);
	}
}

static void rings_work_run(struct work_struct *work)
{
	if (time_after64(get_jiffies_64(), rings_aged + RINGS_AGE)) {
		rings_aged = get_jiffies_64();
		scoped_guard(grtrace_rings)
			grtrace_rings_age();
	}
	grtrace_rings_reclaim();
}

/* A hook may hold any lock; from here on that does not matter. */
static void rings_crowded(struct irq_work *work)
{
	schedule_delayed_work(&rings_work, RINGS_PASS);
}

/**
 * grtrace_rings_forget - free the rings that are gone
 *
 * All others are freed if half of the table is taken: most are never retired.
 *
 * Context: Process, with no session running.
 */
void grtrace_rings_forget(void)
{
	bool all = atomic_read(&rings_used) > RINGS_CROWD;
	struct grtrace_ring *ring;
	u32 slot;

	guard(mutex)(&rings_lock);
	memset(rings_hash, 0, RINGS_HASH_SIZE * sizeof(*rings_hash));
	bitmap_zero(rings_ids, GRTRACE_RING_ID_MAX + 1);
	for (slot = 0; slot < GRTRACE_RINGS_MAX; slot++) {
		ring = &rings_pool[slot].ring;
		if (atomic_read(&rings_pool[slot].state) == RINGS_FREE)
			continue;
		rings_forget_counts(ring);
		if (all || atomic_read(&rings_pool[slot].state) == RINGS_RETIRED) {
			ring_free(ring);
			continue;
		}
		/* between sessions no hook sees one die */
		ring->newest_ctx = 0;
		__set_bit(ring->id, rings_ids);
		grtrace_rings_publish(ring);
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

	/* after an overflow each is right only modulo 2^32: so is the sum */
	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(ring->in_flight, cpu));
	return max_t(s32, sum, 0);
}
