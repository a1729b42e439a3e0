// SPDX-License-Identifier: GPL-2.0
#include "words/reading/interval_check.h"

#include "lib/text/duration.h"

namespace grtrace {

static std::string interval_text(const EventFilter &filter)
{
	if (filter.to_ns() == UINT64_MAX)
		return fmt::format("from {} on", trimmed_duration(filter.from_ns()));
	return fmt::format("from {} to {}", trimmed_duration(filter.from_ns()),
			   trimmed_duration(filter.to_ns()));
}

Status check_interval(const EventFilter &filter, const CaptureSet &captures,
		      const std::vector<CoveredTime> &covered)
{
	std::string text;

	if (!filter.has_interval())
		return {};
	for (size_t i = 0; i < captures.size(); i++) {
		const Capture &capture = captures.capture(i);
		const uint64_t start = capture.session().start_ts;
		const uint64_t first = std::max(covered[i].first(), start) - start;
		const uint64_t last =
			std::max(std::max(covered[i].last(), start) - start, capture.length());

		// Nothing is known about a capture that could not be read.
		if (covered[i].first() > covered[i].last() ||
		    (filter.from_ns() <= last && filter.to_ns() >= first))
			return {};
		text += fmt::format("{}{} covers {} to {}", text.empty() ? "" : ", ",
				    capture.name(), trimmed_duration(first),
				    trimmed_duration(last));
	}
	return Status::error("nothing was recorded {}: {}; choose a time in it with -w, --since or "
			     "--until, which count from the start of the recording",
			     interval_text(filter), text);
}

} // namespace grtrace
