// SPDX-License-Identifier: GPL-2.0
#include "words/merge/text_event.h"

#include "lib/text/words_of.h"

namespace grtrace {

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static std::string_view trim(std::string_view text)
{
	while (!text.empty() && text.front() == ' ')
		text.remove_prefix(1);
	while (!text.empty() && text.back() == ' ')
		text.remove_suffix(1);
	return text;
}

// 12.345 becomes 12345000000 ns, however many digits there are after the point.
static bool seconds(std::string_view text, uint64_t &ns)
{
	constexpr uint64_t second = 1000000000;
	const size_t point = text.find('.');
	uint64_t whole, part, scale = second;

	if (point == text.npos || text.size() - point - 1 > 9 ||
	    !whole_number(text.substr(0, point), whole) ||
	    !whole_number(text.substr(point + 1), part) || whole > UINT64_MAX / second - 1)
		return false;
	for (size_t digits = text.size() - point - 1; digits; digits--)
		scale /= 10;
	ns = whole * second + part * scale;
	return true;
}

// Both print "[cpu]" between the task and the time. A name may have brackets of its own, so
// the first pair with only digits counts.
static bool split_at_cpu(std::string_view line, std::string_view &who, std::string_view &rest,
			 uint32_t &cpu)
{
	for (size_t open = line.find('['); open != line.npos; open = line.find('[', open + 1)) {
		const size_t close = line.find(']', open);

		if (close == line.npos)
			return false;
		if (whole_number(line.substr(open + 1, close - open - 1), cpu)) {
			who = trim(line.substr(0, open));
			rest = line.substr(close + 1);
			return true;
		}
	}
	return false;
}

// "12.345678901: name: fields", perhaps with flags before it.
static bool split_event(std::string_view rest, TextEvent &event)
{
	rest = trim(rest);
	if (!rest.empty() && !is_digit(rest.front()))
		rest = trim(rest.substr(std::min(rest.find(' '), rest.size())));

	size_t colon = rest.find(": ");
	if (colon == rest.npos)
		colon = rest.find(':');
	if (colon == rest.npos || !seconds(rest.substr(0, colon), event.ts))
		return false;
	rest = trim(rest.substr(colon + 1));

	// A colon without a space joins a system and a name.
	colon = rest.find(": ");
	if (colon == rest.npos)
		colon = rest.ends_with(':') ? rest.size() - 1 : rest.size();
	event.name = trim(rest.substr(0, colon));
	event.text = colon < rest.size() ? trim(rest.substr(colon + 1)) : std::string_view();
	return !event.name.empty();
}

// "CPU:2 [123 EVENTS DROPPED]"; without a number at least one was dropped.
static bool parse_dropped(std::string_view line, TextEvent &event)
{
	const size_t dropped = line.find("EVENTS DROPPED]");
	const size_t cpu = line.find("CPU:");

	if (dropped == line.npos || cpu == line.npos || cpu > dropped)
		return false;
	const size_t open = line.find('[', cpu);
	if (open == line.npos || open > dropped ||
	    !whole_number(trim(line.substr(cpu + 4, open - cpu - 4)), event.cpu))
		return false;
	if (!whole_number(trim(line.substr(open + 1, dropped - open - 1)), event.lost))
		event.lost = 1;
	return true;
}

bool parse_trace_cmd(std::string_view line, TextEvent &event)
{
	std::string_view who, rest;

	event = {};
	if (parse_dropped(line, event))
		return true;
	if (!split_at_cpu(line, who, rest, event.cpu) || !split_event(rest, event))
		return false;

	const size_t dash = who.rfind('-');
	if (dash == who.npos || !whole_number(who.substr(dash + 1), event.pid))
		return false;
	event.comm = who.substr(0, dash);
	return true;
}

bool parse_perf(std::string_view line, TextEvent &event)
{
	std::string_view who, rest;

	event = {};
	if (!split_at_cpu(line, who, rest, event.cpu) || !split_event(rest, event))
		return false;

	const size_t space = who.rfind(' ');
	const size_t slash = who.rfind('/');
	if (space == who.npos || slash == who.npos || slash < space)
		return false;
	// perf prints -1 for the idle task if the number is not known.
	if (!whole_number(who.substr(slash + 1), event.pid))
		event.pid = 0;
	if (!whole_number(who.substr(space + 1, slash - space - 1), event.tgid))
		event.tgid = 0;
	event.comm = trim(who.substr(0, space));
	// PERF_RECORD_LOST lost 123
	if (event.name.starts_with("PERF_RECORD_LOST")) {
		const size_t last = event.name.rfind(' ');

		if (!whole_number(event.name.substr(last + 1), event.lost))
			event.lost = 1;
	}
	return true;
}

} // namespace grtrace
