// SPDX-License-Identifier: GPL-2.0
#include "words/verify/verify_streams.h"

#include <algorithm>

#include "format/byte_order.h"

namespace grtrace {

VerifyStreams::Stream &VerifyStreams::stream(uint16_t number)
{
	if (number >= streams_.size())
		streams_.resize(number + 1);
	return streams_[number];
}

VerifyStreams::Sum *VerifyStreams::sum_of(uint32_t cpu)
{
	if (cpu >= StreamStats::max_cpus)
		return nullptr;
	if (cpu >= sums_.size())
		sums_.resize(cpu + 1);
	return &sums_[cpu];
}

// Compares the packet with the known facts; lost_here: the number in the LOST at its
// beginning, 0 without a LOST.
void VerifyStreams::compare(uint32_t cpu, Sum &sum, uint64_t lost_here)
{
	const std::vector<CpuStats> &cpus = capture_.stats().cpus;
	const uint64_t missing = cpu < cpus.size() ? cpus[cpu].missing : 0;
	const uint64_t told = sum.packet_lost;
	uint64_t low = sum.low, high = sum.high + (missing - sum.missing);

	if (!sum.open)
		return;
	sum.open = false;
	sum.missing = missing;
	const bool without = told >= low && told <= high;
	const bool with = told >= lost_here && told - lost_here >= low && told - lost_here <= high;
	if (!without && !with)
		findings_.add(FaultKind::lost_sum, sum.packet,
			      fmt::format("the packet says that {} records were lost on CPU {} so "
					  "far, but LOST records report {}",
					  told, cpu, low));
	// The bounds of what was lost before this packet.
	sum.low = with ? told - lost_here : told;
	sum.high = without ? told : sum.low;
	if (!without && !with)
		sum.high = told;
}

void VerifyStreams::packet(uint16_t number, uint64_t offset, const uint8_t *record)
{
	using Packet = grtrace_rec_packet;

	Stream &here = stream(number);

	here.cpu = load32(record + offsetof(Packet, cpu));
	Sum *sum = sum_of(here.cpu);
	if (!sum)
		return;
	compare(here.cpu, *sum, 0);
	sum->open = true;
	sum->packet_lost = load64(record + offsetof(Packet, lost));
	sum->packet = RecordPlace(number, offset);
}

void VerifyStreams::bad_value(const RecordPlace &place, const std::string &what)
{
	findings_.add(FaultKind::bad_value, place, what);
}

void VerifyStreams::bad_value(Severity severity, const RecordPlace &place, const std::string &what)
{
	findings_.add(FaultKind::bad_value, severity, place, what);
}

void VerifyStreams::check_ring(const RecordPlace &place, const uint8_t *record)
{
	using Ring = grtrace_rec_ring;

	const uint32_t id = load32(record + offsetof(Ring, ring));
	const uint32_t engine = load32(record + offsetof(Ring, engine_class));

	if (id == GRTRACE_RING_NONE)
		bad_value(place, "ring id 0, which means \"no ring\"");
	if (engine >= GRTRACE_CLASS_COUNT && !capture_.session().class_names.contains(engine))
		bad_value(place, fmt::format("ring {} has engine class {}, the last one is {}", id,
					     engine, GRTRACE_CLASS_COUNT - 1));
}

void VerifyStreams::info(const RecordPlace &place, const uint8_t *record)
{
	const uint32_t clock = load32(record + offsetof(grtrace_rec_stream_info, clock));

	if (clock != GRTRACE_CLOCK_MONOTONIC && clock != GRTRACE_CLOCK_BOOTTIME &&
	    clock != GRTRACE_CLOCK_UNKNOWN)
		bad_value(place,
			  fmt::format("STREAM_INFO has clock {}, which does not exist", clock));

	// The decoder refuses unknown features of the upper half.
	const uint64_t unknown = capture_.session().unknown_features() & UINT32_MAX;
	if (!unknown || told_features_)
		return;
	told_features_ = true;
	findings_.add(FaultKind::bad_value, Severity::note, place,
		      fmt::format("STREAM_INFO has features that this program does not know ({}); "
				  "it ignores them",
				  feature_text(unknown)));
}

void VerifyStreams::note(uint16_t number, uint64_t offset, const uint8_t *record)
{
	const RecordPlace place(number, offset);
	const uint16_t type = load16(record);
	Event event = {};

	if (type == GRTRACE_STREAM_INFO)
		return info(place, record);
	if (type == GRTRACE_RING)
		return check_ring(place, record);
	if (type != GRTRACE_LOST)
		return;

	const uint32_t cpu = stream(number).cpu;
	Sum *sum = sum_of(cpu);
	if (!sum)
		return;
	event.raw = record;
	event.size = load16(record + 2);
	const Lost lost = lost_of(event);
	compare(cpu, *sum, lost.records());
	sum->low += lost.records();
	sum->high += lost.records();
	if (!lost.records())
		bad_value(place, "LOST of no records");
	if (lost.last_ts < lost.first_ts)
		bad_value(place, fmt::format("LOST from {} to {}: it ends before it begins",
					     lost.first_ts, lost.last_ts));
	findings_.lost(lost.first_ts, lost.last_ts);
}

void VerifyStreams::damaged(uint16_t number, uint64_t offset, const std::string &what, bool at_end)
{
	findings_.add(FaultKind::damage, RecordPlace(number, offset), what);
	// Otherwise the next packet shows how much is missing.
	if (at_end)
		findings_.lost(now_, UINT64_MAX);
}

void VerifyStreams::finish()
{
	for (uint32_t cpu = 0; cpu < sums_.size(); cpu++)
		compare(cpu, sums_[cpu], 0);
	if (capture_.stats().packets && !capture_.session().have_info)
		findings_.add(FaultKind::no_stream_info,
			      fmt::format("{}: no STREAM_INFO: the clock is unknown; the "
					  "tables were lost or cut off",
					  capture_.name()));
}

} // namespace grtrace
