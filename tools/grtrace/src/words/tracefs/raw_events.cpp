// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/raw_events.h"

#include "words/translate/marker.h"
#include "words/translate/translator.h"

#include <cstring>

namespace grtrace {

void RawEvents::add(const TraceEvent &event)
{
	const size_t id = event.id();

	if (id >= by_id_.size())
		by_id_.resize(id + 1);
	by_id_[id] = &known_.emplace_back(event);
	translator_.expect(event.spec().kind);
}

void RawEvents::add_markers(tep_event *event)
{
	if (!event)
		return;
	marker_id_ = size_t(event->id);
	marker_text_ = size_t(tep_find_field(event, "buf")->offset);
}

void RawEvents::take(const RawEvent &raw)
{
	struct tep_record record = {};

	record.ts = raw.ts;
	record.cpu = static_cast<int>(raw.cpu);
	record.data = const_cast<uint8_t *>(raw.data.data());
	record.size = static_cast<int>(raw.data.size());
	const size_t id = tep_data_type(tep_, &record);
	const bool is_known = id < by_id_.size() && by_id_[id];
	if (!is_known && id != marker_id_)
		return;
	KernelEvent event = {raw.ts, raw.cpu, uint32_t(tep_data_pid(tep_, &record)),
			     record_flags(tep_data_flags(tep_, &record))};
	if (!is_known)
		return take_marker(event, raw.data);
	by_id_[id]->read(raw.data, &fields_);
	event.kind = by_id_[id]->spec().kind;
	event.fields = &fields_;
	translator_.take(event);
}

// The text ends at the end of the record, or at a NUL.
void RawEvents::take_marker(const KernelEvent &event, std::span<const uint8_t> data)
{
	if (data.size() < marker_text_)
		return;
	const std::span<const uint8_t> rest = data.subspan(marker_text_);
	const char *text = reinterpret_cast<const char *>(rest.data());
	translator_.message(event, marker_message({text, strnlen(text, rest.size())}));
}

} // namespace grtrace
