/* SPDX-License-Identifier: GPL-2.0 */
/* The session: start, stop, and what holds between them. */
#ifndef _GRTRACE_SESSION_H_
#define _GRTRACE_SESSION_H_

#include <linux/types.h>

#include "filter.h"

struct dentry;
struct file_operations;
struct grtrace_channel;
struct grtrace_event;
struct grtrace_ring;
struct grtrace_ring_desc;
struct seq_file;

/**
 * struct grtrace_live - all that the hot path reads of a session
 *
 * A snapshot: a change of the configuration publishes another one.
 *
 * @channel: where to write
 * @filter: what passes
 */
struct grtrace_live {
	struct grtrace_channel *channel;
	struct grtrace_filter filter;
};

extern struct grtrace_live __rcu *grtrace_live;

int grtrace_session_init(struct dentry *dir, const struct file_operations *fops);
void grtrace_session_exit(void);

int grtrace_session_start(void);
int grtrace_session_stop(void);
const char *grtrace_session_state(void);
void grtrace_session_lock(void);
void grtrace_session_unlock(void);

int grtrace_session_config_write(char *text);
void grtrace_session_config_show(struct seq_file *m);
void grtrace_session_rings_show(struct seq_file *m);
int grtrace_session_message(const char *text, size_t length);
void *grtrace_session_metadata(size_t *size);

/* hook.c */
bool grtrace_hook_event(const struct grtrace_event *event);
struct grtrace_ring *grtrace_hook_ring(const void *key, u32 id,
				       const struct grtrace_ring_desc *desc);

#endif /* _GRTRACE_SESSION_H_ */
