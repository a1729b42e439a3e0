// SPDX-License-Identifier: GPL-2.0
//
// The output has to be a capture again. When events are left out, later numbers move up,
// because a hole would be read as a loss.
#include "words/packets/stream_writer.h"

#include <algorithm>
#include <cstring>

#include "format/byte_order.h"

namespace grtrace {

static bool has_ctx(const Event &event)
{
	return event.is_event();
}

// Other types always have weight 1.
static bool has_weight(const Event &event)
{
	return event.is_event() && !Event::is_never_sampled(event.type);
}

BinaryWriter::Cpu &BinaryWriter::cpu(uint32_t number)
{
	if (number >= cpus_.size())
		cpus_.resize(number + 1);
	return cpus_[number];
}

void BinaryWriter::skip(const Event &event)
{
	if (!event.sequenced)
		return;
	cpu(event.cpu).left_out++;
	left_out_++;
}

static InfoFacts info_of(const Session &session)
{
	InfoFacts info = {.session = session.id,
			  .features = session.features,
			  .start_ts = session.start_ts,
			  .start_real = session.start_real,
			  .clock = session.clock,
			  .subbuf_size = session.subbuf_size,
			  .n_subbufs = session.n_subbufs,
			  .nr_cpus = session.nr_cpus,
			  .release = session.release};

	memcpy(info.boot_id, session.boot_id, sizeof(info.boot_id));
	return info;
}

static std::string metadata_of(const Session &session)
{
	// The end of each CPU will be written, too: if it is missing then, this was cut.
	std::string text = "state stopped\n";

	for (const Source &source : session.sources) {
		std::string line =
			fmt::format("source {} {} {}\n", source.name, source.found, source.known);
		if (text.size() + line.size() < 4096)
			text += line;
	}
	for (const Model &model : session.models) {
		std::string line =
			fmt::format("device {} {} {}\n", model.device, model.bus, model.id);
		if (text.size() + line.size() < 4096)
			text += line;
	}
	for (const auto &[type, event] : session.event_names)
		text += fmt::format("event {} {} {}\n", type, event.name, event.letter);
	for (const auto &[number, name] : session.class_names)
		text += fmt::format("class {} {}\n", number, name);
	if (!session.recorder.empty())
		text += fmt::format("recorder {}\n", session.recorder.substr(0, 32));
	if (session.rings_full)
		text += fmt::format("rings_full {}\n", session.rings_full);
	for (const std::string &fact : session.untold) {
		if (text.size() + fact.size() < 4096)
			text += fmt::format("untold {}\n", fact);
	}
	if (!session.snapshot_reason.empty())
		text += fmt::format("snapshot {} {}\n", session.snapshot_reason.substr(0, 32),
				    session.snapshot_ts);
	return text;
}

void BinaryWriter::write_tables()
{
	tables_written_ = true;
	packet_.open({.session = session_.id, .ts = session_.start_ts});
	if (session_.have_info)
		packet_.add_info(info_of(session_));
	packet_.add_metadata(metadata_of(session_));
	packet_.add_host(session_.host);
	session_.rings.each([&](const Ring &ring) {
		packet_.add_ring({ring.id, ring.engine_class, ring.device_name, ring.driver,
				  ring.name, ring.flags, ring.timeout_ms});
	});
}

// A record without a ctx or a weight fits into any packet.
void BinaryWriter::go_to(const Event &event, const PacketHead &here)
{
	PacketHead any = here;

	if (!has_ctx(event))
		any.ctx_hi = packet_.head().ctx_hi;
	if (!has_weight(event))
		any.weight = packet_.head().weight;
	if (!packet_.takes(any))
		packet_.open(here);
}

// Returns the record with the low half of its new number.
const uint8_t *BinaryWriter::renumbered(const Event &event, uint64_t number)
{
	if (!event.sequenced || !left_out_)
		return event.raw;
	renumbered_.assign(event.raw, event.raw + event.size);
	store32(&renumbered_[offsetof(grtrace_rec_seq, seq)], static_cast<uint32_t>(number));
	return renumbered_.data();
}

void BinaryWriter::write(fmt::memory_buffer &out, const Event &event)
{
	Cpu &cpu = this->cpu(event.cpu);
	const uint64_t cseq = event.cseq - cpu.left_out;
	// A LOST has no number; it comes after all earlier records.
	const uint64_t gseq = event.sequenced ? take_off(event.gseq, left_out_) : next_gseq_;
	const uint64_t lost = event.sequenced ? 0 : lost_of(event).records();
	PacketHead head = {.session = session_.id,
			   .ts = event.ts,
			   .gseq = gseq,
			   .cseq = cseq,
			   .lost = cpu.lost,
			   .cpu = event.cpu,
			   .ctx_hi = static_cast<uint32_t>(event.ctx >> 32),
			   .weight = event.weight};

	next_gseq_ = gseq + event.sequenced;
	if (!tables_written_)
		write_tables();
	go_to(event, head);
	cpu.lost += lost;
	head.cseq += event.sequenced ? 1 : lost;
	head.lost = cpu.lost;
	cpu.next_cseq = head.cseq;
	last_ts_ = std::max({last_ts_, event.ts, event.sequenced ? 0 : lost_of(event).last_ts});
	packet_.copy(renumbered(event, gseq), event.size, head);
	put(out);
}

void BinaryWriter::finish(fmt::memory_buffer &out)
{
	if (!tables_written_)
		return;
	for (uint32_t cpu = 0; cpu < cpus_.size(); cpu++)
		if (cpus_[cpu].next_cseq)
			packet_.add_stop({.session = session_.id,
					  .ts = last_ts_,
					  .gseq = next_gseq_,
					  .cseq = cpus_[cpu].next_cseq,
					  .lost = cpus_[cpu].lost,
					  .cpu = cpu});
	put(out);
}

void BinaryWriter::put(fmt::memory_buffer &out)
{
	const char *bytes = reinterpret_cast<const char *>(packet_.bytes().data());
	out.append(bytes, bytes + packet_.bytes().size());
	packet_.clear();
}

} // namespace grtrace
