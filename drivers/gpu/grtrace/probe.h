/* SPDX-License-Identifier: GPL-2.0 */
/* The probes of the sources: attached while a session runs. */
#ifndef _GRTRACE_PROBE_H_
#define _GRTRACE_PROBE_H_

#include <linux/grtrace.h>
#include <linux/mutex.h>

extern struct mutex grtrace_probe_lock;

int grtrace_probes_attach(struct grtrace_source *source);
void grtrace_probes_detach(struct grtrace_source *source);
void grtrace_probes_switch(bool on);
bool grtrace_probes_on(void);

#ifdef GRTRACE_EXTERNAL
int grtrace_probe_found(struct grtrace_probe *probe, struct tracepoint *tp);
void grtrace_probe_gone(struct grtrace_probe *probe);
#endif

#endif /* _GRTRACE_PROBE_H_ */
