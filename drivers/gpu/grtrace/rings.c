// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of rings: finds a ring, its id and its name by an address.
 *
 * A hook that meets a ring for the first time has to intern it, and hooks run in
 * any context. So all memory is allocated at the first start, and hooks take no
 * lock. Each place of the table is in one of these states::
 *
 *	FREE -> TAKEN -> LIVE -> RETIRED -> LEAVING -> FREE
 *
 * A hook takes a free place by cmpxchg, fills the ring, and puts it in front of a
 * hash chain by another cmpxchg. If a CPU loses that race, it frees its place at
 * once, because no other CPU has seen it, and uses the winner's ring. A hook that
 * learns that a ring is dead marks it as retired: it can no longer be found.
 *
 * While a session runs, only grtrace_rings_reclaim(), in a work item, takes rings
 * out of chains and frees their places, when no probe can hold them. It
 * leaves retired rings in place until half of the table is used, so that
 * ``metadata`` has their names. Only one task removes rings, and all others add
 * them in front, so a chain needs no lock: only the reclaimer changes the successor
 * of a ring that is in a chain, and no ring comes back into a chain while a hook
 * that saw it there still runs.
 *
 * If nothing reports that a ring is dead, its age decides: once half of the table
 * is live, rings without an event for a second and without a job in flight are
 * retired. If such a ring is still in use, it gets a new id with its next job.
 * grtrace_rings_same() detects a scheduler at a reused address, see
 * grtrace_ring_submit().
 *
 * Ids come from a counter of 32 bits. No session has two rings of one id: the counter
 * skips the ids that were asked for (emit) and, after an overflow, those of rings that
 * were there when the session began. A ring keeps its id over sessions, so that the
 * ids shown by one session can be used to filter in another. Rings whose id
 * was asked for are not kept, because nothing that exists is behind them. If
 * half of the table is used when a session starts, it starts with an empty table.
 *
 * The registry does not know records or channels.
 */
#include <linux/array_size.h>
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

#include "rings.h"

#define RINGS_HASH_BITS	12
#define RINGS_HASH_SIZE	BIT(RINGS_HASH_BITS)
#define RINGS_CROWD	(GRTRACE_RINGS_MAX / 2)
#define RINGS_PASS	max(HZ / 50, 1)	/* jiffies until a retired ring is freed */
#define RINGS_AGE	HZ		/* jiffies without an event after which a ring is old */

/* Content of a place of the table. */
enum rings_state {
	RINGS_FREE,
	RINGS_TAKEN,		/* a ring that is being filled */
	RINGS_LIVE,		/* a ring that can be found */
	RINGS_RETIRED,		/* a dead ring that is still in its chain */
	RINGS_LEAVING,		/* not in its chain, but a hook may still hold it */
};

/* A place of the table. */
struct rings_slot {
	struct grtrace_ring ring;
	atomic_t state;
	u32 bucket;		/* number of its chain */
	struct rings_slot *next;	/* in the chain, added earlier */
};

static struct rings_slot *rings_pool;
static struct rings_slot **rings_hash;
static int __percpu *rings_in_flight;
/* The id that was given last; a test sets it. And that of the time when the session began. */
atomic_t grtrace_rings_newest_id = ATOMIC_INIT(GRTRACE_RING_NONE);
static u32 rings_first_id;
/* Ids that the counter skips. Only a task with grtrace_rings_lock writes here. */
static u32 rings_taken[GRTRACE_RINGS_MAX];
static atomic_t rings_taken_n = ATOMIC_INIT(0);
static atomic_t rings_next_slot = ATOMIC_INIT(0);

static atomic_t rings_used = ATOMIC_INIT(0);

/* Keeps rings in their places; held while rings are used outside of probes. */
DEFINE_MUTEX(grtrace_rings_lock);

static void rings_crowded(struct irq_work *work);
static void rings_work_run(struct work_struct *work);
static DEFINE_IRQ_WORK(rings_irq_work, rings_crowded);
static DECLARE_DELAYED_WORK(rings_work, rings_work_run);
static u64 rings_aged;		/* jiffies of the last check of the rings' age */

static void rings_table_free(void)
{
	free_percpu(rings_in_flight);
	rings_in_flight = NULL;
	kvfree(rings_hash);
	rings_hash = NULL;
	kvfree(rings_pool);
	rings_pool = NULL;
}

/* Allocates all memory of the registry, before the first hook. Returns 0 or -ENOMEM. */
int grtrace_rings_prepare_table(void)
{
	guard(mutex)(&grtrace_rings_lock);
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
	/* The table is full: do not search. */
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

static bool ring_id_is_taken(u32 id)
{
	/* pairs with the release in ring_id_take() */
	int i = atomic_read_acquire(&rings_taken_n);

	while (i--)
		if (rings_taken[i] == id)
			return true;
	return false;
}

static u32 ring_id_new(void)
{
	u32 id;

	/* The increment is ordered before the look at what is taken. */
	do
		id = atomic_inc_return(&grtrace_rings_newest_id);
	while (id == GRTRACE_RING_NONE || ring_id_is_taken(id));
	return id;
}

/* Returns @id, or 0 if the session has already used it. */
static u32 ring_id_take(u32 id)
{
	int n = atomic_read(&rings_taken_n);
	u32 given;

	lockdep_assert_held(&grtrace_rings_lock);

	if (ring_id_is_taken(id) || n == ARRAY_SIZE(rings_taken))
		return GRTRACE_RING_NONE;
	rings_taken[n] = id;
	/* pairs with the acquire in ring_id_is_taken() */
	atomic_set_release(&rings_taken_n, n + 1);
	/* Either a hook that is given this id sees that it is taken, or it is seen here. */
	smp_mb();
	given = (u32)atomic_read(&grtrace_rings_newest_id) - rings_first_id;
	return id - rings_first_id - 1 < given ? GRTRACE_RING_NONE : id;
}

/**
 * grtrace_rings_prepare - fill a ring that is not visible yet
 * @key: the address by which it will be found
 * @id: the id it must have, or 0 for the next
 * @desc: the facts that the source knows about it
 *
 * Context: Any; with an id, a process with grtrace_rings_lock held.
 * Return: the ring, for grtrace_rings_publish(); NULL if there are too many, or
 * if the session has used the id.
 */
struct grtrace_ring *
grtrace_rings_prepare(const void *key, u32 id,
		      const struct grtrace_ring_desc *desc)
{
	struct grtrace_ring *ring = ring_alloc();

	if (!ring)
		return NULL;
	ring->id = id ? ring_id_take(id) : ring_id_new();
	if (!ring->id) {
		ring_free(ring);
		return NULL;
	}
	ring->brief = id;
	ring->key = key;
	ring->dev = desc->dev;
	ring->engine_class = min_t(u32, desc->engine_class,
				   GRTRACE_CLASS_OTHER);
	ring->leaves_on = desc->leaves_on ?: GRTRACE_COMPLETE;
	ring->flags = desc->flags;
	ring->timeout_ms = desc->timeout_ms;
	ring->ctx = dma_fence_context_alloc(1);
	ring_name(ring, desc);
	return ring;
}

static struct rings_slot *chain_find(struct rings_slot *slot, const void *key)
{
	while (slot && READ_ONCE(slot->ring.key) != key)
		slot = READ_ONCE(slot->next);
	return slot;
}

/**
 * grtrace_rings_publish - make a prepared ring visible
 * @ring: the ring
 *
 * Context: Any; in a probe, or with grtrace_rings_lock held, as for any use of a
 * ring.
 * Return: the current ring of this key: @ring, or one that another CPU
 * published first; then @ring is free again.
 */
struct grtrace_ring *grtrace_rings_publish(struct grtrace_ring *ring)
{
	struct rings_slot *slot = ring_slot(ring), *first, *seen;
	const void *key = ring->key;
	struct rings_slot **head;

	slot->bucket = hash_ptr(key, RINGS_HASH_BITS);
	head = &rings_hash[slot->bucket];
	do {
		/* Pairs with the cmpxchg below: a visible ring is complete. */
		first = smp_load_acquire(head);
		seen = chain_find(first, key);
		if (seen) {
			ring_free(ring);
			return &seen->ring;
		}
		slot->next = first;
	} while (cmpxchg(head, first, slot) != first);
	/* It stays retired if a hook has already found and retired it. */
	atomic_cmpxchg(&slot->state, RINGS_TAKEN, RINGS_LIVE);
	return ring;
}

/**
 * grtrace_rings_find - find the ring of a key
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
 * grtrace_rings_next - walk over all rings, including retired ones
 * @cursor: 0 to begin; each call updates it
 *
 * Context: Process, with grtrace_rings_lock held.
 * Return: a ring, or NULL at the end.
 */
struct grtrace_ring *grtrace_rings_next(u32 *cursor)
{
	struct rings_slot *slot;
	int state;

	/* There is no table before the first session. */
	while (rings_pool && *cursor < GRTRACE_RINGS_MAX) {
		slot = &rings_pool[(*cursor)++];
		/* pairs with the cmpxchg that published it */
		state = atomic_read_acquire(&slot->state);
		if (state == RINGS_LIVE || state == RINGS_RETIRED)
			return &slot->ring;
	}
	return NULL;
}

/* Returns the ring with an id, or NULL: slow; in a process, with grtrace_rings_lock held. */
struct grtrace_ring *grtrace_rings_find_id(u32 id)
{
	struct grtrace_ring *ring;
	u32 cursor = 0;

	while ((ring = grtrace_rings_next(&cursor)))
		if (ring->id == id)
			return ring;
	return NULL;
}

/* Returns whether the address of a ring still belongs to the same ring. */
bool grtrace_rings_same(const struct grtrace_ring *ring,
			const struct grtrace_ring_desc *desc)
{
	return ring->dev == desc->dev && ring->flags == desc->flags &&
	       !strncmp(ring->name, desc->name ?: "?", sizeof(ring->name) - 1);
}

/**
 * grtrace_rings_retire - mark a ring as gone; its address may be reused
 * @ring: the ring
 *
 * It can no longer be found. Its place is reused once no probe holds it.
 *
 * Context: As grtrace_rings_publish().
 */
void grtrace_rings_retire(struct grtrace_ring *ring)
{
	atomic_t *state = &ring_slot(ring)->state;
	int old = atomic_read(state);

	WRITE_ONCE(ring->key, NULL);
	/* Another CPU may retire it too, or may not yet have made it live. */
	while (old == RINGS_TAKEN || old == RINGS_LIVE)
		if (atomic_try_cmpxchg(state, &old, RINGS_RETIRED))
			break;
}

static void rings_forget_counts(const struct grtrace_ring *ring)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		int *jobs = per_cpu_ptr(ring->in_flight, cpu);

		*jobs = 0;
	}
}

/* Removes a ring from its chain, to which other CPUs only add rings in front. */
static void chain_remove(struct rings_slot *slot)
{
	struct rings_slot **head = &rings_hash[slot->bucket], *before;

	lockdep_assert_held(&grtrace_rings_lock);

	if (cmpxchg(head, slot, slot->next) == slot)
		return;
	/* pairs with the cmpxchg that published it */
	before = smp_load_acquire(head);
	while (before->next != slot)
		before = before->next;
	/* A reader that is at @slot can still continue from it. */
	WRITE_ONCE(before->next, slot->next);
}

/**
 * grtrace_rings_age - retire rings that had no event since the last call
 *
 * Does nothing unless most of the table seems to be in use, and spares rings
 * with a job in flight.
 *
 * Context: Process, with grtrace_rings_lock held.
 */
void grtrace_rings_age(void)
{
	struct grtrace_ring *ring;
	u32 slot, live = 0;

	lockdep_assert_held(&grtrace_rings_lock);

	for (slot = 0; slot < GRTRACE_RINGS_MAX; slot++)
		live += atomic_read(&rings_pool[slot].state) == RINGS_LIVE;
	if (live < RINGS_CROWD)
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
 * grtrace_rings_reclaim - free the places of retired rings
 *
 * Does nothing unless half of the table is used.
 *
 * Context: Process, sleeps.
 */
void grtrace_rings_reclaim(void)
{
	bool any = false;
	u32 slot;

	guard(mutex)(&grtrace_rings_lock);
	if (atomic_read(&rings_used) < RINGS_CROWD)
		return;
	for (slot = 0; slot < GRTRACE_RINGS_MAX; slot++) {
		/* Pairs with the cmpxchg that published it, so its chain is valid. */
		if (atomic_read_acquire(&rings_pool[slot].state) != RINGS_RETIRED)
			continue;
		chain_remove(&rings_pool[slot]);
		atomic_set(&rings_pool[slot].state, RINGS_LEAVING);
		any = true;
	}
	if (!any)
		return;
	/* Wait for all probes that may have found one of them. */
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
		scoped_guard(mutex, &grtrace_rings_lock)
			grtrace_rings_age();
	}
	grtrace_rings_reclaim();
}

/* A hook may hold any lock, but irq_work runs without these. */
static void rings_crowded(struct irq_work *work)
{
	schedule_delayed_work(&rings_work, RINGS_PASS);
}

/**
 * grtrace_rings_forget - free the rings that are gone, and those of a session
 *
 * Frees all other rings as well if half of the table is used, because most
 * rings are never retired.
 *
 * Context: Process, with no session running.
 */
void grtrace_rings_forget(void)
{
	bool all = atomic_read(&rings_used) > RINGS_CROWD;
	struct grtrace_ring *ring;
	u32 slot, kept = 0;

	guard(mutex)(&grtrace_rings_lock);
	memset(rings_hash, 0, RINGS_HASH_SIZE * sizeof(*rings_hash));
	for (slot = 0; slot < GRTRACE_RINGS_MAX; slot++) {
		ring = &rings_pool[slot].ring;
		if (atomic_read(&rings_pool[slot].state) == RINGS_FREE)
			continue;
		rings_forget_counts(ring);
		if (all || ring->brief ||
		    atomic_read(&rings_pool[slot].state) == RINGS_RETIRED) {
			ring_free(ring);
			continue;
		}
		/* Between sessions no hook is called when a ring is destroyed. */
		ring->newest_ctx = 0;
		rings_taken[kept++] = ring->id;
		grtrace_rings_publish(ring);
	}
	atomic_set(&rings_taken_n, kept);
	rings_first_id = atomic_read(&grtrace_rings_newest_id);
}

/* ------------------------------------------------------- jobs in flight */

/**
 * grtrace_rings_in_flight - number of jobs since the start that have not left
 * @ring: the ring
 *
 * Jobs that came before the start and leave after it are not known; if they
 * outnumber the others, the result is 0.
 */
u64 grtrace_rings_in_flight(const struct grtrace_ring *ring)
{
	u32 sum = 0;
	int cpu;

	/* After an overflow each counter is correct modulo 2^32, and so is their sum. */
	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(ring->in_flight, cpu));
	return max_t(s32, sum, 0);
}
