// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/trace_line.h"

#include <algorithm>

#include <drm/grtrace_drm.h>

#include "lib/text/words_of.h"

namespace grtrace {

namespace {

bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

std::string_view trim(std::string_view text)
{
	while (!text.empty() && is_space(text.front()))
		text.remove_prefix(1);
	while (!text.empty() && is_space(text.back()))
		text.remove_suffix(1);
	return text;
}

// Removes the first word from the text and returns it.
std::string_view take_word(std::string_view &text)
{
	text = trim(text);
	const size_t end = std::min(text.find(' '), text.size());
	const std::string_view word = text.substr(0, end);

	text.remove_prefix(end);
	return word;
}

// 12.345 is 12345000000: digits after the point are a fraction, however many there are.
// 12345us is 12345000, as the option latency-format has it.
bool read_time(std::string_view text, uint64_t &ns)
{
	constexpr uint64_t second = 1'000'000'000;
	constexpr uint64_t microsecond = 1000;

	if (text.ends_with("us")) {
		text.remove_suffix(2);
		if (!whole_number(text, ns) || ns > UINT64_MAX / microsecond)
			return false;
		ns *= microsecond;
		return true;
	}
	const size_t point = text.find('.');
	uint64_t whole = 0, part = 0, scale = second;

	if (point == text.npos || text.size() - point - 1 > 9 || point + 1 == text.size() ||
	    !whole_number(text.substr(0, point), whole) ||
	    !whole_number(text.substr(point + 1), part) || whole > UINT64_MAX / second - 1)
		return false;
	for (size_t digits = text.size() - point - 1; digits; digits--)
		scale /= 10;
	ns = whole * second + part * scale;
	return true;
}

// The columns: interrupts off, rescheduling, the context, the depth of preemption.
uint16_t read_flags(std::string_view columns)
{
	const char context = columns.size() > 2 ? columns[2] : '.';

	if (context == 'h' || context == 'H' || context == 'z' || context == 'Z')
		return GRTRACE_IN_HARDIRQ | GRTRACE_TIME_INTERRUPT;
	return context == 's' ? GRTRACE_IN_SOFTIRQ : GRTRACE_IN_TASK;
}

// "12.345: system:name: fields", or with one space more than a trace has.
LineKind read_event(std::string_view text, TraceLine &line)
{
	text = trim(text);
	const size_t end = text.find(':');
	uint64_t count = 0;

	if (end == text.npos)
		return LineKind::other;
	const std::string_view time = trim(text.substr(0, end));
	const bool counts = whole_number(time, count);
	if (!counts && !read_time(time, line.ts))
		return LineKind::other;
	text = trim(text.substr(end + 1));

	size_t colon = text.find(": ");
	if (colon == text.npos)
		colon = text.ends_with(':') ? text.size() - 1 : text.size();
	line.name = trim(text.substr(0, colon));
	line.text = colon < text.size() ? trim(text.substr(colon + 1)) : std::string_view();
	// perf may print a period before the name.
	if (const size_t space = line.name.rfind(' ');
	    space != line.name.npos && !line.name.starts_with("PERF_RECORD"))
		line.name.remove_prefix(space + 1);
	line.full_name = line.name;
	if (const size_t system = line.name.rfind(':'); system != line.name.npos)
		line.name.remove_prefix(system + 1);
	if (line.name.empty())
		return LineKind::other;
	return counts ? LineKind::counter : LineKind::event;
}

// "comm-237", "comm-237  (  230)", "comm 237" or "comm 230/237".
bool read_task(std::string_view text, TraceLine &line)
{
	text = trim(text);
	line.tgid = 0;
	if (text.ends_with(')')) {
		const size_t open = text.rfind('(');

		if (open == text.npos)
			return false;
		// Dashes where it is not known.
		if (!whole_number(trim(text.substr(open + 1, text.size() - open - 2)), line.tgid))
			line.tgid = 0;
		text = trim(text.substr(0, open));
	}
	const size_t dash = text.rfind('-');
	// perf has -1 for a task that is not known.
	const bool joins = dash != text.npos && text != "-1" &&
			   (!dash || (!is_space(text[dash - 1]) && text[dash - 1] != '/'));
	if (joins && whole_number(text.substr(dash + 1), line.pid)) {
		line.comm = trim(text.substr(0, dash));
	} else {
		const size_t space = text.rfind(' ');
		if (space == text.npos)
			return false;
		std::string_view who = text.substr(space + 1);

		if (const size_t slash = who.find('/'); slash != who.npos) {
			if (!whole_number(who.substr(0, slash), line.tgid))
				line.tgid = 0;
			who.remove_prefix(slash + 1);
		}
		// The idle task has -1 where it is not known.
		if (!whole_number(who, line.pid) && who != "-1")
			return false;
		line.comm = trim(text.substr(0, space));
	}
	if (line.comm == "<...>")
		line.comm = {};
	else if (line.comm == "<idle>")
		line.comm = "swapper";
	return true;
}

// "comm-237   [001] .....   16.842829: ..."; a name may also have brackets around digits, but
// only those of the CPU come before a time.
LineKind read_line_with_cpu(std::string_view text, TraceLine &line)
{
	for (size_t open = text.find('['); open != text.npos; open = text.find('[', open + 1)) {
		const size_t close = text.find(']', open);

		if (close == text.npos)
			break;
		line = {};
		if (!whole_number(text.substr(open + 1, close - open - 1), line.cpu) ||
		    !read_task(text.substr(0, open), line))
			continue;
		std::string_view rest = trim(text.substr(close + 1));
		if (!rest.empty() && !is_digit(rest.front())) {
			line.has_flags = true;
			line.flags = read_flags(take_word(rest));
		}
		if (const LineKind kind = read_event(rest, line); kind != LineKind::other)
			return kind;
	}
	line = {};
	return LineKind::other;
}

LineKind read_loss(std::string_view text, TraceLine &line)
{
	const size_t open = text.find('[');
	const size_t close = text.find(']', std::min(open, text.size()));

	if (open == text.npos || close == text.npos ||
	    !whole_number(trim(text.substr(4, open - 4)), line.cpu))
		return LineKind::other;
	std::string_view what = text.substr(open + 1, close - open - 1);
	if (what.find("LOST") == what.npos && what.find("DROPPED") == what.npos)
		return LineKind::other;
	// Without a number it is at least one.
	line.lost = 1;
	while (!trim(what).empty()) {
		uint64_t number = 0;

		if (whole_number(take_word(what), number) && number)
			line.lost = std::min(number, lost_max);
	}
	return LineKind::loss;
}

// "[  105.200100] comm-237 ...": the kernel's log has a time of its own before each line.
void skip_log_time(std::string_view &text)
{
	const size_t close = text.find("] ");
	uint64_t time = 0;

	if (text.starts_with('[') && close != text.npos &&
	    read_time(trim(text.substr(1, close - 1)), time))
		text.remove_prefix(close + 2);
}

// "comm-237     1d.h2    16.842829: ..."
LineKind read_latency_line(std::string_view text, TraceLine &line)
{
	for (size_t dash = text.find('-'); dash != text.npos; dash = text.find('-', dash + 1)) {
		std::string_view rest = text.substr(dash + 1);

		if (rest.empty() || !is_digit(rest.front()) ||
		    !whole_number(take_word(rest), line.pid))
			continue;
		std::string_view columns = take_word(rest);
		size_t digits = 0;
		while (digits < columns.size() && is_digit(columns[digits]))
			digits++;
		if (!digits || columns.size() - digits < 4 ||
		    !whole_number(columns.substr(0, digits), line.cpu))
			continue;
		line.comm = trim(text.substr(0, dash));
		line.has_flags = true;
		line.flags = read_flags(columns.substr(digits));
		return read_event(rest, line);
	}
	return LineKind::other;
}

// PERF_RECORD_LOST lost 123
LineKind perf_loss(TraceLine &line)
{
	const size_t last = line.name.rfind(' ');

	if (last == line.name.npos || !whole_number(line.name.substr(last + 1), line.lost) ||
	    !line.lost)
		line.lost = 1;
	line.lost = std::min(line.lost, lost_max);
	line.has_ts = true;
	return LineKind::loss;
}

} // namespace

LineKind read_trace_line(std::string_view text, TraceLine &line)
{
	line = {};
	if (text.empty() || text.front() == '#')
		return LineKind::other;
	if (text.starts_with("CPU:"))
		return read_loss(text, line);
	skip_log_time(text);
	const LineKind kind = read_line_with_cpu(text, line);
	if (kind == LineKind::other)
		return read_latency_line(text, line);
	if (kind == LineKind::event && line.name.starts_with("PERF_RECORD_"))
		return line.name.starts_with("PERF_RECORD_LOST") ? perf_loss(line) :
								   LineKind::other;
	return kind;
}

} // namespace grtrace
