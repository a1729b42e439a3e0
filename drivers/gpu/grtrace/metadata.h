/* SPDX-License-Identifier: GPL-2.0 */
/* The stream's description of itself. */
#ifndef _GRTRACE_METADATA_H_
#define _GRTRACE_METADATA_H_

#include <linux/types.h>

struct device;
struct grtrace_channel;
struct grtrace_rec_stream_info;
struct grtrace_snapshot;
struct seq_buf;

void grtrace_metadata_device(struct seq_buf *text, struct device *dev);
void grtrace_metadata_info(struct grtrace_rec_stream_info *info,
			   const struct grtrace_channel *channel, u64 features);
int grtrace_metadata_tables(struct grtrace_channel *channel);
void *grtrace_metadata_packet(const struct grtrace_rec_stream_info *info,
			      const struct grtrace_snapshot *snapshot,
			      size_t *size);

#endif /* _GRTRACE_METADATA_H_ */
