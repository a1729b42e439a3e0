/* SPDX-License-Identifier: GPL-2.0 */
/* Packs what happened into records, and records into the channel. */
#ifndef _GRTRACE_RECORD_H_
#define _GRTRACE_RECORD_H_

#include <linux/grtrace.h>

struct grtrace_channel;
struct grtrace_rec_stream_info;

/**
 * struct grtrace_event - what a hook hands down
 *
 * @type: the event
 * @fence: it names a second fence
 * @error: it is an ERROR: @kind and @code count
 * @kind: &enum grtrace_error_kind
 * @code: see &struct grtrace_rec_error
 * @ring: the ring, or NULL
 * @job: the arguments
 */
struct grtrace_event {
	u16 type;
	bool fence;
	bool error;
	u32 kind;
	s32 code;
	const struct grtrace_ring *ring;
	const struct grtrace_job *job;
};

void grtrace_record_event(struct grtrace_channel *channel,
			  const struct grtrace_event *event);
void grtrace_record_ring(struct grtrace_channel *channel,
			 const struct grtrace_ring *ring);
bool grtrace_record_message(struct grtrace_channel *channel, const char *text,
			    size_t length);
void grtrace_record_stream_info(struct grtrace_channel *channel,
				const struct grtrace_rec_stream_info *info);
void grtrace_record_metadata(struct grtrace_channel *channel, const char *text,
			     size_t length);

void grtrace_record_ring_fill(struct grtrace_rec_ring *rec,
			      const struct grtrace_ring *ring);
size_t grtrace_record_event_size(unsigned int type);
const char *grtrace_record_event_name(unsigned int type);
const char *grtrace_record_event_letter(unsigned int type);
const char *grtrace_record_class_name(unsigned int engine_class);

#endif /* _GRTRACE_RECORD_H_ */
