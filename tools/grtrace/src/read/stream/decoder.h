// SPDX-License-Identifier: GPL-2.0
//
// Decoder: turns bytes into events.
//
// The format is that of include/uapi/drm/grtrace_drm.h, whose DOC is the only description;
// this class reads it. Words: a *record* is a header with a size and the bytes after it, a
// *packet* is a PACKET record and all records up to the next one. The parts that a record
// lacks (CPU, upper halves, cseq) come from its packet.
//
//	offset 0                                        a file consists of packets
//	| PACKET | SUBMIT | TASK | ... | PACKET | LOST | END | ...
//	  cpu,ts   +1 cseq  +1                     +n    +1
//
// No byte is trusted. Bytes that cannot be a record are *damage*: the decoder continues at
// the next PACKET it finds, counts the bytes in between, and reports the place and the
// reason. The uAPI promises packets at 8-byte steps; the search here looks at every byte,
// so that bytes missing from the middle of a file do not hide all that follow. A packet
// found by searching must be valid in every field that can be checked.
//
// gseq increases on a CPU. If a record's number does not increase or is too far off, while
// its neighbours' numbers are right, only that record is damaged: it is a *stray*. If no
// neighbour confirms a number, the rest of the packet is damage.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "lib/text/diagnostics.h"
#include "read/stream/byte_reader.h"
#include "read/stream/event.h"
#include "read/stream/sequence.h"
#include "read/stream/session.h"
#include "read/stream/stream_stats.h"
#include "read/stream/stream_watcher.h"

namespace grtrace {

// Reads one stream: a CPU's file, or one in which packets of all CPUs alternate. Returns
// events, RING, TASK, MESSAGE, SAMPLE and LOST in the stream's order. Does not return
// PACKET, STOP, STREAM_INFO and METADATA records, whose facts are in the statistics and in
// the session at once, nor anything in a packet of GRTRACE_CPU_NONE, which repeats the
// tables and belongs to no CPU.
class Decoder {
public:
	// All arguments must outlive the decoder.
	Decoder(std::string file, ByteReader &in, Session &session, StreamStats &stats,
		Diagnostics &diagnostics);

	Next next(Event &event)
	{
		if (!sees_plain())
			return next_other(event);
		take_plain(event);
		return Next::event;
	}

	// Nearly all records are plain: an event of version 1.0, in the middle of a packet
	// and of the window. This struct has the facts about such a record that are not in
	// its bytes.
	struct Plain {
		const uint8_t *raw;
		uint64_t ts;
		uint64_t cseq;
	};

	// Returns whether the next record is plain. If so, plain_gseq() is its gseq.
	bool sees_plain() const;
	uint64_t plain_gseq() const;
	// Consumes plain records as long as takes(gseq, plain) returns true. takes() has to
	// refuse a gseq that goes back.
	template <typename Takes> void pass_plain(Takes takes);
	// Makes an event of a plain record. Since that record only plain records may have
	// been read.
	void read_plain(const Plain &plain, uint64_t gseq, Event &event) const;

	// stream: the number of this stream in its events; the watcher must outlive it.
	void watch(uint16_t stream, StreamWatcher *watcher)
	{
		stream_ = stream;
		watcher_ = watcher;
	}

	// Sets the capture number of its events, which is 0 otherwise.
	void set_capture(uint16_t number) { capture_ = number; }

	uint32_t cpu() const { return cpu_; } // of the last packet
	// Returns whether the stream has ended.
	bool ended() const { return ended_; }
	// Reports damage: the end of a CPU's stream is not there.
	void say_no_stop(uint32_t cpu);
	// Returns whether a packet was found, which shows that it is a capture.
	bool is_capture() const { return is_capture_; }
	const std::string &file() const { return file_; }

private:
	// The position of a CPU, as given in a PACKET.
	struct PacketPlace {
		uint64_t ts;
		uint64_t gseq;
		uint64_t cseq;
		uint64_t lost;
	};
	// Whether a gseq fits its neighbours. A stray does not fit, though its neighbours
	// fit each other.
	enum class GseqFault { none, stray, lost_way };

	// A plain record, and the bytes after it that counts_up() reads.
	static constexpr size_t plain_bytes =
		sizeof(grtrace_rec_job_fence) + offsetof(grtrace_rec_seq, pid);

	// Bit n: events of type n always name a second fence.
	static constexpr uint32_t fence_always = 1u << GRTRACE_DEP | 1u << GRTRACE_BLOCKED |
						 1u << GRTRACE_COMMIT | 1u << GRTRACE_CTX_SWITCH;

	static bool always_has_fence(uint16_t type)
	{
		return type < 32 && fence_always >> type & 1;
	}
	static bool is_plain(uint16_t type, uint16_t size);
	static bool counts_up(uint32_t previous, uint32_t seq, const uint8_t *next);
	static uint64_t nearest(uint64_t previous, uint32_t low);
	static EventHead load_head(const uint8_t *raw);
	void take_plain(Event &event);
	Next next_other(Event &event);
	void settle();
	Next resync();
	void begin_damage(std::string reason);
	void end_damage();
	bool packet_looks_right(const uint8_t *record) const;
	bool refused(const uint8_t *record);
	bool begins_another(const uint8_t *record, uint16_t size);
	const char *enter_packet(const uint8_t *record, uint16_t size);
	bool packet_is_far(const PacketPlace &to, const CpuStats &cpu) const;
	const char *check_packet(const PacketPlace &to);
	const char *stop_fault(const PacketPlace &stop) const;
	const char *pass_stop(const uint8_t *record);
	void go_on_at(const PacketPlace &to);
	void note_missing(uint64_t records, uint64_t first_gseq, uint64_t end_gseq, uint64_t to_ts);
	bool is_sequenced(uint16_t type) const;
	NumberRange gseq_range(uint64_t ts) const;
	std::optional<uint64_t> next_gseq(size_t size) const;
	bool rubbish_behind(size_t size) const;
	GseqFault gseq_fault(uint16_t type, uint16_t size);
	void skip_stray(uint16_t size);
	bool pass_repeated(uint16_t type);
	bool lost_is_far(const uint8_t *record) const;
	const char *record_fault(uint16_t type, uint16_t size) const;
	bool decode(Event &event, const uint8_t *record, uint16_t type, uint16_t size);
	void check_features();
	void decode_lost(Event &event);
	void decode_seq(Event &event);
	void decode_job(Event &event);
	void decode_fence(Event &event, const uint8_t *fence);
	void tell_weight();
	void say(uint64_t offset, const std::string &what, bool at_end = true,
		 const char *where = "offset");
	void say_damage(uint64_t offset, const std::string &what, bool at_end);
	void say_cut();
	Next end_of_stream();

	std::string file_;
	ByteReader &in_;
	Session &session_;
	StreamStats &stats_;
	Diagnostics &diagnostics_;
	StreamWatcher *watcher_ = nullptr;
	uint16_t capture_ = 0;
	uint16_t stream_ = 0;

	// The values from which the packet's next record is widened.
	uint64_t ts_ = 0;
	uint64_t gseq_ = 0;
	uint64_t cseq_ = 0;
	uint64_t ctx_hi_ = 0;
	uint32_t cpu_ = GRTRACE_CPU_NONE;
	uint32_t weight_ = 1; // PACKET.sample
	uint32_t told_weight_ = 0; // weight that the statistics have
	bool first_ = false; // no sequenced record of the packet was read
	uint64_t repeated_to_ = 0; // records below this cseq were already read

	// Plain records that are not yet in the statistics.
	uint64_t plain_records_ = 0;
	bool plain_ = false; // the next record may be plain

	bool is_capture_ = false;
	bool in_packet_ = false;
	bool ended_ = false;
	bool damaged_ = false;
	uint64_t damage_start_ = 0;
	std::string damage_reason_;
};

// Does gseq increase to this record, and to the next one, by a plausible step? The next one
// may be a note or a packet, which is then checked more closely.
inline bool Decoder::counts_up(uint32_t previous, uint32_t seq, const uint8_t *next)
{
	const uint32_t next_seq = load32(next + offsetof(grtrace_rec_seq, seq));

	return seq - previous - 1 < unwitnessed_numbers &&
	       static_cast<int32_t>(next_seq - seq) > 0 && load16(next) < GRTRACE_TYPE_LIMIT;
}

// No processor can predict the order of types, so this code does not branch on them. The
// statistics of plain records are updated when a record of another kind comes.
inline bool Decoder::is_plain(uint16_t type, uint16_t size)
{
	using Job = grtrace_rec_job;
	using Fence = grtrace_rec_job_fence;

	// Bit n: events of type n. A SUBMIT is as long as an event with a fence.
	constexpr uint32_t longer = fence_always | 1u << GRTRACE_SUBMIT;
	constexpr uint32_t bare = ((2u << GRTRACE_FENCE) - 2) & ~(longer | 1u << GRTRACE_ERROR);
	const bool is_longer = size == sizeof(Fence);

	static_assert(sizeof(grtrace_rec_submit) == sizeof(Fence));
	return type <= GRTRACE_FENCE && (is_longer || size == sizeof(Job)) &&
	       ((is_longer ? longer : bare) >> type & 1);
}

inline bool Decoder::sees_plain() const
{
	if (!plain_ || in_.available() < plain_bytes)
		return false;

	const uint8_t *raw = in_.data();
	const uint16_t size = load16(raw + 2);

	return is_plain(load16(raw), size) &&
	       counts_up(static_cast<uint32_t>(gseq_), load32(raw + offsetof(grtrace_rec_seq, seq)),
			 raw + size);
}

// Returns the value closest to previous whose lower 32 bits are low: the difference is a
// signed 32-bit number.
inline uint64_t Decoder::nearest(uint64_t previous, uint32_t low)
{
	return previous +
	       static_cast<int64_t>(static_cast<int32_t>(low - static_cast<uint32_t>(previous)));
}

inline uint64_t Decoder::plain_gseq() const
{
	return nearest(gseq_, load32(in_.data() + offsetof(grtrace_rec_seq, seq)));
}

template <typename Takes> void Decoder::pass_plain(Takes takes)
{
	if (!plain_ || in_.available() < plain_bytes)
		return;

	// Kept in local variables because the compiler cannot know that takes() does not
	// change the members.
	const uint8_t *const begin = in_.data();
	const uint8_t *const last = begin + in_.available() - plain_bytes;
	const uint64_t first_cseq = cseq_;
	Plain plain = {begin, ts_, cseq_};
	uint64_t gseq = gseq_;
	uint32_t header = load32(begin);
	uint32_t seq = load32(begin + offsetof(grtrace_rec_seq, seq));

	while (plain.raw <= last) {
		const uint8_t *raw = plain.raw;
		const uint16_t size = static_cast<uint16_t>(header >> 16);
		const uint32_t step = seq - static_cast<uint32_t>(gseq);
		const uint64_t before = plain.ts;

		if (!is_plain(static_cast<uint16_t>(header), size))
			break;
		// Does the same as counts_up(), and keeps the values that the next
		// turn needs.
		const uint32_t next = load32(raw + size);
		const uint32_t next_seq = load32(raw + size + offsetof(grtrace_rec_seq, seq));
		if (step - 1 >= unwitnessed_numbers || static_cast<int32_t>(next_seq - seq) <= 0 ||
		    static_cast<uint16_t>(next) >= GRTRACE_TYPE_LIMIT)
			break;
		plain.ts = nearest(before, load32(raw + offsetof(grtrace_rec_seq, ts)));
		if (!takes(gseq + step, plain)) {
			plain.ts = before;
			break;
		}
		gseq += step;
		plain.cseq++;
		plain.raw += size;
		header = next;
		seq = next_seq;
	}
	if (plain.cseq == first_cseq)
		return;
	stats_.note_gseq(plain_gseq());
	stats_.note_gseq(gseq);
	ts_ = plain.ts;
	gseq_ = gseq;
	cseq_ = plain.cseq;
	plain_records_ += cseq_ - first_cseq;
	in_.consume(static_cast<size_t>(plain.raw - begin));
}

inline EventHead Decoder::load_head(const uint8_t *raw)
{
	using Job = grtrace_rec_job;

	static_assert(sizeof(EventHead) == sizeof(Job));
	static_assert(offsetof(EventHead, arg) == offsetof(Job, arg));
	EventHead head;

	memcpy(&head, raw, sizeof(head));
	if constexpr (std::endian::native == std::endian::big)
		head = {le16toh(head.type),    le16toh(head.size), le32toh(head.ts_low),
			le32toh(head.seq_low), le32toh(head.pid),  le32toh(head.ctx_low),
			le32toh(head.seqno),   le32toh(head.ring), le16toh(head.flags),
			le16toh(head.arg)};
	return head;
}

inline void Decoder::read_plain(const Plain &plain, uint64_t gseq, Event &event) const
{
	using Job = grtrace_rec_job;
	using Fence = grtrace_rec_job_fence;

	// Every field of the event is set below; this fails if a field is added.
	static_assert(sizeof(Event) == 120);

	// All loads come before the stores, because the compiler must assume that they may
	// overlap. A value that is needed at once is loaded by itself: extracting it from a
	// wider load is slower.
	const uint8_t *raw = plain.raw;
	const EventHead head = load_head(raw);
	const uint32_t header = load32(raw);
	const uint32_t ctx_lo = load32(raw + offsetof(Job, ctx));
	const uint32_t fence_lo = load32(raw + offsetof(Fence, fence_ctx));
	const uint32_t fence_seqno = load32(raw + offsetof(Fence, fence_seqno));

	const bool fence = always_has_fence(static_cast<uint16_t>(header));
	// If the record has no fence, these are the next record's bytes, and the mask
	// clears them. The compiler would turn a choice into a branch.
	const uint64_t mask = -static_cast<uint64_t>(fence);
	const uint64_t ctx = ctx_hi_ | ctx_lo;

	static_cast<EventHead &>(event) = head;
	event.ts = plain.ts;
	event.gseq = gseq;
	event.cseq = plain.cseq;
	event.ctx = ctx;
	event.fence_ctx = nearest(ctx, fence_lo) & mask;
	event.raw = raw;
	event.cpu = cpu_;
	event.fence_seqno = fence_seqno & static_cast<uint32_t>(mask);
	event.kind = 0;
	event.code = 0;
	event.weight = weight_ == 1 || Event::is_never_sampled(head.type) ? 1 : weight_;
	event.has_fence = fence;
	event.sequenced = true;
	event.capture = capture_;
	event.stream = stream_;
	event.offset = in_.offset_of(raw);
}

inline void Decoder::take_plain(Event &event)
{
	const uint8_t *raw = in_.data();

	gseq_ = plain_gseq();
	ts_ = nearest(ts_, load32(raw + offsetof(grtrace_rec_seq, ts)));
	read_plain({raw, ts_, cseq_}, gseq_, event);
	cseq_++;
	plain_records_++;
	stats_.note_gseq(event.gseq);
	in_.consume(event.size);
}

} // namespace grtrace
