/* SPDX-License-Identifier: GPL-2.0 */
/* The registry of rings. */
#ifndef _GRTRACE_RINGS_H_
#define _GRTRACE_RINGS_H_

#include <linux/atomic.h>
#include <linux/grtrace.h>
#include <linux/mutex.h>
#include <linux/percpu.h>

/* The most rings at a time; most machines have a few dozen, but xe has one per context. */
#define GRTRACE_RINGS_MAX	4096

extern struct mutex grtrace_rings_lock;
extern atomic_t grtrace_rings_newest_id;

int grtrace_rings_prepare_table(void);
void grtrace_rings_exit(void);

struct grtrace_ring *grtrace_rings_find(const void *key);
struct grtrace_ring *grtrace_rings_find_id(u32 id);
struct grtrace_ring *grtrace_rings_prepare(const void *key, u32 id,
					   const struct grtrace_ring_desc *desc);
struct grtrace_ring *grtrace_rings_publish(struct grtrace_ring *ring);
bool grtrace_rings_same(const struct grtrace_ring *ring,
			const struct grtrace_ring_desc *desc);
void grtrace_rings_retire(struct grtrace_ring *ring);
void grtrace_rings_forget(void);
void grtrace_rings_age(void);
void grtrace_rings_reclaim(void);
struct grtrace_ring *grtrace_rings_next(u32 *cursor);

/**
 * grtrace_rings_count - count a job that came to a ring or left it
 * @ring: the ring
 * @type: an event of the job; only the lower 16 bits count
 *
 * Context: Any, interrupts off. For NMIs see grtrace_stat_add().
 */
static __always_inline void grtrace_rings_count(const struct grtrace_ring *ring,
						u16 type)
{
	if (type == GRTRACE_SUBMIT)
		this_cpu_inc(*ring->in_flight);
	else if (type == ring->leaves_on)
		this_cpu_dec(*ring->in_flight);
}

u64 grtrace_rings_in_flight(const struct grtrace_ring *ring);

#endif /* _GRTRACE_RINGS_H_ */
