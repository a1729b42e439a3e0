// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/stream_notes.h"

#include "format/boot_id.h"
#include "format/byte_order.h"
#include "format/packet_bytes.h"
#include "format/vocabulary.h"
#include "words/tracefs/ring_names.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <random>

namespace grtrace {

namespace {

void add_info(PacketBytes &packet, const StreamNotes &notes)
{
	struct utsname system;
	InfoFacts info = {.session = notes.session,
			  .features = notes.features,
			  .start_ts = notes.start_ts,
			  .start_real = notes.start_real,
			  .clock = notes.clock,
			  .subbuf_size = notes.subbuf_bytes,
			  .n_subbufs = notes.subbufs,
			  .nr_cpus = notes.cpus,
			  .release = {}};

	const BootId boot = read_boot_id();
	std::copy(boot.begin(), boot.end(), info.boot_id);
	if (!uname(&system))
		info.release = system.release;
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
	std::string text = "recorder tracefs\n";

	for (const TraceSource &source : notes.sources)
		text += fmt::format("source {} {} {}\n", source.name, source.found, source.known);
	if (!notes.untold.empty())
		text += fmt::format("untold {}\n", fmt::join(notes.untold, " "));
	return text;
}

} // namespace

uint64_t clock_now(uint32_t clock_id)
{
	struct timespec now = {};

	// The uAPI's numbers are the kernel's.
	clock_gettime(static_cast<clockid_t>(clock_id), &now);
	return uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec);
}

void StreamNotes::start(uint32_t clock_id)
{
	std::random_device random;

	clock = clock_id;
	start_ts = clock_now(clock_id);
	start_real = clock_now(CLOCK_REALTIME);
	session = (uint64_t(random()) << 32 | random()) | 1;
}

std::vector<uint8_t> notes_packet(const StreamNotes &notes, RingNames &rings)
{
	PacketBytes packet;

	packet.open({.session = notes.session, .ts = notes.start_ts});
	add_info(packet, notes);
	packet.add_metadata(tables());
	packet.add_metadata(origin(notes));
	for (uint32_t id = 1; id <= rings.size(); id++) {
		uint8_t *record = packet.add_ring(rings.at(id)->facts());

		store32(record + offsetof(grtrace_rec_seq, ts),
			static_cast<uint32_t>(notes.start_ts));
	}
	return packet.take();
}

} // namespace grtrace
