/* SPDX-License-Identifier: GPL-2.0 */
/* The last seconds of a session in numbers. */
#ifndef _GRTRACE_SECONDS_H_
#define _GRTRACE_SECONDS_H_

#define GRTRACE_SECONDS	64	/* lines of sec_stats */

struct seq_file;

void grtrace_seconds_start(void);
void grtrace_seconds_stop(void);
void grtrace_seconds_reset(void);
void grtrace_seconds_show(struct seq_file *m);

#endif /* _GRTRACE_SECONDS_H_ */
