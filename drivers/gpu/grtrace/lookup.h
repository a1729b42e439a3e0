/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the tracepoints for the sources on a kernel that exports none of them,
 * also those that appear later. This file does not exist in the kernel tree.
 */
#ifndef _GRTRACE_LOOKUP_H_
#define _GRTRACE_LOOKUP_H_

#include <linux/grtrace.h>

int grtrace_lookup_begin(struct grtrace_source *source);
void grtrace_lookup_end(struct grtrace_source *source);
void grtrace_lookup_count(const struct grtrace_source *source,
			  unsigned int *found, unsigned int *known);

/* implemented in source.c: uses a tracepoint that was found */
int grtrace_probe_found(struct grtrace_probe *probe, struct tracepoint *tp);
void grtrace_probe_gone(struct grtrace_probe *probe);

#endif /* _GRTRACE_LOOKUP_H_ */
