// SPDX-License-Identifier: GPL-2.0
//
// A wrong name should be reported before minutes of reading, not after: usually the tables at
// the beginning of a capture have the names.
#include "words/filter/ring_search.h"

#include <algorithm>

#include <sys/stat.h>

#include "read/capture/capture_set.h"

namespace grtrace {

static bool can_be_read_twice(const std::string &directory, const std::string &input)
{
	auto is_file = [](const std::string &path) {
		struct stat there;

		return !stat(path.c_str(), &there) && S_ISREG(there.st_mode);
	};
	const std::vector<std::string> paths = CaptureInput::paths(directory, input);

	return !paths.empty() && std::ranges::all_of(paths, is_file);
}

static void meet(RingFilter &rings, const Event &event, const Session &session)
{
	if (event.type == GRTRACE_RING)
		rings.meet(session.rings.find(load32(event.raw + offsetof(grtrace_rec_ring, ring))),
			   session);
	// The number of the ring may be enough.
	else if (event.ring != GRTRACE_RING_NONE)
		rings.wants(event, session);
}

Status find_rings(const RingFilter &rings, const std::string &directory,
		  const std::vector<std::string> &inputs)
{
	Diagnostics nobody(nullptr);
	CaptureSet captures(nobody);
	RingFilter wanted = rings;
	const Event *event;

	if (!rings.any() || !std::ranges::all_of(inputs, [&](const std::string &input) {
		    return can_be_read_twice(directory, input);
	    }))
		return {};
	if (!captures.open(directory, inputs).ok())
		return {};
	while (!wanted.all_met() && captures.next(event) == Next::event)
		meet(wanted, *event, captures.capture(event->capture).session());
	return nobody.errors() ? Status() : wanted.check(captures);
}

} // namespace grtrace
