// SPDX-License-Identifier: GPL-2.0
#include "words/translate/marker.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "lib/text/words_of.h"

namespace grtrace {

namespace {

std::vector<std::string_view> split_at_bars(std::string_view line)
{
	std::vector<std::string_view> parts;

	for (size_t bar = line.find('|'); bar != line.npos; bar = line.find('|')) {
		parts.push_back(line.substr(0, bar));
		line.remove_prefix(bar + 1);
	}
	parts.push_back(line);
	return parts;
}

const char *atrace_kind(std::string_view letter)
{
	constexpr struct {
		std::string_view letter;
		const char *kind;
	} kinds[] = {{"B", "begin"},       {"E", "end"},       {"C", "counter"},
		     {"S", "async_begin"}, {"F", "async_end"}, {"I", "instant"}};

	for (const auto &known : kinds)
		if (known.letter == letter)
			return known.kind;
	return nullptr;
}

// Returns an empty text if it is not atrace's.
std::string atrace_message(std::string_view line)
{
	const std::vector<std::string_view> parts = split_at_bars(line);
	const char *kind = atrace_kind(parts[0]);
	uint32_t pid = 0;

	if (!kind || (parts.size() > 1 && !whole_number(parts[1], pid)))
		return {};
	if (parts.size() == 1)
		return parts[0] == "E" ? "mark kind=end" : "";
	std::string text = fmt::format("mark kind={} pid={}", kind, pid);
	const char letter = parts[0][0];
	if (letter == 'E')
		return text;
	if (parts.size() < 3)
		return {};
	if (letter == 'B' || letter == 'I')
		return text +
		       fmt::format(" name={}", line.substr(size_t(parts[2].data() - line.data())));
	if (parts.size() < 4)
		return {};
	return text + fmt::format(" {}={} name={}", letter == 'C' ? "value" : "cookie", parts[3],
				  parts[2]);
}

// Returns an empty text if it has none of gpuvis's words.
std::string gpuvis_message(std::string_view line)
{
	constexpr struct {
		std::string_view word;
		const char *kind;
		const char *value;
	} words[] = {{"lduration=", "span", "duration"},
		     {"duration=", "span", "duration"},
		     {"begin_ctx=", "async_begin", "cookie"},
		     {"end_ctx=", "async_end", "cookie"}};

	for (const auto &known : words) {
		const size_t at = line.find(known.word);

		if (at == line.npos || !at || (line[at - 1] != '(' && line[at - 1] != ' '))
			continue;
		std::string_view value = line.substr(at + known.word.size());
		value = value.substr(0, value.find_first_of(" )"));
		std::string_view name = line.substr(0, at - 1);
		while (!name.empty() && (name.back() == ' ' || name.back() == '('))
			name.remove_suffix(1);
		int64_t number = 0;
		if (whole_number(value, number))
			return fmt::format("mark kind={} {}={} name={}", known.kind, known.value,
					   number, name);
	}
	return {};
}

} // namespace

std::string marker_message(std::string_view line)
{
	while (!line.empty() && (line.back() == '\n' || line.back() == ' '))
		line.remove_suffix(1);
	std::string text = atrace_message(line);

	if (text.empty())
		text = gpuvis_message(line);
	return text.empty() ? fmt::format("mark kind=text name={}", line) : text;
}

bool is_marker(std::string_view event)
{
	constexpr std::string_view names[] = {"print", "bprint", "bputs", "tracing_mark_write"};

	return std::find(std::begin(names), std::end(names), event) != std::end(names);
}

std::string_view marker_line(std::string_view text)
{
	constexpr std::string_view place = "tracing_mark_write: ";

	if (text.starts_with(place))
		text.remove_prefix(place.size());
	return text;
}

} // namespace grtrace
