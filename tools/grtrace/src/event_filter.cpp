// SPDX-License-Identifier: GPL-2.0
#include "event_filter.h"

#include <charconv>
#include <string>

#include "vocabulary.h"

namespace grtrace {

Status EventFilter::add_types(std::string_view words)
{
	if (!chosen_)
		types_ = 0;
	chosen_ = true;
	for (std::string_view rest = words; !rest.empty();) {
		size_t comma = rest.find(',');
		std::string_view word = rest.substr(0, comma);
		const RecordKind *kind = record_kind_by_word(word);

		if (!kind)
			return Status::error("-a: there is no event \"{}\"; "
					     "see --help for actions",
					     word);
		if (kind->type < GRTRACE_TYPE_LIMIT)
			types_ |= 1ull << kind->type;
		rest = comma == rest.npos ? std::string_view() :
					    rest.substr(comma + 1);
	}
	return {};
}

Status EventFilter::set_types(std::string_view hex)
{
	std::string_view digits = hex;

	if (digits.starts_with("0x") || digits.starts_with("0X"))
		digits.remove_prefix(2);

	const char *end = digits.data() + digits.size();
	std::from_chars_result got =
		std::from_chars(digits.data(), end, types_, 16);
	if (got.ec != std::errc() || got.ptr != end)
		return Status::error("-A wants a hexadecimal number of at most "
				     "64 bits, not \"{}\"",
				     hex);
	chosen_ = true;
	return {};
}

static bool parse_seconds(std::string_view text, uint64_t &ns)
{
	double seconds;
	const char *end = text.data() + text.size();
	std::from_chars_result got = std::from_chars(text.data(), end, seconds);

	if (got.ec != std::errc() || got.ptr != end || !(seconds >= 0) ||
	    seconds > 1e10)
		return false;
	ns = static_cast<uint64_t>(seconds * 1e9 + 0.5);
	return true;
}

Status EventFilter::set_interval(std::string_view text)
{
	size_t colon = text.find(':');
	std::string_view end =
		colon == text.npos ? text : text.substr(colon + 1);

	has_interval_ = true;
	if ((colon != text.npos &&
	     !parse_seconds(text.substr(0, colon), from_ns_)) ||
	    !parse_seconds(end, to_ns_) || to_ns_ < from_ns_)
		return Status::error("-w wants [start:]end in seconds, such as "
				     "0.5:2, not \"{}\"",
				     text);
	return {};
}

} // namespace grtrace
