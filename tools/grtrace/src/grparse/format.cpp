// SPDX-License-Identifier: GPL-2.0
//
// A line is printed for each of millions of events, so the format is parsed only once.
#include "grparse/format.h"

namespace grtrace {

static const FormatField fields[] = {
	{'a', "action, 1 or 2 letters (see Actions)"},
	{'b', "what it stands for: N where 1 job of N was recorded, else 1"},
	{'c', "CPU"},
	{'C', "name of the task"},
	{'d', "engine class, one letter (see Engine classes)"},
	{'D', "device and ring, as \"%3d,%-3d\" (width is ignored)"},
	{'e', "error: 0 or -errno for a C or WX, the code for an ER, else 0"},
	{'E', "with -t: elapsed us in brackets after a space, or nothing"},
	{'f', "the second fence, ctx:seqno, or - if there is none"},
	{'g', "gseq, the number in the session"},
	{'k', "kind of an ER: timeout, hang, reset, kill, host, other"},
	{'l', "origin of the time: s software, i interrupt,\n"
	      "h hardware, ~ inferred"},
	{'m', "text of a message or note"},
	{'M', "number of the device"},
	{'n', "argument (Q: priority + 1, I: credits)"},
	{'N', "bytes of the record"},
	{'p', "pid (thread)"},
	{'P', "tgid (process)"},
	{'q', "cseq, the number on the CPU"},
	{'r', "name of the ring"},
	{'R', "id of the ring"},
	{'s', "sequence number of the session, gseq"},
	{'S', "seqno"},
	{'t', "time since the start, nanosecond part"},
	{'T', "time since the start, seconds"},
	{'u', "with -t: elapsed us since the step before, see -t; or -"},
	{'U', "argument, as %n"},
	{'v', "name of the device"},
	{'V', "name of the driver"},
	{'w', "marks, each after a space: [slow queue], [slow exec],\n"
	      "[preempted]; or nothing"},
	{'x', "ctx (fence context)"},
	{'y', "after a space: the result of a WX by name, unless it is 0;\n"
	      "of an ER who is to blame, and what the driver says; or nothing"},
	{'z', "absolute local time, HH:MM:SS.uuuuuu"},
};

static bool is_field(char letter)
{
	for (const FormatField &field : fields)
		if (field.letter == letter)
			return true;
	return false;
}

void Format::add_literal(char c)
{
	if (steps_.empty() || steps_.back().field)
		steps_.push_back({0, false, 0, static_cast<uint32_t>(text_.size()), 0});
	text_ += c;
	steps_.back().length++;
}

Status Format::add_escape(std::string_view source, size_t &at)
{
	static constexpr std::string_view letters = "bnrt\\";
	static constexpr std::string_view meanings = "\b\n\r\t\\";

	if (++at == source.size())
		return Status::error("format \"{}\": it ends with a \\", source);
	size_t which = letters.find(source[at]);
	if (which == letters.npos)
		return Status::error(
			"format \"{}\": there is no escape \\{}; known are \\b \\n \\r \\t \\\\",
			source, source[at]);
	add_literal(meanings[which]);
	return {};
}

Status Format::add_field(std::string_view source, size_t &at)
{
	Step step = {0, false, 0, 0, 0};
	unsigned int width = 0;

	at++;
	if (at < source.size() && source[at] == '-') {
		step.left = true;
		at++;
	}
	for (; at < source.size() && source[at] >= '0' && source[at] <= '9'; at++) {
		width = width * 10 + static_cast<unsigned int>(source[at] - '0');
		if (width > max_width)
			return Status::error("format \"{}\": a field can be at most {} wide",
					     source, max_width);
	}
	if (at == source.size())
		return Status::error("format \"{}\": it ends inside a %", source);
	if (!is_field(source[at])) {
		add_literal(source[at]);
		return {};
	}
	step.field = source[at];
	step.width = static_cast<uint8_t>(width);
	steps_.push_back(step);
	return {};
}

Status Format::compile(std::string_view source)
{
	steps_.clear();
	text_.clear();
	for (size_t at = 0; at < source.size(); at++) {
		Status status;

		if (source[at] == '\\')
			status = add_escape(source, at);
		else if (source[at] == '%')
			status = add_field(source, at);
		else
			add_literal(source[at]);
		if (!status.ok())
			return status;
	}
	usual_size_ = text_.size();
	for (const Step &step : steps_)
		usual_size_ += step.field ? usual_width + step.width : 0;
	return {};
}

std::string Format::describe_fields()
{
	std::string text;

	for (const FormatField &field : fields) {
		text += fmt::format("  %{}  ", field.letter);
		for (const char *c = field.help; *c; c++) {
			text += *c;
			if (*c == '\n')
				text += "      ";
		}
		text += '\n';
	}
	return text + "  %%  a percent sign\n";
}

} // namespace grtrace
