// SPDX-License-Identifier: GPL-2.0
#include "read/stream/session.h"

#include "lib/text/utf8_text.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

namespace grtrace {

// Sources are modules; a capture with more than this many is damaged.
constexpr size_t max_sources = 256;

std::string Session::ring_title(uint32_t id) const
{
	const Ring &ring = rings.find(id);

	if (id == GRTRACE_RING_NONE)
		return "no ring";
	return ring.known ? fmt::format("{} {}", ring.device_name, ring.name) :
			    fmt::format("ring {}", id);
}

void Session::learn_info(const uint8_t *record)
{
	using Info = grtrace_rec_stream_info;

	have_info = true;
	clock = load32(record + offsetof(Info, clock));
	features = load64(record + offsetof(Info, features));
	start_ts = load64(record + offsetof(Info, start_ts));
	start_real = load64(record + offsetof(Info, start_real));
	memcpy(boot_id, record + offsetof(Info, boot_id), sizeof(boot_id));
	release = printable(text_field(record + offsetof(Info, release),
				       GRTRACE_RELEASE_LEN));
	subbuf_size = load32(record + offsetof(Info, subbuf_size));
	n_subbufs = load32(record + offsetof(Info, n_subbufs));
	nr_cpus = load32(record + offsetof(Info, nr_cpus));
}

// Takes the next word off the line.
static std::string_view next_word(std::string_view &line)
{
	size_t end = line.find(' ');
	std::string_view word = line.substr(0, end);

	line = end == line.npos ? std::string_view() : line.substr(end + 1);
	return word;
}

template <typename Number> static Number number(std::string_view word)
{
	Number value = 0;

	std::from_chars(word.data(), word.data() + word.size(), value);
	return value;
}

void Session::learn_line(std::string_view line)
{
	std::string_view what = next_word(line);

	if (what == "source") {
		learn_source(line);
	} else if (what == "snapshot") {
		snapshot_reason = printable(next_word(line));
		snapshot_ts = number<uint64_t>(next_word(line));
	} else if (what == "recorder") {
		recorder = printable(next_word(line));
	} else if (what == "untold") {
		learn_untold(line);
	}
}

void Session::learn_source(std::string_view line)
{
	std::string name = printable(next_word(line));
	Source *source = nullptr;

	for (Source &known : sources)
		if (known.name == name)
			source = &known;
	if (!source) {
		if (name.empty() || sources.size() >= max_sources)
			return;
		source = &sources.emplace_back();
		source->name = name;
	}
	source->found = number<uint32_t>(next_word(line));
	source->known = number<uint32_t>(next_word(line));
}

void Session::learn_untold(std::string_view line)
{
	while (!line.empty()) {
		std::string fact = printable(next_word(line));

		if (!fact.empty() && untold.size() < max_sources &&
		    std::find(untold.begin(), untold.end(), fact) ==
			    untold.end())
			untold.push_back(fact);
	}
}

void Session::learn_metadata(const uint8_t *record, size_t size)
{
	std::string_view text =
		text_field(record + sizeof(grtrace_rec_metadata),
			   size - sizeof(grtrace_rec_metadata));

	while (!text.empty()) {
		size_t end = text.find('\n');

		learn_line(text.substr(0, end));
		text = end == text.npos ? std::string_view() :
					  text.substr(end + 1);
	}
}

void Session::add_sources(const Session &other)
{
	for (const Source &from : other.sources) {
		auto same = [&](const Source &one) {
			return one.name == from.name;
		};
		auto it = std::find_if(sources.begin(), sources.end(), same);

		if (it == sources.end())
			sources.push_back(from);
		else if (it->found < from.found)
			*it = from;
	}
}

} // namespace grtrace
