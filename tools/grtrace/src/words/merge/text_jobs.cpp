// SPDX-License-Identifier: GPL-2.0
#include "words/merge/text_jobs.h"

#include "words/packets/packet_bytes.h"
#include "words/translate/packet_writer.h"

namespace grtrace {

namespace {

uint64_t bit(TraceKind kind)
{
	return 1ull << static_cast<int>(kind);
}

} // namespace

TextJobs::TextJobs()
	: translator_({}, devices_, tasks_, *this),
	  left_(bit(TraceKind::vblank) | bit(TraceKind::task_switch) | bit(TraceKind::task_wakeup))
{
	translator_.make_keys();
}

void TextJobs::leave_to(const Session &capture)
{
	for (const TraceEventSpec &spec : trace_event_specs())
		for (const Source &source : capture.sources)
			if (source.name == spec.source && source.found)
				left_ |= bit(spec.kind);
}

bool TextJobs::take(const TraceLine &line)
{
	const EventForms::Forms *forms = forms_.find(line.name);
	const ForeignEvent *from = forms ? EventForms::read(*forms, line.text, &fields_) : nullptr;

	if (!from || left_ & bit(from->kind))
		return false;
	translator_.expect(from->kind);
	translator_.take({line.ts, line.cpu, line.pid, line.flags, from->kind, &fields_});
	return has_record();
}

MergeRecord TextJobs::next()
{
	MergeRecord record = std::move(records_.front());

	records_.pop_front();
	return record;
}

MergeRecord &TextJobs::add(uint32_t cpu, uint64_t ts, uint32_t pid)
{
	MergeRecord &record = records_.emplace_back();

	record.event.ts = ts;
	record.event.cpu = cpu;
	record.event.pid = pid;
	record.event.weight = 1;
	record.event.sequenced = true;
	return record;
}

void TextJobs::event(uint32_t cpu, const NewRecord &from)
{
	MergeRecord &record = add(cpu, from.ts, from.pid);
	store_job(record.make(from.type, job_record_size(from)), from);
	record.event.ctx = from.ctx;
	record.event.seqno = from.seqno;
	record.event.ring = from.ring;
	record.event.fence_ctx = from.fence_ctx;
}

void TextJobs::ring(uint32_t cpu, uint64_t ts, const RingFacts &ring)
{
	MergeRecord &record = add(cpu, ts, 0);
	uint8_t *raw = record.make(GRTRACE_RING, sizeof(grtrace_rec_ring));

	store_ring(raw, ring);
	session_.rings.learn(raw);
}

void TextJobs::fence_name(uint32_t cpu, uint64_t ts, const FenceNameFacts &fence)
{
	MergeRecord &record = add(cpu, ts, fence.pid);

	store_fence_name(record.make(GRTRACE_FENCE_NAME, sizeof(grtrace_rec_fence_name)), fence);
	record.event.ctx = fence.ctx;
}

} // namespace grtrace
