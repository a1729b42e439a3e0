// SPDX-License-Identifier: GPL-2.0
#include "binary_writer.h"

#include <algorithm>
#include <cstring>

namespace grtrace {

// A distance in ts or gseq that a reader can still widen, with room to spare.
static constexpr uint64_t widenable = 1 << 30;

static bool has_ctx(const Event &event)
{
	return event.is_event();
}

// The others weigh 1 whatever their packet says.
static bool has_weight(const Event &event)
{
	return event.is_event() && !Event::is_never_sampled(event.type);
}

static void append(fmt::memory_buffer &out, const uint8_t *bytes, size_t size)
{
	const char *text = reinterpret_cast<const char *>(bytes);

	out.append(text, text + size);
}

static void store_header(uint8_t *record, uint16_t type, size_t size)
{
	store16(record, type);
	store16(record + 2, static_cast<uint16_t>(size));
}

BinaryWriter::Cpu &BinaryWriter::cpu(uint32_t number)
{
	if (number >= cpus_.size())
		cpus_.resize(number + 1);
	return cpus_[number];
}

void BinaryWriter::skip(const Event &event)
{
	if (event.sequenced)
		cpu(event.cpu).left_out++;
}

static void write_info(fmt::memory_buffer &out, const Session &session)
{
	using Info = grtrace_rec_stream_info;

	uint8_t record[sizeof(Info)] = {};
	size_t release = std::min(session.release.size(),
				  size_t(GRTRACE_RELEASE_LEN - 1));

	store_header(record, GRTRACE_STREAM_INFO, sizeof(record));
	store32(record + offsetof(Info, clock), session.clock);
	store64(record + offsetof(Info, session), session.id);
	store64(record + offsetof(Info, features), session.features);
	store64(record + offsetof(Info, start_ts), session.start_ts);
	store64(record + offsetof(Info, start_real), session.start_real);
	memcpy(record + offsetof(Info, boot_id), session.boot_id, 16);
	memcpy(record + offsetof(Info, release), session.release.data(),
	       release);
	store32(record + offsetof(Info, subbuf_size), session.subbuf_size);
	store32(record + offsetof(Info, n_subbufs), session.n_subbufs);
	store32(record + offsetof(Info, nr_cpus), session.nr_cpus);
	append(out, record, sizeof(record));
}

static void write_metadata(fmt::memory_buffer &out, const Session &session)
{
	std::string text;

	for (const Source &source : session.sources) {
		std::string line = fmt::format("source {} {} {}\n", source.name,
					       source.found, source.known);
		if (text.size() + line.size() < 4096)
			text += line;
	}
	if (!session.recorder.empty())
		text += fmt::format("recorder {}\n",
				    session.recorder.substr(0, 32));
	for (const std::string &fact : session.untold) {
		if (text.size() + fact.size() < 4096)
			text += fmt::format("untold {}\n", fact);
	}
	if (!session.snapshot_reason.empty())
		text += fmt::format("snapshot {} {}\n",
				    session.snapshot_reason.substr(0, 32),
				    session.snapshot_ts);
	text.resize((text.size() + 7) / 8 * 8);

	uint8_t header[sizeof(grtrace_rec_metadata)] = {};
	store_header(header, GRTRACE_METADATA, sizeof(header) + text.size());
	append(out, header, sizeof(header));
	out.append(text.data(), text.data() + text.size());
}

static void write_ring(fmt::memory_buffer &out, const Ring &ring)
{
	using Record = grtrace_rec_ring;

	uint8_t record[sizeof(Record)] = {};
	auto text = [&](size_t offset, const std::string &from, size_t room) {
		memcpy(record + offset, from.data(),
		       std::min(from.size(), room - 1));
	};

	store_header(record, GRTRACE_RING, sizeof(record));
	store32(record + offsetof(Record, ring), ring.id);
	store32(record + offsetof(Record, engine_class), ring.engine_class);
	text(offsetof(Record, device), ring.device_name, GRTRACE_DEVICE_LEN);
	text(offsetof(Record, driver), ring.driver, GRTRACE_DRIVER_LEN);
	text(offsetof(Record, name), ring.name, GRTRACE_NAME_LEN);
	append(out, record, sizeof(record));
}

static void write_packet_header(fmt::memory_buffer &out, const Session &session,
				uint32_t cpu, uint64_t ts, uint64_t gseq,
				uint64_t cseq, uint32_t ctx_hi, uint32_t weight,
				uint64_t lost)
{
	using Packet = grtrace_rec_packet;

	uint8_t record[sizeof(Packet)] = {};

	store_header(record, GRTRACE_PACKET, sizeof(record));
	store32(record + offsetof(Packet, magic), GRTRACE_MAGIC);
	store16(record + offsetof(Packet, major), GRTRACE_VERSION_MAJOR);
	store16(record + offsetof(Packet, minor), GRTRACE_VERSION_MINOR);
	store32(record + offsetof(Packet, cpu), cpu);
	store64(record + offsetof(Packet, session), session.id);
	store64(record + offsetof(Packet, ts), ts);
	store64(record + offsetof(Packet, gseq), gseq);
	store64(record + offsetof(Packet, cseq), cseq);
	store64(record + offsetof(Packet, lost), lost);
	store32(record + offsetof(Packet, ctx_hi), ctx_hi);
	store32(record + offsetof(Packet, sample), weight > 1 ? weight : 0);
	append(out, record, sizeof(record));
}

void BinaryWriter::write_tables(fmt::memory_buffer &out)
{
	tables_written_ = true;
	write_packet_header(out, session_, GRTRACE_CPU_NONE, session_.start_ts,
			    0, 0, 0, 0, 0);
	if (session_.have_info)
		write_info(out, session_);
	write_metadata(out, session_);
	for (const Ring &ring : session_.rings.all())
		if (ring.known)
			write_ring(out, ring);
}

bool BinaryWriter::fits(const Event &event, uint64_t cseq) const
{
	uint32_t ctx_hi = static_cast<uint32_t>(event.ctx >> 32);

	// A difference of either sign, as unsigned arithmetic.
	return open_ && event.cpu == cpu_ && cseq == next_cseq_ &&
	       (!has_ctx(event) || ctx_hi == ctx_hi_) &&
	       (!has_weight(event) || event.weight == weight_) &&
	       event.ts - ts_ + widenable < 2 * widenable &&
	       event.gseq - gseq_ + widenable < 2 * widenable;
}

void BinaryWriter::write(fmt::memory_buffer &out, const Event &event)
{
	Cpu &cpu = this->cpu(event.cpu);
	const uint64_t lost = event.sequenced ? 0 : lost_of(event).records();
	const uint64_t cseq = event.cseq - cpu.left_out;

	if (!tables_written_)
		write_tables(out);
	if (!fits(event, cseq)) {
		open_ = true;
		cpu_ = event.cpu;
		ctx_hi_ = static_cast<uint32_t>(event.ctx >> 32);
		weight_ = event.weight;
		write_packet_header(out, session_, event.cpu, event.ts,
				    event.gseq, cseq, ctx_hi_, weight_,
				    cpu.lost);
	}
	ts_ = event.ts;
	gseq_ = event.gseq;
	next_cseq_ = cseq + (event.sequenced ? 1 : lost);
	cpu.lost += lost;
	append(out, event.raw, event.size);
}

} // namespace grtrace
