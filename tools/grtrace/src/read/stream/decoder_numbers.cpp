// SPDX-License-Identifier: GPL-2.0
//
// Decoder: checks which numbers of records and packets are plausible, and finds missing
// records.
#include "read/stream/decoder.h"

#include <algorithm>

namespace grtrace {

// Records of the CPU are missing without a LOST that reports them; their gseqs are
// within the range.
void Decoder::note_missing(uint64_t records, uint64_t first_gseq, uint64_t end_gseq, uint64_t to_ts)
{
	CpuStats &cpu = stats_.cpu(cpu_);
	const uint64_t from = cpu.seen ? cpu.last_ts : session_.start_ts;

	cpu.missing = add_up(cpu.missing, records);
	records = stats_.holes.jump(first_gseq, end_gseq, records);
	if (!records)
		return;
	stats_.missing = add_up(stats_.missing, records);
	stats_.add_place({LossPlace::Kind::missing, cpu_, records, from, to_ts});
	// The missing records are after the previous record.
	const uint64_t begin = from + (cpu.records != 0);
	stats_.gaps.push_back({begin, std::max(begin, to_ts), cpu_, records});
}

// Returns whether the numbers are too far from the CPU's previous packet for the time
// in between.
bool Decoder::packet_is_far(const PacketPlace &to, const CpuStats &cpu) const
{
	const uint64_t start = session_.have_info ? session_.start_ts : 0;
	const uint64_t room = numbers_between(to.ts, cpu.records ? cpu.last_ts : start);

	if (to.cseq > most_numbers || to.cseq > add_up(cpu.next_cseq, room) ||
	    to.lost > add_up(cpu.kernel_lost, room))
		return true;
	return to.gseq > add_up(cpu.last_gseq, room) ||
	       add_up(to.gseq, near_numbers) < cpu.last_gseq;
}

// Compares the position in the packet with the end of the previous one. Returns why it
// cannot be one, or nullptr.
const char *Decoder::check_packet(const PacketPlace &to)
{
	CpuStats &cpu = stats_.cpu(cpu_);

	if (cpu.seen && cpu.stream != stream_)
		return "a packet of a CPU that has another file";
	if (packet_is_far(to, cpu))
		return "a packet with numbers far from those before it on its CPU";
	if (cpu.stopped && to.cseq >= cpu.next_cseq)
		return "a packet after the STOP of its CPU";
	if (to.cseq < cpu.next_cseq) {
		if (cpu.records && to.gseq > cpu.last_gseq)
			return "a packet whose cseq goes back on its CPU";
		repeated_to_ = cpu.next_cseq;
		stats_.repeated_packets++;
		say(in_.offset(),
		    fmt::format("the packet of CPU {} begins at record {} though record {} was the "
				"last: it is repeated here, and read once",
				cpu_, to.cseq, cpu.next_cseq - 1),
		    false);
		return nullptr;
	}
	if (cpu.records && to.gseq <= cpu.last_gseq)
		return "a packet whose gseq goes back on its CPU";
	return nullptr;
}

void Decoder::go_on_at(const PacketPlace &to)
{
	CpuStats &cpu = stats_.cpus[cpu_];

	if (to.cseq > cpu.next_cseq)
		note_missing(to.cseq - cpu.next_cseq, cpu.base_gseq, to.gseq, to.ts);
	if (to.lost < cpu.kernel_lost) {
		stats_.damaged_places++;
		say_damage(in_.offset(),
			   fmt::format("{} records were lost on CPU {} so far, though there were "
				       "{} before; one of the numbers is damaged",
				       to.lost, cpu_, cpu.kernel_lost),
			   false);
	}
	cpu.seen = true;
	cpu.stream = stream_;
	cpu.next_cseq = to.cseq;
	cpu.base_gseq = to.gseq;
	cpu.kernel_lost = to.lost;
}

// Returns why a STOP cannot be the end of its CPU's stream, or nullptr.
const char *Decoder::stop_fault(const PacketPlace &stop) const
{
	const CpuStats &cpu = stats_.cpus[cpu_];

	if (packet_is_far(stop, cpu))
		return "a STOP with numbers far from those before it on its CPU";
	if (stop.cseq < cpu.next_cseq)
		return "a STOP whose cseq goes back on its CPU";
	if (cpu.records && stop.gseq <= cpu.last_gseq)
		return "a STOP whose gseq goes back on its CPU";
	return nullptr;
}

// Nothing of the CPU follows. Numbers that it leaves out are missing, as at a packet.
const char *Decoder::pass_stop(const uint8_t *record)
{
	using Stop = grtrace_rec_stop;

	const PacketPlace stop = {.ts = load64(record + offsetof(Stop, ts)),
				  .gseq = load64(record + offsetof(Stop, gseq)),
				  .cseq = load64(record + offsetof(Stop, cseq)),
				  .lost = load64(record + offsetof(Stop, lost))};
	CpuStats &cpu = stats_.cpus[cpu_];

	// Its packet was read before.
	if (cpu.stopped)
		return nullptr;
	if (const char *fault = stop_fault(stop))
		return fault;
	go_on_at(stop);
	// Every loss has a LOST by now, if that is not missing itself.
	if (stop.lost > add_up(cpu.lost, cpu.missing)) {
		stats_.damaged_places++;
		say_damage(in_.offset(),
			   fmt::format("a STOP says that {} records were lost on CPU {}, though "
				       "{} are known; the number is damaged",
				       stop.lost, cpu_, add_up(cpu.lost, cpu.missing)),
			   false);
	}
	cpu.stopped = true;
	cpu.stop_ts = stop.ts;
	cpu.stop_gseq = stop.gseq;
	if (watcher_)
		watcher_->note(stream_, in_.offset(), record);
	in_packet_ = false;
	return nullptr;
}

// Returns the numbers that a record of that time can have, given the records before it.
NumberRange Decoder::gseq_range(uint64_t ts) const
{
	const CpuStats &cpu = stats_.cpus[cpu_];
	const uint64_t most = add_up(gseq_, numbers_between(ts, ts_));
	uint64_t least = first_ ? take_off(gseq_, near_numbers) : add_up(gseq_, 1);

	if (cpu.records)
		least = std::max(least, cpu.last_gseq + 1);
	return {least, most};
}

// Returns whether the bytes after a record of that size cannot be a record. The end of
// the file does not count.
bool Decoder::rubbish_behind(size_t size) const
{
	const size_t left = in_.available() - size;
	const uint8_t *next = in_.data() + size;

	if (left < 4)
		return false;
	if (record_fault(load16(next), load16(next + 2)))
		return true;
	return load16(next) == GRTRACE_PACKET && left >= sizeof(grtrace_rec_packet) &&
	       !packet_looks_right(next);
}

// Returns what follows a record of that size, if it can be seen: the gseq of a record,
// or that of a packet of the same CPU, which is above all earlier ones. A repeated
// packet does not count.
std::optional<uint64_t> Decoder::next_gseq(size_t size) const
{
	using Packet = grtrace_rec_packet;

	const size_t left = in_.available() - size;
	const uint8_t *next = in_.data() + size;

	if (left < sizeof(grtrace_rec_seq))
		return {};

	const uint16_t type = load16(next);
	const uint16_t next_size = load16(next + 2);
	if (type && is_sequenced(type) && next_size >= sizeof(grtrace_rec_seq) &&
	    next_size % 8 == 0)
		return nearest(gseq_, load32(next + offsetof(grtrace_rec_seq, seq)));
	if (left >= sizeof(Packet) && packet_looks_right(next) &&
	    load64(next + offsetof(Packet, session)) == session_.id &&
	    load32(next + offsetof(Packet, cpu)) == cpu_ &&
	    load64(next + offsetof(Packet, cseq)) > cseq_)
		return load64(next + offsetof(Packet, gseq));
	return {};
}

Decoder::GseqFault Decoder::gseq_fault(uint16_t type, uint16_t size)
{
	if (!is_sequenced(type))
		return GseqFault::none;
	// A neighbour that may never come is not waited for.
	if (!in_.is_live())
		in_.fill(size + sizeof(grtrace_rec_packet));

	const uint8_t *raw = in_.data();
	const uint64_t here = nearest(gseq_, load32(raw + offsetof(grtrace_rec_seq, seq)));
	const NumberRange range =
		gseq_range(nearest(ts_, load32(raw + offsetof(grtrace_rec_seq, ts))));
	const std::optional<uint64_t> next = next_gseq(size);
	const bool fits = range.has(here) &&
			  (here <= add_up(gseq_, unwitnessed_numbers) || !rubbish_behind(size));

	if (fits && (!next || *next > here))
		return GseqFault::none;
	if (next && range.has(*next) && (!first_ || *next >= gseq_))
		return GseqFault::stray;
	return fits ? GseqFault::none : GseqFault::lost_way;
}

// Its neighbours are correct, so reading continues after it.
void Decoder::skip_stray(uint16_t size)
{
	const uint64_t gseq = nearest(gseq_, load32(in_.data() + offsetof(grtrace_rec_seq, seq)));
	const uint64_t next = next_gseq(size).value_or(gseq_);
	const uint64_t offset = in_.offset();

	note_missing(1, first_ ? take_off(gseq_, near_numbers) : gseq_ + 1, next,
		     nearest(ts_, load32(in_.data() + offsetof(grtrace_rec_seq, ts))));
	cseq_++;
	stats_.cpus[cpu_].next_cseq = cseq_;
	in_.consume(size);
	stats_.damaged_bytes += size;
	stats_.damaged_places++;
	say_damage(offset,
		   fmt::format("a record whose gseq is {}, though {} follows; {} bytes skipped, "
			       "going on at the next record",
			       gseq, next, size),
		   false);
}

// Returns how many records a complete LOST record reports.
static uint64_t lost_in(const uint8_t *record)
{
	using Lost = grtrace_rec_lost;

	return add_up(load64(record + offsetof(Lost, events)),
		      load32(record + offsetof(Lost, notes)));
}

bool Decoder::lost_is_far(const uint8_t *record) const
{
	using Lost = grtrace_rec_lost;

	const uint64_t records = lost_in(record);

	return records > numbers_between(load64(record + offsetof(Lost, first_ts)),
					 load64(record + offsetof(Lost, last_ts))) ||
	       add_up(cseq_, records) > most_numbers;
}

// Returns true if the record was read before; then only its numbers count.
bool Decoder::pass_repeated(uint16_t type)
{
	using Seq = grtrace_rec_seq;

	const uint8_t *record = in_.data();

	if (cseq_ >= repeated_to_)
		return false;
	if (is_sequenced(type)) {
		ts_ = nearest(ts_, load32(record + offsetof(Seq, ts)));
		gseq_ = nearest(gseq_, load32(record + offsetof(Seq, seq)));
		first_ = false;
		cseq_++;
	} else if (type == GRTRACE_LOST) {
		cseq_ = add_up(cseq_, lost_in(record));
	}
	// No record of the first copy ended at this place.
	if (cseq_ > repeated_to_)
		repeated_to_ = cseq_ = stats_.cpus[cpu_].next_cseq;
	return true;
}

} // namespace grtrace
