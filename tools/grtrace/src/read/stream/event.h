// SPDX-License-Identifier: GPL-2.0
//
// Event: one record of the stream, widened and in host byte order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <drm/grtrace_drm.h>

#include "format/byte_order.h"
#include "format/tool_records.h"
#include "read/stream/sequence.h"

namespace grtrace {

// The result of a step of the pipeline. "again": there is no event now, because the input
// is a pipe whose writer is silent; flush the output and call again.
enum class Next { event, again, end };

// The first fields of an event, laid out as in its record, so that they are copied in one
// piece. Lower halves have to be widened before use.
struct EventHead {
	uint16_t type;
	uint16_t size;
	uint32_t ts_low;
	uint32_t seq_low;
	uint32_t pid;
	uint32_t ctx_low;
	uint32_t seqno;
	uint32_t ring;
	uint16_t flags;
	uint16_t arg;
};

// Passive data, filled by the Decoder. Fields that a record's type does not have are 0. raw
// points into the reader's buffer and is valid until the next event is requested.
struct Event : EventHead {
	uint64_t ts; // ns of the session's clock
	uint64_t gseq; // of a LOST, that of the record before it on its CPU
	uint64_t cseq;
	uint64_t ctx;
	uint64_t fence_ctx;
	const uint8_t *raw; // the record as it is in the stream
	uint32_t cpu;
	uint32_t fence_seqno;
	uint32_t kind; // only in ERROR
	int32_t code; // only in ERROR
	uint32_t weight; // jobs or events that it represents; 1 unless sampled
	bool has_fence;
	bool sequenced; // false only for LOST
	uint16_t capture; // index of the capture it came from
	uint16_t stream; // number of the file that contains it
	uint64_t offset; // its offset in that file

	bool is_event() const { return type < GRTRACE_TYPE_LIMIT; }
	bool in_task() const { return (flags & GRTRACE_IN_MASK) == GRTRACE_IN_TASK; }
	// Sampling never omits such an event, so its weight is 1.
	static bool is_never_sampled(uint16_t type)
	{
		return type == GRTRACE_ERROR || type == GRTRACE_IRQ || type == GRTRACE_CTX_SWITCH ||
		       type == GRTRACE_QUEUE || type == GRTRACE_IOCTL;
	}
	bool slow_queue() const { return flags & GRTRACE_SLOW_QUEUE; }
	bool slow_exec() const { return flags & GRTRACE_SLOW_EXEC; }
	// The result of a COMPLETE or SYNC_WAIT_EXIT: 0 or -errno.
	int error() const { return static_cast<int16_t>(arg); }
};

// The fields of a LOST event. Events that neither limit refused could not be written.
struct Lost {
	uint32_t notes;
	uint64_t events;
	uint64_t first_ts;
	uint64_t last_ts;
	uint64_t limited; // events refused by the rate limit
	uint64_t pressure; // events refused under backpressure

	uint64_t records() const { return add_up(events, notes); }
};

inline Lost lost_of(const Event &event)
{
	const uint8_t *raw = event.raw;
	Lost lost = {load32(raw + offsetof(grtrace_rec_lost, notes)),
		     load64(raw + offsetof(grtrace_rec_lost, events)),
		     load64(raw + offsetof(grtrace_rec_lost, first_ts)),
		     load64(raw + offsetof(grtrace_rec_lost, last_ts)),
		     load64(raw + offsetof(grtrace_rec_lost, limited)),
		     load64(raw + offsetof(grtrace_rec_lost, pressure))};

	// A part that is greater than the whole is damage.
	lost.limited = std::min(lost.limited, lost.events);
	lost.pressure = std::min(lost.pressure, lost.events - lost.limited);
	return lost;
}

// The fields of a QUEUE event.
struct QueueChange {
	uint32_t state; // enum grtrace_queue_state
	uint32_t reason; // enum grtrace_queue_reason
	uint64_t client; // 0: not known
};

inline QueueChange queue_of(const Event &event)
{
	return {load32(event.raw + offsetof(grtrace_rec_queue, state)),
		load32(event.raw + offsetof(grtrace_rec_queue, reason)),
		load64(event.raw + offsetof(grtrace_rec_queue, client))};
}

// Returns the text of a field of fixed size, which may be padded with NULs.
inline std::string_view text_field(const void *field, size_t size)
{
	const char *text = static_cast<const char *>(field);

	return {text, strnlen(text, size)};
}

// The details of an ERROR, beside its kind and code. The texts are bytes of the record.
struct ErrorDetail {
	uint32_t pid; // the task to blame; 0: not known
	std::string_view comm; // its name; empty: not known
	std::string_view text; // what the driver says; may be empty
};

inline ErrorDetail error_detail_of(const Event &error)
{
	using Error = grtrace_rec_error;

	return {load32(error.raw + offsetof(Error, pid)),
		text_field(error.raw + offsetof(Error, comm), GRTRACE_COMM_LEN),
		text_field(error.raw + offsetof(Error, text), GRTRACE_TEXT_LEN)};
}

// Returns the DRM client of a SUBMIT; 0: not known.
inline uint64_t client_of(const Event &submit)
{
	return submit.size < sizeof(grtrace_rec_submit) ?
		       0 :
		       load64(submit.raw + offsetof(grtrace_rec_submit, client));
}

// Whether a SUBMIT is a command that a virtual GPU answers, or an END the answer.
inline bool is_answered(const Event &event)
{
	return (event.type == GRTRACE_SUBMIT && event.size >= sizeof(grtrace_rec_command)) ||
	       (event.type == GRTRACE_END && event.size >= sizeof(grtrace_rec_response));
}

// Returns the type of the command, or of the response to it, of such an event.
inline uint32_t command_of(const Event &answered)
{
	return load32(answered.raw + (answered.type == GRTRACE_END ?
					      offsetof(grtrace_rec_response, response) :
					      offsetof(grtrace_rec_command, command)));
}

// Returns the line of a MESSAGE event.
inline std::string_view message_of(const Event &event)
{
	return text_field(event.raw + sizeof(grtrace_rec_message),
			  event.size - sizeof(grtrace_rec_message));
}

} // namespace grtrace
