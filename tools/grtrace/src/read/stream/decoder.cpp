// SPDX-License-Identifier: GPL-2.0
//
// The path of all records except plain ones: each check that a hostile byte could fail comes
// before its value is used.
#include "read/stream/decoder.h"

#include <algorithm>
#include <cstring>

#include "format/vocabulary.h"

namespace grtrace {

using Fill = ByteReader::Fill;

// If a later version extends the PACKET record, it will not exceed this size, which
// limits what a search accepts as a packet.
constexpr uint16_t max_packet_size = 1024;

constexpr size_t magic_offset = offsetof(grtrace_rec_packet, magic);

Decoder::Decoder(std::string file, ByteReader &in, Session &session, StreamStats &stats,
		 Diagnostics &diagnostics)
	: file_(std::move(file)), in_(in), session_(session), stats_(stats),
	  diagnostics_(diagnostics)
{
}

void Decoder::say(uint64_t offset, const std::string &what, bool at_end, const char *where)
{
	if (watcher_)
		watcher_->damaged(stream_, offset, what, at_end);
	else
		diagnostics_.error(fmt::format("{}: {} {}: {}", file_, where, offset, what));
}

void Decoder::say_damage(uint64_t offset, const std::string &what, bool at_end)
{
	say(offset, what, at_end, "damaged at offset");
}

// Updates the statistics.
void Decoder::settle()
{
	if (!plain_records_)
		return;

	CpuStats &cpu = stats_.cpus[cpu_];
	cpu.next_cseq = cseq_;
	cpu.last_ts = ts_;
	cpu.last_gseq = gseq_;
	cpu.records += plain_records_;
	stats_.records += plain_records_;
	stats_.events += plain_records_;
	plain_records_ = 0;
}

void Decoder::begin_damage(std::string reason)
{
	damaged_ = true;
	in_packet_ = false;
	damage_start_ = in_.offset();
	damage_reason_ = std::move(reason);
	stats_.damaged_places++;
	// The same bytes must not be taken for a packet again.
	size_t skip = in_.available() ? 1 : 0;
	in_.consume(skip);
	stats_.damaged_bytes += skip;
}

void Decoder::end_damage()
{
	damaged_ = false;
	bool at_end = !in_.available();

	say_damage(damage_start_,
		   fmt::format("{}; {} bytes skipped{}", damage_reason_,
			       in_.offset() - damage_start_,
			       at_end ? "" : ", going on at the next packet"),
		   at_end);
}

bool Decoder::packet_looks_right(const uint8_t *record) const
{
	using Packet = grtrace_rec_packet;

	uint16_t size = load16(record + 2);
	uint32_t cpu = load32(record + offsetof(Packet, cpu));
	uint64_t session = load64(record + offsetof(Packet, session));

	return load16(record) == GRTRACE_PACKET && size >= sizeof(Packet) &&
	       size <= max_packet_size && size % 8 == 0 &&
	       load32(record + magic_offset) == GRTRACE_MAGIC && is_our_version(record) &&
	       (cpu < StreamStats::max_cpus || cpu == GRTRACE_CPU_NONE) && session != 0;
}

// Continues at the next packet, or at the end.
Next Decoder::resync()
{
	static const uint8_t magic[] = {'G', 'R', 'T', 'R'};
	static_assert(GRTRACE_MAGIC == 0x52545247);

	for (;;) {
		Fill fill = in_.fill(sizeof(grtrace_rec_packet));
		if (fill == Fill::again)
			return Next::again;
		if (fill == Fill::end) {
			stats_.damaged_bytes += in_.available();
			in_.consume(in_.available());
			if (is_capture_)
				end_damage();
			return Next::end;
		}

		// Only considers places where the whole PACKET record is visible.
		const uint8_t *data = in_.data();
		size_t places = in_.available() - sizeof(grtrace_rec_packet) + 1;
		const void *hit = memmem(data + magic_offset, places - 1 + sizeof(magic), magic,
					 sizeof(magic));
		size_t skip = places;
		bool found = false;

		if (hit) {
			skip = static_cast<const uint8_t *>(hit) - data - magic_offset;
			found = packet_looks_right(data + skip);
			skip += !found;
		}
		in_.consume(skip);
		stats_.damaged_bytes += skip;
		if (found) {
			end_damage();
			return Next::event;
		}
	}
}

// A stream that begins with something known that this program cannot read gets its own
// sentence instead of "damaged".
bool Decoder::refused(const uint8_t *record)
{
	static const uint8_t swapped[] = {'R', 'T', 'R', 'G'};

	if (!memcmp(record + magic_offset, swapped, sizeof(swapped))) {
		say(0, "the bytes are in big-endian order; a capture is always little endian: get "
		       "it again from where it was recorded, unconverted");
		return true;
	}
	if (load32(record + magic_offset) != GRTRACE_MAGIC)
		return false;

	uint16_t major = load16(record + offsetof(grtrace_rec_packet, major));
	uint16_t minor = load16(record + offsetof(grtrace_rec_packet, minor));
	if (load16(record) != GRTRACE_PACKET || is_our_version(record))
		return false;
	say(0, fmt::format("the capture has format version {}.{}, this program reads {}.{}: use "
			   "the grparse of the kernel that recorded it",
			   major, minor, GRTRACE_VERSION_MAJOR, GRTRACE_VERSION_MINOR));
	return true;
}

// Returns whether the recording of another session begins here, behind a first one in the same
// file: with that session's STREAM_INFO. Such a file was made by joining two.
bool Decoder::begins_another(const uint8_t *record, uint16_t size)
{
	using Packet = grtrace_rec_packet;
	using Info = grtrace_rec_stream_info;

	const uint64_t id = load64(record + offsetof(Packet, session));

	if (!in_.offset() || in_.fill(size + sizeof(Info)) != Fill::ok)
		return false;
	const uint8_t *info = in_.data() + size;
	if (load16(info) != GRTRACE_STREAM_INFO || load64(info + offsetof(Info, session)) != id)
		return false;
	session_.refused = true;
	session_.joined = fmt::format(
		"{}: offset {}: the recording of another session begins here, and a file holds "
		"one: split it, head -c {} and tail -c +{}, and name both files",
		file_, in_.offset(), in_.offset(), in_.offset() + 1);
	return true;
}

// Returns why it cannot be a packet, or nullptr.
const char *Decoder::enter_packet(const uint8_t *record, uint16_t size)
{
	using Packet = grtrace_rec_packet;

	const PacketPlace place = {.ts = load64(record + offsetof(Packet, ts)),
				   .gseq = load64(record + offsetof(Packet, gseq)),
				   .cseq = load64(record + offsetof(Packet, cseq)),
				   .lost = load64(record + offsetof(Packet, lost))};

	cpu_ = load32(record + offsetof(Packet, cpu));
	repeated_to_ = 0;
	if (cpu_ != GRTRACE_CPU_NONE) {
		if (!session_.have_info && !session_.start_ts)
			session_.start_ts = place.ts;
		if (const char *fault = check_packet(place))
			return fault;
		weight_ = std::max(load32(record + offsetof(Packet, sample)), 1u);
	}

	is_capture_ = true;
	in_packet_ = true;
	first_ = true;
	ts_ = place.ts;
	gseq_ = place.gseq;
	cseq_ = place.cseq;
	ctx_hi_ = static_cast<uint64_t>(load32(record + offsetof(Packet, ctx_hi))) << 32;
	if (repeated_to_)
		return nullptr;
	if (watcher_)
		watcher_->packet(stream_, in_.offset(), record);
	stats_.packets++;
	stats_.skipped_tails += size > sizeof(Packet);
	if (cpu_ != GRTRACE_CPU_NONE)
		go_on_at(place);
	return nullptr;
}

// Returns whether the type takes a place in the sequence. An unknown event does, and a note
// that a later version has for it.
bool Decoder::is_sequenced(uint16_t type) const
{
	return cpu_ != GRTRACE_CPU_NONE &&
	       (type < GRTRACE_TYPE_LIMIT || type == GRTRACE_RING || type == GRTRACE_TASK ||
		type == GRTRACE_MESSAGE || type == GRTRACE_SAMPLE || type == GRTRACE_FENCE_NAME ||
		(type >= GRTRACE_LATER_SEQ_FIRST && type <= GRTRACE_LATER_SEQ_LAST));
}

// Returns why this cannot be a record, or nullptr.
const char *Decoder::record_fault(uint16_t type, uint16_t size) const
{
	if (size < 8)
		return "a record shorter than 8 bytes";
	if (size % 8)
		return "a record whose size is not a multiple of 8";
	if (type == 0)
		return "a record of type 0";

	const RecordKind *kind = record_kind(type);
	if (kind && size < kind->min_size)
		return "a record too short for its type";
	if (!kind && is_sequenced(type) && size < sizeof(grtrace_rec_seq))
		return type < GRTRACE_TYPE_LIMIT ? "an event too short" : "a note too short";
	if (!in_packet_ && type != GRTRACE_PACKET)
		return cpu_ != GRTRACE_CPU_NONE && stats_.cpus[cpu_].stopped && !damaged_ ?
			       "a record after the STOP of its CPU" :
			       "no packet begins here";
	return nullptr;
}

// Unknown features are reported once, not for each file.
void Decoder::check_features()
{
	const uint64_t unknown = session_.unknown_features();

	if (session_.must_refuse() && !session_.refused) {
		session_.refused = true;
		say(in_.offset(),
		    fmt::format(
			    "the capture has features that a reader has to know, and this program "
			    "does not ({}): use the grparse of the kernel that recorded it",
			    feature_text(unknown >> 32 << 32)));
	} else if (unknown && !session_.told_features) {
		session_.told_features = true;
		if (!watcher_)
			diagnostics_.warn(fmt::format("{}: the capture has features that this "
						      "program does not know and ignores: {}",
						      file_, feature_text(unknown)));
	}
}

void Decoder::decode_lost(Event &event)
{
	CpuStats &cpu = stats_.cpu(cpu_);
	Lost lost = lost_of(event);

	// LOST has no sequence number: it comes right after the CPU's last record,
	// which may be in a much earlier packet. See LossQueue.
	event.sequenced = false;
	event.ts = lost.first_ts;
	event.gseq = cpu.last_gseq;
	event.cseq = cseq_;
	cseq_ += lost.records();
	cpu.next_cseq = cseq_;
	cpu.lost = add_up(cpu.lost, lost.records());
	stats_.lost_events = add_up(stats_.lost_events, lost.events);
	stats_.lost_notes = add_up(stats_.lost_notes, lost.notes);
	stats_.lost_limited = add_up(stats_.lost_limited, lost.limited);
	stats_.lost_pressure = add_up(stats_.lost_pressure, lost.pressure);
	stats_.add_place({LossPlace::Kind::lost, cpu_, lost.records(), lost.first_ts, lost.last_ts,
			  lost.limited, lost.pressure});
}

void Decoder::decode_seq(Event &event)
{
	const uint8_t *raw = event.raw;
	uint32_t ts = load32(raw + offsetof(grtrace_rec_seq, ts));
	uint32_t seq = load32(raw + offsetof(grtrace_rec_seq, seq));

	ts_ = nearest(ts_, ts);
	gseq_ = nearest(gseq_, seq);
	first_ = false;
	event.sequenced = true;
	event.ts = ts_;
	event.cseq = cseq_++;
	event.gseq = gseq_;
	event.pid = load32(raw + offsetof(grtrace_rec_seq, pid));

	CpuStats &cpu = stats_.cpus[cpu_];
	cpu.next_cseq = cseq_;
	cpu.last_ts = ts_;
	cpu.last_gseq = event.gseq;
	cpu.records++;
	stats_.records++;
	stats_.note_gseq(event.gseq);
}

// Only sampled events have a weight: packets may come before the first of them.
void Decoder::tell_weight()
{
	told_weight_ = weight_;
	stats_.sample_least = std::min(stats_.sample_least, weight_);
	stats_.sample_most = std::max(stats_.sample_most, weight_);
}

void Decoder::decode_job(Event &event)
{
	using Job = grtrace_rec_job;

	const uint8_t *raw = event.raw;

	stats_.events++;
	if (!Event::is_never_sampled(event.type)) {
		event.weight = weight_;
		if (weight_ != told_weight_)
			tell_weight();
	}
	// The type is unknown, or not about a job.
	if (event.size < sizeof(Job) || event.type == GRTRACE_IOCTL)
		return;
	event.ctx = ctx_hi_ | load32(raw + offsetof(Job, ctx));
	event.seqno = load32(raw + offsetof(Job, seqno));
	event.ring = load32(raw + offsetof(Job, ring));
	event.flags = load16(raw + offsetof(Job, flags));
	event.arg = load16(raw + offsetof(Job, arg));

	if (event.type == GRTRACE_ERROR) {
		event.kind = load32(raw + offsetof(grtrace_rec_error, kind));
		event.code = static_cast<int32_t>(load32(raw + offsetof(grtrace_rec_error, code)));
		return;
	}

	if (always_has_fence(event.type))
		decode_fence(event, raw + offsetof(grtrace_rec_job_fence, fence_ctx));
	else if (event.type == GRTRACE_SUBMIT && is_answered(event) &&
		 load64(raw + offsetof(grtrace_rec_command, fence_ctx)))
		decode_fence(event, raw + offsetof(grtrace_rec_command, fence_ctx));
}

// The context of a fence is followed by its seqno in each record.
void Decoder::decode_fence(Event &event, const uint8_t *fence)
{
	event.has_fence = true;
	event.fence_ctx = nearest(event.ctx, load32(fence));
	event.fence_seqno = load32(fence + sizeof(__le32));
}

// Returns true if there is an event to return.
bool Decoder::decode(Event &event, const uint8_t *record, uint16_t type, uint16_t size)
{
	const RecordKind *kind = record_kind(type);

	if (!kind)
		stats_.skipped_records++;
	else
		stats_.skipped_tails += size > kind->max_size;

	const bool sequenced = is_sequenced(type);
	const bool lost = type == GRTRACE_LOST && cpu_ != GRTRACE_CPU_NONE;
	const bool table = !sequenced && !lost;

	if (table)
		session_.learn(record, type, size);
	if (type == GRTRACE_STREAM_INFO)
		check_features();
	// The watcher reads it from the session.
	if (watcher_ && !sequenced)
		watcher_->note(stream_, in_.offset(), record);
	if (table)
		return false;

	event = {};
	event.raw = record;
	event.type = type;
	event.size = size;
	event.cpu = cpu_;
	event.weight = 1;
	event.capture = capture_;
	event.stream = stream_;
	event.offset = in_.offset();
	if (lost) {
		decode_lost(event);
		return true;
	}
	decode_seq(event);
	if (type < GRTRACE_TYPE_LIMIT)
		decode_job(event);
	else if (type == GRTRACE_SAMPLE)
		stats_.sample_changes++;
	else if (type == GRTRACE_FENCE_NAME)
		event.ctx = load64(record + offsetof(grtrace_rec_fence_name, ctx));
	return true;
}

void Decoder::say_no_stop(uint32_t cpu)
{
	stats_.damaged_places++;
	say_damage(
		in_.offset(),
		fmt::format("the recording was finished, and CPU {} has no STOP: its end was cut "
			    "off, or was not read",
			    cpu),
		true);
}

void Decoder::say_cut()
{
	begin_damage(fmt::format("the file ends inside a record, {} bytes after its start",
				 in_.available()));
}

Next Decoder::end_of_stream()
{
	ended_ = true;
	stats_.bytes += in_.offset();
	if (in_.error())
		say(in_.offset(), fmt::format("cannot read on: {}", strerror(in_.error())));
	else if (!is_capture_ && in_.offset())
		say(0, fmt::format("this is not a grtrace capture: no packet in its {} bytes",
				   in_.offset()));
	return Next::end;
}

Next Decoder::next_other(Event &event)
{
	settle();
	plain_ = false;
	if (ended_)
		return Next::end;

	for (;;) {
		if (session_.refused)
			return end_of_stream();
		if (damaged_) {
			Next found = resync();
			if (found == Next::again)
				return Next::again;
			if (found == Next::end)
				return end_of_stream();
		}

		Fill fill = in_.fill(8);
		if (fill == Fill::again)
			return Next::again;
		if (fill == Fill::end) {
			if (!in_.available())
				return end_of_stream();
			say_cut();
			continue;
		}

		// The very first record is treated as a packet, whatever its type is.
		if (in_.offset() == 0) {
			fill = in_.fill(sizeof(grtrace_rec_packet));
			if (fill == Fill::again)
				return Next::again;
			if (fill == Fill::ok && refused(in_.data())) {
				ended_ = true;
				return Next::end;
			}
		}

		uint16_t type = load16(in_.data());
		uint16_t size = load16(in_.data() + 2);
		if (const char *fault = record_fault(type, size)) {
			begin_damage(fmt::format("{} (type {:#x}, size {})", fault, type, size));
			continue;
		}

		fill = in_.fill(size);
		if (fill == Fill::again)
			return Next::again;
		if (fill == Fill::end) {
			say_cut();
			continue;
		}

		if (type != GRTRACE_PACKET && pass_repeated(type)) {
			in_.consume(size);
			continue;
		}
		if (type == GRTRACE_LOST && lost_is_far(in_.data())) {
			begin_damage("a LOST of more records than there can be in its time");
			continue;
		}
		if (type == GRTRACE_STOP && cpu_ != GRTRACE_CPU_NONE) {
			if (const char *fault = pass_stop(in_.data()))
				begin_damage(fault);
			else
				in_.consume(size);
			continue;
		}
		const GseqFault gseq = gseq_fault(type, size);
		if (gseq == GseqFault::stray) {
			skip_stray(size);
			continue;
		}
		if (gseq == GseqFault::lost_way) {
			begin_damage("a record whose gseq is far from that of the record before "
				     "it, or not above it");
			continue;
		}

		const uint8_t *record = in_.data();
		if (type != GRTRACE_PACKET) {
			bool wanted = decode(event, record, type, size);
			in_.consume(size);
			// In a repeated packet gseq_ may be old.
			plain_ = cpu_ != GRTRACE_CPU_NONE && weight_ == told_weight_ &&
				 !repeated_to_;
			if (wanted)
				return Next::event;
			continue;
		}
		if (!packet_looks_right(record)) {
			begin_damage("a packet with impossible fields");
			continue;
		}
		const uint64_t id = load64(record + offsetof(grtrace_rec_packet, session));
		if (session_.id && session_.id != id) {
			if (begins_another(record, size))
				continue;
			begin_damage(fmt::format(
				"a packet of session {:#x} in a capture of session {:#x}; remove "
				"what is left over from another recording",
				id, session_.id));
			continue;
		}
		session_.id = id;
		if (const char *fault = enter_packet(record, size)) {
			begin_damage(fault);
			continue;
		}
		in_.consume(size);
	}
}

} // namespace grtrace
