/* SPDX-License-Identifier: GPL-2.0 */
/* Interface of the core to the sources. */
#ifndef _GRTRACE_SOURCE_H_
#define _GRTRACE_SOURCE_H_

#include <linux/grtrace.h>
#include <linux/mutex.h>

extern struct mutex grtrace_probe_lock;

int grtrace_sources_attach(void);
void grtrace_sources_detach(void);
void grtrace_sources_for_each(void (*fn)(const struct grtrace_source *source,
					 unsigned int found,
					 unsigned int known, void *data),
			      void *data);

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

#endif /* _GRTRACE_SOURCE_H_ */
