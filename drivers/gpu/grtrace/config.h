/* SPDX-License-Identifier: GPL-2.0 */
/* The keys of the debugfs file "config". */
#ifndef _GRTRACE_CONFIG_H_
#define _GRTRACE_CONFIG_H_

#include <linux/sizes.h>

#include <uapi/drm/grtrace_drm.h>

#include "filter.h"
#include "stages.h"

struct seq_file;

#define GRTRACE_SUBBUF_SIZE_MIN		SZ_4K
#define GRTRACE_SUBBUF_SIZE_MAX		SZ_16M
#define GRTRACE_N_SUBBUFS_MIN		2
#define GRTRACE_N_SUBBUFS_MAX		1024
/* Both are per CPU. relay maps a buffer in one piece of vmalloc space. */
#define GRTRACE_CHANNEL_SIZE_MAX	SZ_256M

/* The settings of a session. */
struct grtrace_config {
	bool overwrite;			/* mode=overwrite, the flight recorder */
	enum grtrace_clock clock;	/* the clock of ts */
	u32 subbuf_size;		/* bytes of a sub-buffer */
	u32 n_subbufs;			/* sub-buffers per CPU */
	struct grtrace_filter filter;
	struct grtrace_watch watch;
	u32 sample;			/* one job of this many is recorded */
	bool adaptive;			/* increase @sample under pressure */
	u32 max_rate;			/* events per second, 0 for no limit */
	bool bucket;			/* limit by a token bucket; false: by windows of a second */
	u32 burst;			/* tokens of the bucket, 0 for @max_rate */
	/* events are refused once the channel is this full, in percent; 0: never */
	u32 pressure;
	struct grtrace_rules rules;
	u32 triggers;			/* bits of &enum grtrace_snapshot_reason */
	bool profile;			/* measure the time that hooks take */
	bool reset_stats;		/* an action and not a setting: set counters to 0 */
};

void grtrace_config_default(struct grtrace_config *config);
int grtrace_config_parse(struct grtrace_config *config, char *text,
			 bool running);
void grtrace_config_show(const struct grtrace_config *config,
			 struct seq_file *m);
u64 grtrace_config_features(const struct grtrace_config *config);

#endif /* _GRTRACE_CONFIG_H_ */
