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

#endif /* _GRTRACE_SOURCE_H_ */
