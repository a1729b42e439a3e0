// SPDX-License-Identifier: GPL-2.0
#include "words/tracker/session_facts.h"

#include <algorithm>

#include <fmt/format.h>

namespace grtrace {

std::string ring_title(const Session &session, uint32_t id)
{
	const Ring &ring = session.rings.find(id);

	if (id == GRTRACE_RING_NONE)
		return "no ring";
	return ring.known ? fmt::format("{} {}", ring.device_name, ring.name) :
			    fmt::format("ring {}", id);
}

bool lacks(const Session &session, std::string_view fact)
{
	return std::ranges::find(session.untold, fact) != session.untold.end();
}

} // namespace grtrace
