// SPDX-License-Identifier: GPL-2.0
//
// Decoder: bytes in, events out.
//
// The format is that of include/uapi/drm/grtrace_drm.h, whose DOC is the only
// description; this is its reader. Words: a *record* is a header with a size
// and what follows, a *packet* is a PACKET record and all records up to the
// next one. The parts that a record lacks (CPU, upper halves, cseq) come from
// its packet.
//
//	offset 0                                        a file is packets, only
//	| PACKET | SUBMIT | TASK | ... | PACKET | LOST | END | ...
//	  cpu,ts   +1 cseq  +1                     +n    +1
//
// No byte is trusted. Bytes that cannot be a record are *damage*: the decoder
// continues at the next PACKET it finds, counts the bytes between, and says where and
// why. The uAPI promises packets at 8-byte steps; the search here looks at every
// byte, so that bytes missing from the middle of a file do not hide all that follow.
// A packet found by searching has to look right in every field that can be checked.
//
// gseq counts up on a CPU. A record whose number does not count up, or is too
// far off, while its neighbours' numbers are right, is damage by itself: a
// *stray*. If no neighbour helps, the rest of the packet is damage.
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

// Reads one stream: a CPU's file, or one where packets of all CPUs alternate.
// Hands out events, RING, TASK, MESSAGE, SAMPLE and LOST in the stream's order.
// Keeps everything that is not an event: PACKETs, STREAM_INFO and METADATA (learned
// by the session at once), and everything in a packet of GRTRACE_CPU_NONE,
// which repeats the tables and belongs to no CPU.
class Decoder {
public:
	// All of them must outlive the decoder.
	Decoder(std::string file, ByteReader &in, Session &session, StreamStats &stats,
		Diagnostics &diagnostics);

	Next next(Event &event)
	{
		if (!sees_plain())
			return next_other(event);
		take_plain(event);
		return Next::event;
	}

	// The path of nearly all records: an event of version 1.0, in the middle
	// of a packet and of the window. The facts about such a record that its
	// bytes do not have.
	struct Plain {
		const uint8_t *raw;
		uint64_t ts;
		uint64_t cseq;
	};

	// Is the next record such a one? Then this is its gseq (not in a session
	// without).
	bool sees_plain() const;
	uint64_t plain_gseq() const;
	// Passes plain records by as long as takes(gseq, plain) says so; one
	// that it refuses stays. It has to refuse a gseq that goes back.
	template <typename Takes> void pass_plain(Takes takes);
	// Makes it an event, while nothing but plain records was read after it.
	void read_plain(const Plain &plain, uint64_t gseq, Event &event) const;

	// stream: the number of its events; the watcher must outlive it.
	void watch(uint16_t stream, StreamWatcher *watcher)
	{
		stream_ = stream;
		watcher_ = watcher;
	}

	// The number of its events' capture, 0 else.
	void set_capture(uint16_t number) { capture_ = number; }

	uint32_t cpu() const { return cpu_; } // of the last packet
	// There is nothing more.
	bool ended() const { return ended_; }
	// A packet was found, so it is a capture.
	bool is_capture() const { return is_capture_; }
	const std::string &file() const { return file_; }

private:
	// The position of a CPU, as a PACKET states it.
	struct PacketPlace {
		uint64_t ts;
		uint64_t gseq;
		uint64_t cseq;
		uint64_t lost;
	};
	// Does a gseq fit its neighbours? A stray's does not, while theirs fit
	// each other.
	enum class GseqFault { none, stray, lost_way };

	// A plain record, and what counts_up() looks at behind it.
	static constexpr size_t plain_bytes =
		sizeof(grtrace_rec_job_fence) + offsetof(grtrace_rec_seq, pid);

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
	const char *enter_packet(const uint8_t *record, uint16_t size);
	bool packet_is_far(const PacketPlace &to, const CpuStats &cpu) const;
	const char *check_packet(const PacketPlace &to);
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
	void learn_table(const uint8_t *record, uint16_t type, uint16_t size);
	void decode_lost(Event &event);
	void decode_seq(Event &event);
	void decode_job(Event &event);
	void tell_weight();
	void say(uint64_t offset, const std::string &what, bool at_end = true);
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

	// Where the packet's widening stands.
	uint64_t ts_ = 0;
	uint64_t gseq_ = 0;
	uint64_t cseq_ = 0;
	uint64_t ctx_hi_ = 0;
	uint32_t cpu_ = GRTRACE_CPU_NONE;
	uint32_t weight_ = 1; // PACKET.sample
	uint32_t told_weight_ = 0; // in the statistics
	bool first_ = false; // no sequenced record of the packet was read
	uint64_t repeated_to_ = 0; // records below this cseq were read before

	// Plain ones that are not yet in the statistics.
	uint64_t plain_records_ = 0;
	bool plain_ = false; // the next record may be one

	bool is_capture_ = false;
	bool in_packet_ = false;
	bool ended_ = false;
	bool damaged_ = false;
	uint64_t damage_start_ = 0;
	std::string damage_reason_;
};

// Does gseq count up to this record, and to the next, by a credible step? A note
// or a packet may be there, which is looked at more closely.
inline bool Decoder::counts_up(uint32_t previous, uint32_t seq, const uint8_t *next)
{
	const uint32_t next_seq = load32(next + offsetof(grtrace_rec_seq, seq));

	return seq - previous - 1 < unwitnessed_numbers &&
	       static_cast<int32_t>(next_seq - seq) > 0 && load16(next) < GRTRACE_TYPE_LIMIT;
}

// Types come in an order that no processor foresees, so nothing here branches on
// them; and what the statistics need of such a record waits until one comes that
// is different.
inline bool Decoder::is_plain(uint16_t type, uint16_t size)
{
	using Job = grtrace_rec_job;
	using Fence = grtrace_rec_job_fence;

	// Bit n: events of type n.
	constexpr uint32_t fence_always = 1u << GRTRACE_DEP | 1u << GRTRACE_BLOCKED |
					  1u << GRTRACE_COMMIT | 1u << GRTRACE_CTX_SWITCH;
	constexpr uint32_t may_have_fence = fence_always | 1u << GRTRACE_SUBMIT;
	constexpr uint32_t may_be_bare =
		((2u << GRTRACE_FENCE) - 2) & ~(fence_always | 1u << GRTRACE_ERROR);
	const bool fence = size == sizeof(Fence);

	return type <= GRTRACE_FENCE && (fence || size == sizeof(Job)) &&
	       ((fence ? may_have_fence : may_be_bare) >> type & 1);
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

// The value that ends with these 32 bits: a signed 32-bit difference.
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

	// The compiler does not know that takes() does not change them.
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
		// As counts_up(), with what the next turn needs as well.
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

	// Every field of the event is set below, and a new one must be.
	static_assert(sizeof(Event) == 120);

	// All loads before the stores, which could be to the same bytes for
	// all that the compiler knows. Values that are needed at once are loaded on its
	// own: no processor takes it out of a wider load without a detour.
	const uint8_t *raw = plain.raw;
	const EventHead head = load_head(raw);
	const uint32_t header = load32(raw);
	const uint32_t ctx_lo = load32(raw + offsetof(Job, ctx));
	const uint32_t fence_lo = load32(raw + offsetof(Fence, fence_ctx));
	const uint32_t fence_seqno = load32(raw + offsetof(Fence, fence_seqno));

	const bool fence = header >> 16 == sizeof(Fence);
	// Without a fence these are the next record's bytes, and masked: of a
	// choice, the compiler would make a branch.
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
	read_plain({raw, ts_, cseq_}, session_.order_clock() ? cseq_ : gseq_, event);
	cseq_++;
	plain_records_++;
	stats_.note_gseq(event.gseq);
	in_.consume(event.size);
}

} // namespace grtrace
