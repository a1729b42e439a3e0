// SPDX-License-Identifier: GPL-2.0
//
// Times are typed in the usual units and compared as ns since the start, so the same interval
// applies to all captures of a run.
#include "read/filter/event_filter.h"

#include <cmath>

#include "format/vocabulary.h"
#include "lib/text/duration.h"
#include "lib/text/nearest.h"
#include "lib/text/words_of.h"
#include "read/capture/capture_set.h"

namespace grtrace {

static std::string meant(std::string_view word)
{
	std::vector<std::string_view> names;

	for_each_record_kind([&](const RecordKind &kind) { names.push_back(kind.name); });
	return did_you_mean(word, names);
}

Status EventFilter::add_types(std::string_view option, std::string_view words)
{
	if (!chosen_)
		types_ = 0;
	chosen_ = true;
	return for_each_word(option, words, [&](std::string_view word) {
		const RecordKind *kind = record_kind_by_word(word);

		if (!kind)
			return Status::error(
				"{}: there is no event \"{}\"{}; see --help for actions", option,
				word, meant(word));
		if (kind->type < GRTRACE_TYPE_LIMIT)
			types_ |= 1ull << kind->type;
		return Status();
	});
}

Status EventFilter::set_types(std::string_view hex)
{
	std::string_view digits = hex;

	take_hex(digits);
	if (!whole_number(digits, types_, 16))
		return Status::error("-A wants a hexadecimal number of at most 64 bits, not \"{}\"",
				     hex);
	chosen_ = true;
	return {};
}

// Reads a number in a unit of that many ns, 1e9 for seconds.
static bool parse_number(std::string_view text, double unit, uint64_t &ns)
{
	// 300 years, which is well below 2^64 ns.
	constexpr double limit = 1e19;
	double value;

	if (!whole_number(text, value) || !(value >= 0) || value * unit > limit)
		return false;
	ns = static_cast<uint64_t>(std::round(value * unit));
	return true;
}

static bool parse_time(std::string_view text, uint64_t &ns)
{
	static constexpr struct {
		std::string_view name;
		double ns;
	} units[] = {{"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"s", 1e9}};

	for (const auto &unit : units)
		if (text.ends_with(unit.name)) {
			text.remove_suffix(unit.name.size());
			return parse_number(text, unit.ns, ns);
		}
	return parse_number(text, 1e9, ns);
}

Status EventFilter::set_interval(std::string_view text)
{
	size_t colon = text.find(':');
	std::string_view end = colon == text.npos ? text : text.substr(colon + 1);

	has_interval_ = true;
	if ((colon != text.npos && !parse_number(text.substr(0, colon), 1e9, from_ns_)) ||
	    !parse_number(end, 1e9, to_ns_) || to_ns_ < from_ns_)
		return Status::error("-w wants [start:]end in seconds, such as 0.5:2, not \"{}\"",
				     text);
	return {};
}

static Status set_bound(const char *option, std::string_view text, uint64_t &ns)
{
	if (parse_time(text, ns))
		return {};
	return Status::error("{} wants a time after the start, such as 1.5 or 200ms, not \"{}\"",
			     option, text);
}

Status EventFilter::set_since(std::string_view text)
{
	has_interval_ = true;
	return set_bound("--since", text, from_ns_);
}

Status EventFilter::set_until(std::string_view text)
{
	has_interval_ = true;
	return set_bound("--until", text, to_ns_);
}

std::vector<std::string> EventFilter::missing(const CaptureSet &captures) const
{
	std::vector<std::string> sentences;

	for (size_t i = 0; i < captures.size(); i++) {
		const Capture &capture = captures.capture(i);

		if (from_ns_ > capture.length())
			sentences.push_back(
				fmt::format("{}: ends {} after its start, before the chosen "
					    "interval begins: nothing of it is shown",
					    capture.name(), trimmed_duration(capture.length())));
	}
	return sentences;
}

Status EventFilter::check() const
{
	if (from_ns_ > to_ns_)
		return Status::error(
			"--since {} ns is after --until {} ns: nothing can be between them",
			from_ns_, to_ns_);
	return {};
}

} // namespace grtrace
