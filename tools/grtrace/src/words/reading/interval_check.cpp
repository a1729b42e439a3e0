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
		      const std::vector<uint64_t> &first_ts)
{
	std::string covered;

	if (!filter.has_interval())
		return {};
	for (size_t i = 0; i < captures.size(); i++) {
		const Capture &capture = captures.capture(i);
		const uint64_t start = capture.session().start_ts;
		const uint64_t first = first_ts[i] > start ? first_ts[i] - start : 0;

		// Nothing is known about a capture that could not be read.
		if (!first_ts[i] ||
		    (filter.from_ns() <= capture.length() && filter.to_ns() >= first))
			return {};
		covered += fmt::format("{}{} covers {} to {}", covered.empty() ? "" : ", ",
				       capture.name(), trimmed_duration(first),
				       trimmed_duration(capture.length()));
	}
	return Status::error("nothing was recorded {}: {}; choose a time in it with -w, --since or "
			     "--until, which count from the start of the recording",
			     interval_text(filter), covered);
}

} // namespace grtrace
