/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session: its start, its stop and its state in between, the stream's
 * description of itself, and the files that debugfs.c creates and others fill.
 */
#ifndef _GRTRACE_SESSION_H_
#define _GRTRACE_SESSION_H_

#include <linux/mutex.h>
#include <linux/types.h>

struct dentry;
struct device;
struct file_operations;
struct grtrace_channel;
struct grtrace_probe;
struct grtrace_rec_stream_info;
struct grtrace_snapshot;
struct grtrace_source;
struct seq_buf;
struct seq_file;
struct tracepoint;

extern struct mutex grtrace_session_lock;

void grtrace_session_init(struct dentry *dir, const struct file_operations *fops);
void grtrace_session_exit(void);

int grtrace_session_start(void);
int grtrace_session_stop(void);
const char *grtrace_session_state(void);
bool grtrace_session_running(void);	/* with the lock held */

int grtrace_session_config_write(char *text);
int grtrace_session_config_show(struct seq_file *m, void *unused);
int grtrace_session_cseq_show(struct seq_file *m, void *unused);
int grtrace_session_message(const char *text, size_t length);
void *grtrace_session_packet(struct grtrace_snapshot **snapshot, size_t *size);

int grtrace_session_snapshot(void);
int grtrace_session_discard(void);
u64 grtrace_session_snapshots(void);

/* metadata.c */
void grtrace_metadata_device(struct seq_buf *text, struct device *dev);
void grtrace_metadata_info(struct grtrace_rec_stream_info *info,
			   const struct grtrace_channel *channel, u64 features);
int grtrace_metadata_tables(struct grtrace_channel *channel);
void *grtrace_metadata_packet(const struct grtrace_rec_stream_info *info,
			      const struct grtrace_snapshot *snapshot,
			      const char *state, size_t *size);

/* source.c */
extern struct mutex grtrace_probe_lock;

int grtrace_sources_attach(void);
void grtrace_sources_detach(void);
void grtrace_sources_print(struct seq_buf *text);

#ifdef GRTRACE_EXTERNAL
/* lookup_name.c finds tracepoints on a kernel that exports none of them ... */
int grtrace_lookup_begin(struct grtrace_source *source);
void grtrace_lookup_end(struct grtrace_source *source);
void grtrace_lookup_count(const struct grtrace_source *source,
			  unsigned int *found, unsigned int *known);

/* ... and source.c attaches to each one found, at once or when it appears. */
int grtrace_probe_found(struct grtrace_probe *probe, struct tracepoint *tp);
void grtrace_probe_gone(struct grtrace_probe *probe);
#endif

/* emit.c */
int grtrace_emit(char *text);

#endif /* _GRTRACE_SESSION_H_ */
