// SPDX-License-Identifier: GPL-2.0
#include "note_kind.h"

#include <algorithm>
#include <iterator>

namespace grtrace {

struct Known {
	std::string_view event;
	NoteKind kind;
};

static const Known known[] = {
	{"vblank", NoteKind::vblank},
	{"drm_vblank_event", NoteKind::vblank},
};

NoteKind note_kind(std::string_view line)
{
	const std::string_view event = line.substr(0, line.find_first_of(" :"));
	const Known *found = std::find_if(
		std::begin(known), std::end(known),
		[&](const Known &one) { return one.event == event; });

	return found == std::end(known) ? NoteKind::other : found->kind;
}

} // namespace grtrace
