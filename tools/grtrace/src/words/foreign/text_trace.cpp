// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/text_trace.h"

#include <algorithm>
#include <utility>

#include "lib/text/words_of.h"
#include "words/translate/marker.h"

namespace grtrace {

// "# entries-in-buffer/entries-written: 93/205   #P:2": the kernel overwrote the others.
void TextTrace::take_heading(std::string_view text)
{
	constexpr std::string_view head = "# entries-in-buffer/entries-written: ";
	uint64_t kept = 0, written = 0;

	has_heading_ |= text.starts_with("# tracer: ");
	if (!text.starts_with(head))
		return;
	text.remove_prefix(head.size());
	const size_t slash = text.find('/');
	if (slash == text.npos || !whole_number(text.substr(0, slash), kept))
		return;
	text.remove_prefix(slash + 1);
	if (whole_number(text.substr(0, text.find(' ')), written) && written > kept)
		overwritten_ = std::min(written - kept, lost_max);
}

void TextTrace::take(std::string_view text)
{
	TraceLine line;

	if (text.starts_with('#'))
		return take_heading(text);

	switch (read_trace_line(text, line)) {
	case LineKind::event:
		events_++;
		capture_.reach(line.ts);
		if (overwritten_)
			capture_.lose(line.cpu, std::exchange(overwritten_, 0));
		return take_event(line);
	case LineKind::counter:
		events_++;
		capture_.reach(line.ts);
		counters_++;
		return;
	case LineKind::loss:
		return capture_.lose(line.cpu, line.lost);
	case LineKind::other:
		return take_unknown(text);
	}
}

// A line that no tool prints like this, but that names an event: which CPU had it is unknown.
void TextTrace::take_unknown(std::string_view text)
{
	for (size_t colon = text.find(": "); colon != text.npos;
	     colon = text.find(": ", colon + 1)) {
		const std::string_view before = text.substr(0, colon);
		const size_t begin = before.find_last_of(" :");
		const EventForms::Forms *forms =
			known_.find(before.substr(begin == before.npos ? 0 : begin + 1));

		if (forms)
			return capture_.cannot_read(forms->front()->event(), 0);
	}
}

void TextTrace::take_event(const TraceLine &line)
{
	const EventForms::Forms *forms = known_.find(line.name);
	KernelEvent event = {line.ts, line.cpu, line.pid, line.flags, TraceKind::vblank, &fields_};

	if (!forms) {
		if (!is_marker(line.name))
			return capture_.leave_out(line.name);
		capture_.name_task(line.pid, line.tgid, line.comm);
		return capture_.marker(event, marker_line(line.text));
	}
	const ForeignEvent *from = EventForms::read(*forms, line.text, &fields_);
	if (!from)
		return capture_.cannot_read(forms->front()->event(), line.cpu);
	event.kind = from->kind;
	capture_.name_task(line.pid, line.tgid, line.comm);
	capture_.take(*from, event);
}

} // namespace grtrace
