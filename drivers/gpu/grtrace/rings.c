// SPDX-License-Identifier: GPL-2.0
/*
 * The registry: which address is which ring, under which id and name.
 *
 * A hook that meets a ring for the first time has to intern it, in whatever
 * context it runs. So all memory is there from the start and hooks do not lock:
 * a ring is taken from a pool, filled, and only then put into an open hash by
 * cmpxchg. Whoever loses that race throws his own ring away and takes the
 * winner's. Ids count up, and begin anew after %GRTRACE_RING_ID_MAX; one that a
 * session has used is not given again before the next.
 *
 * A ring keeps its id over sessions, so that one can be filtered by what
 * another showed. It leaves when it is retired; the place is free when the next
 * session starts, as no hook runs then and nobody holds a pointer to it. Those
 * that nobody owns never retire by themselves: they are dropped as well, once
 * half of the table is taken. A scheduler that dies and whose address is used
 * again is told apart by grtrace_rings_same(), see grtrace_ring_submit().
 *
 * The registry knows nothing of records and channels.
 */
#include <linux/bitmap.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/hash.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "devices.h"
#include "rings.h"

#define RINGS_HASH_BITS	13	/* at most half full */
#define RINGS_HASH_SIZE	BIT(RINGS_HASH_BITS)

static_assert(RINGS_HASH_SIZE >= 2 * GRTRACE_RINGS_MAX);

struct rings_slot {
	struct grtrace_ring ring;
	atomic_t used;
};

static struct rings_slot *rings_pool;
static struct grtrace_ring **rings_hash;
static int __percpu *rings_in_flight;
static DECLARE_BITMAP(rings_ids, GRTRACE_RING_ID_MAX + 1); /* not to be given */
static atomic_t rings_newest_id = ATOMIC_INIT(GRTRACE_RING_NONE);
static atomic_t rings_next_slot = ATOMIC_INIT(0);

static atomic_t rings_used = ATOMIC_INIT(0);

/* Serializes owners, who intern at any time, with the cleaning up between. */
static DEFINE_MUTEX(rings_owner_lock);

/**
 * grtrace_rings_init - allocate all that the registry will ever need
 */
int grtrace_rings_init(void)
{
	rings_pool = kvcalloc(GRTRACE_RINGS_MAX, sizeof(*rings_pool), GFP_KERNEL);
	rings_hash = kvcalloc(RINGS_HASH_SIZE, sizeof(*rings_hash), GFP_KERNEL);
	rings_in_flight = __alloc_percpu(GRTRACE_RINGS_MAX * sizeof(int),
					 sizeof(int));
	if (grtrace_rings_ready())
		return 0;
	grtrace_rings_exit();
	return -ENOMEM;
}

/**
 * grtrace_rings_ready - is there a registry?
 *
 * Not where the core is built in and could not start: its functions are there
 * for drivers to call all the same.
 *
 * Context: Any.
 */
bool grtrace_rings_ready(void)
{
	return rings_pool && rings_hash && rings_in_flight;
}

/**
 * grtrace_rings_exit - free it
 */
void grtrace_rings_exit(void)
{
	free_percpu(rings_in_flight);
	rings_in_flight = NULL;
	kvfree(rings_hash);
	rings_hash = NULL;
	kvfree(rings_pool);
	rings_pool = NULL;
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

static struct grtrace_ring *ring_alloc(void)
{
	u32 i, slot;

	/* full: no search for what is not there */
	if (atomic_read(&rings_used) >= GRTRACE_RINGS_MAX)
		return NULL;
	for (i = 0; i < GRTRACE_RINGS_MAX; i++) {
		slot = (u32)atomic_inc_return(&rings_next_slot) %
		       GRTRACE_RINGS_MAX;
		if (!atomic_cmpxchg(&rings_pool[slot].used, 0, 1)) {
			atomic_inc(&rings_used);
			rings_pool[slot].ring = (struct grtrace_ring) {
				.slot = slot,
				.in_flight = rings_in_flight + slot,
			};
			return &rings_pool[slot].ring;
		}
	}
	return NULL;
}

static void ring_free(struct grtrace_ring *ring)
{
	atomic_set_release(&rings_pool[ring->slot].used, 0);
	atomic_dec(&rings_used);
}

/* After the newest; those from before have the longest been out of sight. */
static u32 ring_id_new(void)
{
	unsigned long id = atomic_read(&rings_newest_id);
	bool again = false;

	for (;;) {
		/* what it read may be old: then the bit is set after all */
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
	u32 i = hash_ptr(ring->key, RINGS_HASH_BITS);
	struct grtrace_ring *seen;
	u32 n;

	for (n = 0; n < RINGS_HASH_SIZE; n++, i = (i + 1) % RINGS_HASH_SIZE) {
		/* whoever finds the ring finds it filled */
		seen = cmpxchg(&rings_hash[i], NULL, ring);
		if (!seen)
			return ring;
		if (READ_ONCE(seen->key) == ring->key) {
			ring_free(ring);
			return seen;
		}
	}
	ring_free(ring);
	return NULL;
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
	u32 i = hash_ptr(key, RINGS_HASH_BITS);
	struct grtrace_ring *ring;
	u32 n;

	for (n = 0; n < RINGS_HASH_SIZE; n++, i = (i + 1) % RINGS_HASH_SIZE) {
		/* pairs with the cmpxchg that published it */
		ring = smp_load_acquire(&rings_hash[i]);
		if (!ring)
			return NULL;
		if (READ_ONCE(ring->key) == key)
			return ring;
	}
	return NULL;
}

/**
 * grtrace_rings_next - walk over the rings
 * @cursor: 0 to begin, then as left by the last call
 *
 * Context: Process, with the session's lock held.
 * Return: a ring, or NULL at the end.
 */
struct grtrace_ring *grtrace_rings_next(u32 *cursor)
{
	struct grtrace_ring *ring;

	while (*cursor < RINGS_HASH_SIZE) {
		/* pairs with the cmpxchg that published it */
		ring = smp_load_acquire(&rings_hash[(*cursor)++]);
		if (ring)
			return ring;
	}
	return NULL;
}

/**
 * grtrace_rings_find_id - the ring with this id
 * @id: the id
 *
 * Context: Process, slow.
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
 * It can no longer be found. Its memory is used again by the next session at
 * the earliest, as hooks may still hold it.
 *
 * Context: Any.
 */
void grtrace_rings_retire(struct grtrace_ring *ring)
{
	WRITE_ONCE(ring->key, NULL);
}

/**
 * grtrace_rings_owner_lock - keep grtrace_rings_forget() out
 *
 * Held by whoever interns a ring while no session need be running.
 *
 * Context: Process.
 */
void grtrace_rings_owner_lock(void)
{
	mutex_lock(&rings_owner_lock);
}

/**
 * grtrace_rings_owner_unlock - and let it in again
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

/**
 * grtrace_rings_forget - free the rings that are gone, and no job in flight
 *
 * Context: Process, with no session running.
 */
void grtrace_rings_forget(void)
{
	bool crowded = atomic_read(&rings_used) > GRTRACE_RINGS_MAX / 2;
	struct grtrace_ring *ring;
	u32 slot;

	guard(mutex)(&rings_owner_lock);
	/* anew, as an open hash cannot let single ones go */
	memset(rings_hash, 0, RINGS_HASH_SIZE * sizeof(*rings_hash));
	bitmap_zero(rings_ids, GRTRACE_RING_ID_MAX + 1);
	for (slot = 0; slot < GRTRACE_RINGS_MAX; slot++) {
		ring = &rings_pool[slot].ring;
		if (!atomic_read(&rings_pool[slot].used))
			continue;
		rings_forget_counts(ring);
		if (!READ_ONCE(ring->key) || (crowded && !ring->owned)) {
			ring_free(ring);
			continue;
		}
		/* between sessions nobody sees one die that nobody owns */
		if (!ring->owned)
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

	/* each is right modulo 2^32 only, once it has run over: so is the sum */
	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(ring->in_flight, cpu));
	return max_t(s32, sum, 0);
}
