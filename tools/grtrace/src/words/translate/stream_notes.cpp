// SPDX-License-Identifier: GPL-2.0
#include "words/translate/stream_notes.h"

#include "format/byte_order.h"
#include "format/vocabulary.h"
#include "words/packets/packet_bytes.h"
#include "words/translate/ring_names.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include <cstddef>

namespace grtrace {

namespace {

void add_info(PacketBytes &packet, const StreamNotes &notes)
{
	InfoFacts info = notes.info();

	info.features = notes.features;
	info.subbuf_size = notes.subbuf_bytes;
	info.n_subbufs = notes.subbufs;
	info.nr_cpus = notes.cpus;
	packet.add_info(info);
}

std::string tables()
{
	std::string text;

	for_each_record_kind([&text](const RecordKind &kind) {
		if (kind.type < GRTRACE_TYPE_LIMIT)
			text += fmt::format("event {} {} {} {}\n", kind.type, kind.name,
					    kind.letter, kind.min_size);
	});
	for (uint32_t i = 0; i < GRTRACE_CLASS_COUNT; i++)
		text += fmt::format("class {} {}\n", i, engine_name(i));
	return text;
}

std::string origin(const StreamNotes &notes)
{
	std::string text = fmt::format("recorder {}\nstate {}\n", notes.recorder,
				       notes.stopped ? "stopped" : "running");

	for (const TraceSource &source : notes.sources)
		text += fmt::format("source {} {} {}\n", source.name, source.found, source.known);
	if (!notes.untold.empty())
		text += fmt::format("untold {}\n", fmt::join(notes.untold, " "));
	return text;
}

} // namespace

std::vector<uint8_t> notes_packet(const StreamNotes &notes, RingNames &rings)
{
	PacketBytes packet;

	packet.open({.session = notes.session, .ts = notes.start_ts});
	add_info(packet, notes);
	packet.add_metadata(tables());
	packet.add_metadata(origin(notes));
	packet.add_host(notes.host);
	for (uint32_t id = 1; id <= rings.size(); id++) {
		uint8_t *record = packet.add_ring(rings.at(id)->facts());

		store32(record + offsetof(grtrace_rec_seq, ts),
			static_cast<uint32_t>(notes.start_ts));
	}
	return packet.take();
}

} // namespace grtrace
