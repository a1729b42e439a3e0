/* SPDX-License-Identifier: GPL-2.0 */
/* Snapshots: copies of the channel at one moment, and their triggers. */
#ifndef _GRTRACE_SNAPSHOT_H_
#define _GRTRACE_SNAPSHOT_H_

#include <linux/kref.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct grtrace_channel;

/* Reason for a snapshot. */
enum grtrace_snapshot_reason {
	GRTRACE_SNAPSHOT_SLOW_QUEUE,	/* a job was in the queue for too long */
	GRTRACE_SNAPSHOT_SLOW_EXEC,	/* a job was on the hardware for too long */
	GRTRACE_SNAPSHOT_ERROR,		/* an ERROR, or a job failed */
	GRTRACE_SNAPSHOT_MANUAL,	/* user space requested it */
};

/* including snapshots that only a reader holds */
#define GRTRACE_SNAPSHOTS_MAX	8

/* The names of the reasons; all but the last are triggers for snapshot_on. */
extern const char * const grtrace_snapshot_reasons[];

/* Memory for a snapshot. */
struct grtrace_snapshot {
	/* one reference for the session, one for each open file */
	struct kref kref;
	void *data;				/* packets of all CPUs */
	size_t size;				/* size of @data in bytes */
	size_t used;				/* how many of these bytes are filled */
	enum grtrace_snapshot_reason reason;
	u64 ts;					/* time at which it was taken */
};

struct grtrace_snapshot *
grtrace_snapshot_create(const struct grtrace_channel *channel);
bool grtrace_snapshot_suffices(const struct grtrace_snapshot *snapshot,
			       const struct grtrace_channel *channel);
void grtrace_snapshot_take(struct grtrace_snapshot *snapshot,
			   struct grtrace_channel *channel,
			   enum grtrace_snapshot_reason reason);
void grtrace_snapshot_put(struct grtrace_snapshot *snapshot);

void grtrace_snapshot_trigger(u32 triggers,
			      enum grtrace_snapshot_reason reason);
bool grtrace_snapshot_triggered(enum grtrace_snapshot_reason *reason);
void grtrace_snapshot_arm(void);
void grtrace_snapshot_hold(void);
void grtrace_snapshot_init(work_func_t take);
void grtrace_snapshot_exit(void);

#endif /* _GRTRACE_SNAPSHOT_H_ */
