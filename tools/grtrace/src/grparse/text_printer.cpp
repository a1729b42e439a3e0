// SPDX-License-Identifier: GPL-2.0
//
// grparse spends most of its time here. So a line is written into memory that is allocated
// once, and the usual header is written without the steps of a format.
#include "grparse/text_printer.h"

#include <charconv>
#include <cstring>
#include <ctime>

#include "format/vocabulary.h"

namespace grtrace {

namespace {

using Step = Format::Step;

constexpr uint64_t second = 1000000000;
constexpr size_t header_size = 128; // at most

// These formats belong to no type.
constexpr size_t format_unknown = 0;
constexpr size_t format_submit_fence = nr_record_kinds + 1;

// The default text after the header, by action.
std::string_view default_tail(uint16_t type)
{
	switch (type) {
	case GRTRACE_SUBMIT:
		return "%r %x:%S [%C]%w\n";
	case GRTRACE_PICK:
		return "%r %x:%S + %n%w\n";
	case GRTRACE_DEP:
	case GRTRACE_BLOCKED:
		return "%r %x:%S <- %f%w\n";
	case GRTRACE_COMMIT:
		return "%r %x:%S -> %f%w\n";
	case GRTRACE_START:
	case GRTRACE_END:
	case GRTRACE_IRQ:
		return "%r %x:%S%w\n";
	case GRTRACE_COMPLETE:
		return "%r %x:%S [%e]%w\n";
	case GRTRACE_CTX_SWITCH:
		return "%r %f => %x:%S%w\n";
	case GRTRACE_SYNC_WAIT_ENTER:
	case GRTRACE_SYNC_WAIT_EXIT:
		return "%x:%S [%C]%y\n";
	case GRTRACE_FENCE:
		return "%x:%S%w\n";
	case GRTRACE_ERROR:
		return "%r %x:%S %k %e%y\n";
	case GRTRACE_QUEUE:
		return "%r %x:%S %m [%C]\n";
	case GRTRACE_IOCTL:
		return "%m [%C]\n";
	default:
		return "%m\n";
	}
}

// The line being written. Memory for all of it is allocated once, so that a field costs
// no more than its bytes; only an unusually long text needs more.
struct Line {
	// This many bytes after the line may be overwritten.
	static constexpr size_t slack = 8;

	fmt::memory_buffer &out;
	const Event &event;
	Session &session;
	const Ring &ring;
	uint64_t elapsed; // ns since the previous step, or no_time
	SecondText &clock;
	NoteText *note_text;
	char *at; // place of the next byte

	void make_room(size_t bytes)
	{
		size_t used = static_cast<size_t>(at - out.data());

		out.resize(out.size() + bytes);
		at = out.data() + used;
	}

	// Most pieces have few bytes, which are not worth a call of memcpy().
	void copy(std::string_view text)
	{
		for (size_t i = 0; i < text.size(); i++)
			at[i] = text[i];
		at += text.size();
	}

	// Eight bytes at a time, because there is room after the line.
	void pad(size_t length, size_t width)
	{
		for (size_t done = length; done < width; done += slack)
			memset(at + done - length, ' ', slack);
		at += width > length ? width - length : 0;
	}

	void put(const Step &step, std::string_view text)
	{
		if (text.size() > Format::usual_width)
			make_room(text.size());
		if (!step.left)
			pad(text.size(), step.width);
		copy(text);
		if (step.left)
			pad(text.size(), step.width);
	}
	void put(const Step &step, char letter) { put(step, std::string_view(&letter, 1)); }
	void put(const Step &step, std::integral auto value)
	{
		if (!step.width) {
			at = std::to_chars(at, at + Format::usual_width, value).ptr;
			return;
		}
		const fmt::format_int digits(value);

		put(step, std::string_view(digits.data(), digits.size()));
	}
	void put_right(uint64_t value, uint8_t width) { put({0, false, width, 0, 0}, value); }

	// An unknown value is printed as a dash.
	void put_if(bool known, const Step &step, auto value)
	{
		if (known)
			put(step, value);
		else
			put(step, std::string_view("-"));
	}

	const Task *task() const { return session.tasks.find(event.pid); }

	// Returns the nanoseconds since the start, or before it.
	uint64_t distance() const
	{
		return is_early() ? session.start_ts - event.ts : event.ts - session.start_ts;
	}
	bool is_early() const { return event.ts < session.start_ts; }

	void put_seconds(const Step &step)
	{
		// This is not a signed number: half a second before the start is -0.5.
		if (is_early())
			put(step, fmt::format("-{}", distance() / second));
		else
			put(step, distance() / second);
	}
	void put_nanoseconds(const Step &step)
	{
		// An additional digit in front keeps leading zeros.
		const fmt::format_int digits(second + distance() % second);

		put(step, std::string_view(digits.data() + 1, digits.size() - 1));
	}
};

void put_wall_clock(Line &line, const Step &step)
{
	const Session &session = line.session;
	uint64_t real = line.event.ts - session.start_ts + session.start_real;
	int64_t now = static_cast<int64_t>(real / second);

	if (now != line.clock.second) {
		time_t seconds = now;
		struct tm tm = {};

		localtime_r(&seconds, &tm);
		strftime(line.clock.text, sizeof(line.clock.text), "%H:%M:%S", &tm);
		line.clock.second = now;
	}
	line.put(step, fmt::format("{}.{:06}", line.clock.text, real % second / 1000));
}

std::string elapsed_text(uint64_t ns)
{
	return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

// Used by the default formats: prints nothing if the time is not known.
void put_tracked(Line &line, const Step &step)
{
	if (line.elapsed != no_time)
		line.put(step, fmt::format(" ({})", elapsed_text(line.elapsed)));
	else if (step.width)
		line.put(step, std::string_view());
}

void put_ring(Line &line)
{
	line.put_if(line.ring.known, {'D', false, 3, 0, 0}, line.ring.device);
	*line.at++ = ',';
	line.put_if(line.event.ring != GRTRACE_RING_NONE, {'D', true, 3, 0, 0}, line.event.ring);
}

// Prints the beginning of nearly every line without the steps of a format: "%D %2c %8s
// %5T.%9t %5p %2a %3d ".
void put_header(Line &line)
{
	const Event &event = line.event;

	put_ring(line);
	*line.at++ = ' ';
	line.put_right(event.cpu, 2);
	*line.at++ = ' ';
	line.put_right(event.gseq, 8);
	*line.at++ = ' ';
	line.put_seconds({'T', false, 5, 0, 0});
	*line.at++ = '.';
	line.put_nanoseconds({'t', false, 9, 0, 0});
	*line.at++ = ' ';
	line.put_right(event.pid, 5);
	*line.at++ = ' ';
	line.put({'a', false, 2, 0, 0}, line.session.event_letter(event.type));
	line.copy("   ");
	*line.at++ = engine_letter(line.ring.engine_class);
	*line.at++ = ' ';
}

// Prints nothing on nearly every line.
void put_marks(Line &line, const Step &step)
{
	const bool queue = line.event.slow_queue();
	const bool exec = line.event.slow_exec();
	const bool preempted =
		line.event.type == GRTRACE_CTX_SWITCH && line.event.arg == GRTRACE_SWITCH_PREEMPTED;

	if (step.width || queue || exec || preempted)
		line.put(step,
			 fmt::format("{}{}{}", queue ? " [slow queue]" : "",
				     exec ? " [slow exec]" : "", preempted ? " [preempted]" : ""));
}

std::string text_of(const Line &line)
{
	const uint16_t type = line.event.type;

	if (line.event.is_event() && type != GRTRACE_IOCTL && type != GRTRACE_QUEUE &&
	    record_kind(type))
		return "";
	return line.note_text(line.event, line.session);
}

// Only these have an error: the argument of the others is something else.
int32_t error_of(const Event &event)
{
	if (event.type == GRTRACE_ERROR)
		return event.code;
	return event.type == GRTRACE_COMPLETE || event.type == GRTRACE_SYNC_WAIT_EXIT ?
		       event.error() :
		       0;
}

// Prints nothing on nearly every line.
void put_detail(Line &line, const Step &step)
{
	const std::string text = detail_text(line.event);

	line.put(step, text.empty() ? text : " " + text);
}

std::string_view name_of(const Line &line)
{
	if (!line.ring.known && line.event.ring != GRTRACE_RING_NONE)
		return "?";
	return line.ring.name;
}

void put_fence(Line &line, const Step &step)
{
	const Event &event = line.event;

	if (step.width || !event.has_fence)
		return line.put_if(event.has_fence, step,
				   fmt::format("{}:{}", event.fence_ctx, event.fence_seqno));
	line.put(step, event.fence_ctx);
	*line.at++ = ':';
	line.put(step, event.fence_seqno);
}

void put_field(Line &line, const Step &step)
{
	const Event &event = line.event;
	const Ring &ring = line.ring;

	switch (step.field) {
	case 'a':
		return line.put(step, line.session.event_letter(event.type));
	case 'b':
		return line.put(step, event.weight);
	case 'c':
		return line.put(step, event.cpu);
	case 'C':
		return line.put(step, line.task() ? line.task()->name() : "?");
	case 'd':
		return line.put(step, engine_letter(ring.engine_class));
	case 'D':
		return put_ring(line);
	case 'e':
		return line.put(step, error_of(event));
	case 'E':
		return put_tracked(line, step);
	case 'f':
		return put_fence(line, step);
	case 'g':
	case 's':
		return line.put(step, event.gseq);
	case 'k':
		return line.put_if(event.type == GRTRACE_ERROR, step, error_kind_name(event.kind));
	case 'l':
		return line.put(step, "sih~"[event.flags & GRTRACE_TIME_MASK]);
	case 'm':
		return line.put(step, text_of(line));
	case 'M':
		return line.put_if(ring.known, step, ring.device);
	case 'n':
	case 'U':
		return line.put(step, event.arg);
	case 'N':
		return line.put(step, event.size);
	case 'p':
		return line.put(step, event.pid);
	case 'P':
		return line.put_if(line.task(), step, line.task() ? line.task()->tgid : 0);
	case 'q':
		return line.put(step, event.cseq);
	case 'r':
		return line.put(step, name_of(line));
	case 'R':
		return line.put(step, event.ring);
	case 'S':
		return line.put(step, event.seqno);
	case 't':
		return line.put_nanoseconds(step);
	case 'T':
		return line.put_seconds(step);
	case 'u':
		return line.put_if(line.elapsed != no_time, step, elapsed_text(line.elapsed));
	case 'v':
		return line.put_if(ring.known, step, std::string_view(ring.device_name));
	case 'V':
		return line.put_if(ring.known, step, std::string_view(ring.driver));
	case 'w':
		return put_marks(line, step);
	case 'x':
		return line.put(step, event.ctx);
	case 'y':
		return put_detail(line, step);
	case 'z':
		return put_wall_clock(line, step);
	}
}

} // namespace

TextPrinter::TextPrinter()
{
	set_defaults("");
}

void TextPrinter::track_times()
{
	set_defaults("%E");
}

// The defaults begin with what the format language calls "%D %2c %8s %5T.%9t %5p %2a
// %3d ", see put_header(); `more` comes before the marks.
void TextPrinter::set_defaults(std::string_view more)
{
	// The defaults are written in the format language, so they compile.
	auto compile = [&](Format &format, std::string_view tail) {
		std::string source(tail);
		const size_t marks = source.rfind("%w");
		source.insert(marks == source.npos ? source.size() - 1 : marks, more);
		[[maybe_unused]] Status ok = format.compile(source);
	};

	for_each_record_kind([&](const RecordKind &kind) {
		compile(formats_[record_kind_number(kind.type)], default_tail(kind.type));
	});
	compile(formats_[format_unknown], "%m\n");
	compile(formats_[format_submit_fence], "%r %x:%S -> %f [%C]%w\n");
	headed_.fill(true);
}

size_t TextPrinter::format_index(const Event &event)
{
	if (event.type == GRTRACE_SUBMIT && event.has_fence)
		return format_submit_fence;
	return record_kind_number(event.type);
}

Status TextPrinter::set_format(std::string_view source)
{
	Format format;
	Status status = format.compile(source);

	if (status.ok()) {
		formats_.fill(format);
		headed_.fill(false);
	}
	return status;
}

Status TextPrinter::set_format_of(std::string_view spec)
{
	size_t comma = spec.find(',');
	std::string_view word = spec.substr(0, comma);
	const RecordKind *kind = nullptr;

	// Compares exactly: in -F the case of a letter counts, as in blkparse.
	for_each_record_kind([&](const RecordKind &known) {
		if (word == known.letter)
			kind = &known;
	});
	if (comma == spec.npos || !kind)
		return Status::error("-F wants an action and a format, such as C,\"%T.%t "
				     "%x:%S\\n\", not \"{}\"; see --help for actions",
				     spec);

	Event event = {};
	event.type = kind->type;
	Format format;
	Status status = format.compile(spec.substr(comma + 1));
	if (!status.ok())
		return status;
	auto set = [&](size_t index) {
		formats_[index] = format;
		headed_[index] = false;
	};
	set(format_index(event));
	if (kind->type == GRTRACE_SUBMIT)
		set(format_submit_fence);
	return {};
}

void TextPrinter::print(fmt::memory_buffer &out, const Event &event, Session &session,
			uint64_t elapsed)
{
	const size_t index = format_index(event);
	const Format &format = formats_[index];
	Line line = {out,     event,  session,    session.rings.find(event.ring),
		     elapsed, clock_, note_text_, out.data() + out.size()};

	line.make_room(header_size + format.usual_size() + Line::slack);
	if (headed_[index])
		put_header(line);
	for (const Step &step : format.steps())
		if (step.field)
			put_field(line, step);
		else
			line.copy(format.literal(step));
	out.resize(static_cast<size_t>(line.at - out.data()));
}

} // namespace grtrace
