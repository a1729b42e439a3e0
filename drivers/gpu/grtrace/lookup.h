/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the tracepoints that the sources listen to, now and when they come. */
#ifndef _GRTRACE_LOOKUP_H_
#define _GRTRACE_LOOKUP_H_

#include <linux/grtrace.h>

int grtrace_lookup_init(void (*driver_came)(void));
void grtrace_lookup_exit(void);

int grtrace_lookup_begin(struct grtrace_source *source);
void grtrace_lookup_end(struct grtrace_source *source);
bool grtrace_lookup_can(const struct grtrace_probe *probe);
const char *grtrace_lookup_source(unsigned int *cursor);

#endif /* _GRTRACE_LOOKUP_H_ */
