// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_view.h"

#include "read/capture/losses.h"

namespace grtrace {

std::string ring_name(const Session &session, uint32_t id)
{
	const Ring &ring = session.rings.find(id);

	if (!ring.known)
		return fmt::to_string(id);
	return session.rings.devices().size() > 1 ? fmt::format("{}/{}", ring.device, ring.name) :
						    ring.name;
}

void put_sampling(Paint &paint, const Capture &capture, size_t columns)
{
	fmt::memory_buffer line;

	print_sampling(line, capture);
	if (!line.size())
		return;
	paint.put(fit({line.data(), line.size() - 1}, columns));
	paint.end_line();
}

} // namespace grtrace
