/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Jobs and fences as amdgpu has them, for event_stub.
 */
#ifndef EVENT_JOBS_H
#define EVENT_JOBS_H

#include <linux/types.h>

int stub_jobs_init(void);
void stub_jobs_exit(void);

/* Rings by name; a missing one is left out. */
void stub_jobs_push(const char *ring, u64 count);
void stub_jobs_hold(const char *ring, bool hold);
void stub_jobs_wait(const char *ring);

#ifdef STUB_USER_QUEUES
void stub_userq_fence(u64 doorbell, u64 type);
#endif

#endif
