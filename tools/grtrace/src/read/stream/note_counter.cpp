// SPDX-License-Identifier: GPL-2.0
#include "read/stream/note_counter.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "read/stream/note_kind.h"

namespace grtrace {

struct Counting {
	std::string_view event;
	std::string_view field;
	uint64_t scale; // to bytes or Hz
	bool bytes;
};

// What the kernel prints of an event may call its field otherwise.
static const Counting countings[] = {
	{"gpu_mem_total", "size", 1, true},
	{"gpu_frequency", "state", 1000, false},
	{"devfreq_frequency", "freq", 1, false},
	{"intel_gpu_freq_change", "freq", 1000000, false},
	{"intel_gpu_freq_change", "new_freq", 1000000, false},
	{"msm_gpu_freq_change", "freq", 1000000, false},
	{"msm_gpu_freq_change", "new_freq", 1000000, false},
};

static bool tells_whose(std::string_view field)
{
	return field == "gpu_id" || field == "pid" || field == "dev_name";
}

static bool read_number(std::string_view text, uint64_t scale, uint64_t &value)
{
	const char *end = text.data() + text.size();
	const auto [last, error] = std::from_chars(text.data(), end, value);

	return error == std::errc() && last == end &&
	       !__builtin_mul_overflow(value, scale, &value);
}

// Calls fn(field, value) for each "field=value" of the line.
template <typename Fn> static void for_each_field(std::string_view line, Fn fn)
{
	while (!line.empty()) {
		const size_t end =
			std::min(line.find_first_of(" ,"), line.size());
		const std::string_view word = line.substr(0, end);
		const size_t equals = word.find('=');

		if (equals != word.npos)
			fn(word.substr(0, equals), word.substr(equals + 1));
		line.remove_prefix(std::min(end + 1, line.size()));
	}
}

std::optional<NoteCounter> note_counter(std::string_view line)
{
	const std::string_view event = note_event(line);
	NoteCounter counter = {std::string(event), 0, false};
	bool found = false;

	for_each_field(line, [&](std::string_view field,
				 std::string_view value) {
		for (const Counting &counting : countings)
			if (counting.event == event &&
			    counting.field == field) {
				counter.bytes = counting.bytes;
				found = read_number(value, counting.scale,
						    counter.value);
			}
		if (tells_whose(field))
			counter.name.append(" ")
				.append(field)
				.append("=")
				.append(value);
	});
	if (!found)
		return {};
	return counter;
}

} // namespace grtrace
