// SPDX-License-Identifier: GPL-2.0
#include "words/merge/merged_stream.h"

#include "words/packets/packet_bytes.h"

namespace grtrace {

static bool has_ring(const Event &event)
{
	return event.is_event() && event.size >= sizeof(grtrace_rec_job);
}

uint64_t &MergedStream::cseq(uint32_t cpu)
{
	if (cpu >= cseqs_.size())
		cseqs_.resize(cpu + 1);
	return cseqs_[cpu];
}

// A record's number is its place in the result.
void MergedStream::put(Event &event, uint8_t *raw)
{
	uint64_t &next = cseq(event.cpu);

	event.raw = raw;
	event.gseq = gseq_;
	event.cseq = next;
	if (event.sequenced) {
		store32(raw + offsetof(grtrace_rec_seq, ts), static_cast<uint32_t>(event.ts));
		store32(raw + offsetof(grtrace_rec_seq, seq), static_cast<uint32_t>(event.gseq));
		store32(raw + offsetof(grtrace_rec_seq, pid), event.pid);
		next++;
		gseq_++;
	} else {
		next += lost_of(event).records();
	}
	writer_.write(out_.text(), event);
	out_.drain();
	records_++;
}

void MergedStream::describe(const Event &before, const Ring &ring, uint32_t id,
			    const Machine &machine)
{
	MergeRecord record;
	uint8_t *raw = record.make(GRTRACE_RING, sizeof(grtrace_rec_ring));

	record.event.ts = before.ts;
	record.event.cpu = before.cpu;
	record.event.weight = 1;
	record.event.sequenced = true;
	store_ring(raw,
		   {id, ring.engine_class, machine.title(ring.device_name, GRTRACE_DEVICE_LEN - 1),
		    ring.driver, ring.name, ring.flags, ring.timeout_ms});
	put(record.event, raw);
}

// Returns the id of a ring in the result. If something about the ring is new, a RING record
// comes first.
uint32_t MergedStream::ring_of(const Event &event, uint32_t id, size_t source,
			       const Machine &machine, const Session &session)
{
	bool fresh;
	const uint32_t made = rings_.id_of(source, machine, session.rings, id, fresh);

	if (fresh)
		describe(event, session.rings.find(id), made, machine);
	return made;
}

void MergedStream::place_ring(MergeRecord &record, size_t source, const Machine &machine,
			      const Session &session)
{
	Event &event = record.event;

	if (!has_ring(event))
		return;

	event.ring = ring_of(event, event.ring, source, machine, session);
	store32(record.bytes.data() + offsetof(grtrace_rec_job, ring), event.ring);
}

// perf and trace-cmd have fewer facts about a thread than a capture.
bool MergedStream::is_new_task(const MergeRecord &record, bool from_text)
{
	return named_.insert(record.event.pid).second || !from_text;
}

bool MergedStream::write(MergeRecord &record, size_t source, const Machine &machine,
			 const Session &session, bool from_text)
{
	Event &event = record.event;

	if (!machine.place(record))
		return false;
	// Written again if it contains something new.
	if (event.type == GRTRACE_RING) {
		ring_of(event, load32(record.bytes.data() + offsetof(grtrace_rec_ring, ring)),
			source, machine, session);
		return true;
	}
	if (event.type == GRTRACE_TASK && !is_new_task(record, from_text))
		return true;
	place_ring(record, source, machine, session);
	put(event, record.bytes.data());
	if (event.ts >= newest_.ts)
		newest_ = event;
	return true;
}

void MergedStream::finish(size_t source, const Machine &machine, const Session &session)
{
	session.rings.each(
		[&](const Ring &ring) { ring_of(newest_, ring.id, source, machine, session); });
}

void MergedStream::stop()
{
	writer_.finish(out_.text());
	out_.drain();
}

} // namespace grtrace
