/* SPDX-License-Identifier: GPL-2.0 */
/* The keys of the debugfs file "config". */
#ifndef _GRTRACE_CONFIG_H_
#define _GRTRACE_CONFIG_H_

#include "filter.h"

struct seq_file;

#define GRTRACE_SUBBUF_SIZE_MIN		SZ_4K
#define GRTRACE_SUBBUF_SIZE_MAX		SZ_16M
#define GRTRACE_N_SUBBUFS_MIN		2
#define GRTRACE_N_SUBBUFS_MAX		1024
/* Per CPU. relay maps a buffer in one piece of vmalloc space. */
#define GRTRACE_CHANNEL_SIZE_MAX	SZ_256M

/**
 * struct grtrace_config - how a session is to be
 *
 * @overwrite: mode=overwrite, the flight recorder
 * @order_clock: order=clock
 * @subbuf_size: bytes of a sub-buffer
 * @n_subbufs: sub-buffers per CPU
 * @filter: which events pass
 */
struct grtrace_config {
	bool overwrite;
	bool order_clock;
	u32 subbuf_size;
	u32 n_subbufs;
	struct grtrace_filter filter;
};

void grtrace_config_default(struct grtrace_config *config);
int grtrace_config_parse(struct grtrace_config *config, char *text,
			 bool running);
void grtrace_config_show(const struct grtrace_config *config,
			 struct seq_file *m);

#endif /* _GRTRACE_CONFIG_H_ */
