// SPDX-License-Identifier: GPL-2.0
#include "tracefs/stream_notes.h"

#include "byte_order.h"
#include "tracefs/packet_writer.h"
#include "tracefs/ring_names.h"
#include "vocabulary.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <cstddef>
#include <cstdio>
#include <ctime>
#include <random>

namespace grtrace {

namespace {

uint8_t *add(std::vector<uint8_t> *packet, uint16_t type, size_t size)
{
	const size_t at = packet->size();

	packet->resize(at + size);
	store16(&(*packet)[at], type);
	store16(&(*packet)[at + 2], static_cast<uint16_t>(size));
	return &(*packet)[at];
}

void add_packet(std::vector<uint8_t> *packet, const StreamNotes &notes)
{
	using Packet = grtrace_rec_packet;

	uint8_t *record = add(packet, GRTRACE_PACKET, sizeof(Packet));

	store32(record + offsetof(Packet, magic), GRTRACE_MAGIC);
	store16(record + offsetof(Packet, major), GRTRACE_VERSION_MAJOR);
	store16(record + offsetof(Packet, minor), GRTRACE_VERSION_MINOR);
	store32(record + offsetof(Packet, cpu), GRTRACE_CPU_NONE);
	store64(record + offsetof(Packet, session), notes.session);
	store64(record + offsetof(Packet, ts), notes.start_ts);
}

// The kernel's text has 32 hexadecimal digits and hyphens.
void store_boot_id(uint8_t *id)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	unsigned int byte;

	if (!file)
		return;
	for (size_t i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			fgetc(file);
		if (fscanf(file, "%2x", &byte) != 1)
			break;
		id[i] = static_cast<uint8_t>(byte);
	}
	fclose(file);
}

void add_info(std::vector<uint8_t> *packet, const StreamNotes &notes)
{
	using Info = grtrace_rec_stream_info;

	uint8_t *record = add(packet, GRTRACE_STREAM_INFO, sizeof(Info));
	struct utsname system;

	store32(record + offsetof(Info, clock), notes.clock);
	store64(record + offsetof(Info, session), notes.session);
	store64(record + offsetof(Info, features), notes.features);
	store64(record + offsetof(Info, start_ts), notes.start_ts);
	store64(record + offsetof(Info, start_real), notes.start_real);
	store_boot_id(record + offsetof(Info, boot_id));
	if (!uname(&system))
		store_name(record + offsetof(Info, release),
			   GRTRACE_RELEASE_LEN, system.release);
	store32(record + offsetof(Info, subbuf_size), notes.subbuf_bytes);
	store32(record + offsetof(Info, n_subbufs), notes.subbufs);
	store32(record + offsetof(Info, nr_cpus), notes.cpus);
}

void add_text(std::vector<uint8_t> *packet, const std::string &text)
{
	constexpr size_t head = sizeof(grtrace_rec_metadata);
	uint8_t *record = add(packet, GRTRACE_METADATA,
			      (head + text.size() + 7) & ~size_t(7));

	memcpy(record + head, text.data(), text.size());
}

std::string tables()
{
	std::string text;

	for_each_record_kind([&text](const RecordKind &kind) {
		if (kind.type < GRTRACE_TYPE_LIMIT)
			text += fmt::format("event {} {} {} {}\n", kind.type,
					    kind.name, kind.letter,
					    kind.min_size);
	});
	for (uint32_t i = 0; i < GRTRACE_CLASS_COUNT; i++)
		text += fmt::format("class {} {}\n", i, engine_name(i));
	return text;
}

std::string origin(const StreamNotes &notes)
{
	std::string text = "recorder tracefs\n";

	for (const TraceSource &source : notes.sources)
		text += fmt::format("source {} {} {}\n", source.name,
				    source.found, source.known);
	if (!notes.untold.empty())
		text += fmt::format("untold {}\n",
				    fmt::join(notes.untold, " "));
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
	std::vector<uint8_t> packet;

	add_packet(&packet, notes);
	add_info(&packet, notes);
	add_text(&packet, tables());
	add_text(&packet, origin(notes));
	for (uint32_t id = 1; id <= rings.size(); id++) {
		uint8_t *record =
			add(&packet, GRTRACE_RING, sizeof(grtrace_rec_ring));

		store_ring(record, rings.at(id)->facts());
		store32(record + offsetof(grtrace_rec_seq, ts),
			static_cast<uint32_t>(notes.start_ts));
	}
	return packet;
}

} // namespace grtrace
