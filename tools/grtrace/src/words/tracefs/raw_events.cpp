// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/raw_events.h"

#include "words/translate/translator.h"

namespace grtrace {

void RawEvents::add(const TraceEvent &event)
{
	const size_t id = event.id();

	if (id >= by_id_.size())
		by_id_.resize(id + 1);
	by_id_[id] = &known_.emplace_back(event);
	translator_.expect(event.spec().kind);
}

void RawEvents::take(const RawEvent &raw)
{
	struct tep_record record = {};

	record.ts = raw.ts;
	record.cpu = static_cast<int>(raw.cpu);
	record.data = const_cast<uint8_t *>(raw.data.data());
	record.size = static_cast<int>(raw.data.size());
	const size_t id = tep_data_type(tep_, &record);
	if (id >= by_id_.size() || !by_id_[id])
		return;
	by_id_[id]->read(raw.data, &fields_);
	translator_.take({raw.ts, raw.cpu, uint32_t(tep_data_pid(tep_, &record)),
			  record_flags(tep_data_flags(tep_, &record)), by_id_[id]->spec().kind,
			  &fields_});
}

} // namespace grtrace
