/* SPDX-License-Identifier: GPL-2.0 */
/* The keys of the debugfs file "config". */
#ifndef _GRTRACE_CONFIG_H_
#define _GRTRACE_CONFIG_H_

#include <linux/sizes.h>

#include <uapi/drm/grtrace_drm.h>

#include "filter.h"
#include "rules.h"
#include "watch.h"

struct seq_file;

#define GRTRACE_SUBBUF_SIZE_MIN		SZ_4K
#define GRTRACE_SUBBUF_SIZE_MAX		SZ_16M
#define GRTRACE_N_SUBBUFS_MIN		2
#define GRTRACE_N_SUBBUFS_MAX		1024
/* Both are per CPU. relay maps a buffer in one piece of vmalloc space. */
#define GRTRACE_CHANNEL_SIZE_MAX	SZ_256M

/**
 * struct grtrace_config - the settings of a session
 *
 * @overwrite: mode=overwrite, the flight recorder
 * @order_clock: order=clock
 * @clock: the clock of ts
 * @subbuf_size: bytes of a sub-buffer
 * @n_subbufs: sub-buffers per CPU
 * @filter: which events pass
 * @devices: names for @filter.device_mask while a write is parsed; else NULL
 * @watch: watchlists
 * @sample: one job of this many is recorded
 * @adaptive: increase @sample under pressure
 * @max_rate: events per second, 0 for no limit
 * @bucket: limit by a token bucket; false: by windows of a second
 * @burst: tokens of the bucket, 0 for @max_rate
 * @pressure: events are refused once the channel is this full, in percent; 0:
 * never
 * @rules: thresholds of the rules
 * @triggers: bits of &enum grtrace_snapshot_reason
 * @profile: measure the time that hooks take
 * @reset_stats: an action and not a setting: set counters to 0
 */
struct grtrace_config {
	bool overwrite;
	bool order_clock;
	enum grtrace_clock clock;
	u32 subbuf_size;
	u32 n_subbufs;
	struct grtrace_filter filter;
	char *devices;
	struct grtrace_watch watch;
	u32 sample;
	bool adaptive;
	u32 max_rate;
	bool bucket;
	u32 burst;
	u32 pressure;
	struct grtrace_rules rules;
	u32 triggers;
	bool profile;
	bool reset_stats;
};

void grtrace_config_default(struct grtrace_config *config);
int grtrace_config_parse(struct grtrace_config *config, char *text,
			 bool running);
void grtrace_config_show(const struct grtrace_config *config,
			 struct seq_file *m);
u64 grtrace_config_features(const struct grtrace_config *config);

#endif /* _GRTRACE_CONFIG_H_ */
