// SPDX-License-Identifier: GPL-2.0
//
// Most of the time of grparse is spent here. So a line is written into room made once, digits
// two at a time, and the header that nearly all lines have without the steps of a format.
#include "grparse/text_printer.h"

#include <bit>
#include <cstring>
#include <ctime>

#include "format/vocabulary.h"
#include "read/stream/note_text.h"

namespace grtrace {

static constexpr uint64_t second = 1000000000;
static constexpr size_t header_size = 128; // at most

// Formats that belong to no type of their own.
static constexpr size_t format_unknown = 0;
static constexpr size_t format_submit_fence = 24;
static constexpr size_t format_notes = last_event + 1;

// What stands behind the header, by action.
static std::string_view default_tail(uint16_t type)
{
	switch (type) {
	case GRTRACE_SUBMIT:
		return "%r %x:%S + %n [%C]%w\n";
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
		return "%x:%S [%C]\n";
	case GRTRACE_FENCE:
		return "%x:%S%w\n";
	case GRTRACE_ERROR:
		return "%r %x:%S %k %e\n";
	case GRTRACE_IOCTL:
		return "%m [%C]\n";
	default:
		return "%m\n";
	}
}

// "00", "01", ... "99": half as many divisions.
static constexpr std::array<char, 200> digit_pairs = [] {
	std::array<char, 200> pairs = {};

	for (size_t i = 0; i < 100; i++) {
		pairs[2 * i] = static_cast<char>('0' + i / 10);
		pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
	}
	return pairs;
}();

static constexpr std::array<uint64_t, 20> powers_of_ten = [] {
	std::array<uint64_t, 20> powers = {1};

	for (size_t i = 1; i < powers.size(); i++)
		powers[i] = powers[i - 1] * 10;
	return powers;
}();

// 1233 / 4096 is a little more than the logarithm of 2.
static size_t digits_of(uint64_t value)
{
	value |= 1; // 0 has a digit, too
	size_t least = std::bit_width(value) * 1233u >> 12;

	return least + (value >= powers_of_ten[least]);
}

// The line in the making. Room for all of it is made once, so that a field
// costs no more than its bytes; only a text that is longer than usual asks for
// more.
struct TextPrinter::Line {
	// Bytes behind the line that may be written over.
	static constexpr size_t slack = 8;

	fmt::memory_buffer &out;
	const Event &event;
	Session &session;
	const Ring &ring;
	uint64_t elapsed; // ns since the step before, or Job::none
	char *at; // where the next byte goes

	void make_room(size_t bytes)
	{
		size_t used = static_cast<size_t>(at - out.data());

		out.resize(out.size() + bytes);
		at = out.data() + used;
	}

	// Most pieces have a few bytes: not worth a call of memcpy().
	void copy(const char *from, size_t length)
	{
		for (size_t i = 0; i < length; i++)
			at[i] = from[i];
		at += length;
	}

	// Eight at a time, as there is room behind.
	void pad(size_t length, size_t width)
	{
		for (size_t done = length; done < width; done += slack)
			memset(at + done - length, ' ', slack);
		at += width > length ? width - length : 0;
	}

	void put(const Format::Step &step, std::string_view text)
	{
		if (text.size() > Format::usual_width)
			make_room(text.size());
		if (!step.left)
			pad(text.size(), step.width);
		copy(text.data(), text.size());
		if (step.left)
			pad(text.size(), step.width);
	}

	// So many digits, the upper ones 0 if need be.
	void put_digits(uint64_t value, size_t length)
	{
		char *end = at + length;

		for (; end - at >= 2; value /= 100) {
			end -= 2;
			memcpy(end, &digit_pairs[value % 100 * 2], 2);
		}
		if (end != at)
			*at = static_cast<char>('0' + value);
		at += length;
	}

	void put_right(uint64_t value, size_t width)
	{
		size_t length = digits_of(value);

		pad(length, width);
		put_digits(value, length);
	}

	void put(const Format::Step &step, uint64_t value)
	{
		size_t length = digits_of(value);

		if (!step.left)
			pad(length, step.width);
		put_digits(value, length);
		if (step.left)
			pad(length, step.width);
	}

	// Not a signed number: half a second before the start is -0.5.
	void put_before_start(const Format::Step &step, uint64_t seconds)
	{
		put(step, fmt::format("-{}", seconds));
	}

	void put_signed(const Format::Step &step, int64_t value)
	{
		if (value >= 0)
			return put(step, static_cast<uint64_t>(value));
		put(step, fmt::format("{}", value));
	}
};

TextPrinter::TextPrinter()
{
	set_defaults("");
}

void TextPrinter::track_times()
{
	set_defaults("%E");
}

// The defaults begin with what the language calls "%D %2c %8s %5T.%9t %5p %2a
// %3d ", see print_header(); more stands before the marks.
void TextPrinter::set_defaults(std::string_view more)
{
	// The defaults are written in the user's language, so they compile.
	auto compile = [&](Format &format, std::string_view tail) {
		std::string source(tail);
		const size_t marks = source.rfind("%w");
		source.insert(marks == source.npos ? source.size() - 1 : marks, more);
		[[maybe_unused]] Status ok = format.compile(source);
	};

	for_each_record_kind([&](const RecordKind &kind) {
		size_t index = kind.type < GRTRACE_TYPE_LIMIT ?
				       kind.type :
				       format_notes + kind.type - GRTRACE_NOTE_FIRST;
		compile(formats_[index], default_tail(kind.type));
	});
	compile(formats_[format_unknown], "%m\n");
	compile(formats_[format_submit_fence], "%r %x:%S + %n -> %f [%C]%w\n");
	headed_.fill(true);
}

size_t TextPrinter::format_index(const Event &event)
{
	if (event.type == GRTRACE_SUBMIT && event.has_fence)
		return format_submit_fence;
	if (event.type <= last_event)
		return event.type;
	if (event.type >= GRTRACE_NOTE_FIRST && event.type <= GRTRACE_SAMPLE)
		return format_notes + event.type - GRTRACE_NOTE_FIRST;
	return format_unknown;
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

	// Exactly as written: in -F the case of a letter counts, as in blkparse.
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

// Nanoseconds since the start; before it, the distance and a minus sign.
static uint64_t distance(const Event &event, const Session &session, bool &neg)
{
	neg = event.ts < session.start_ts;
	return neg ? session.start_ts - event.ts : event.ts - session.start_ts;
}

void TextPrinter::print_time(Line &line, const Format::Step &step)
{
	bool negative;
	uint64_t ns = distance(line.event, line.session, negative);

	if (step.field == 'T' && negative)
		return line.put_before_start(step, ns / second);
	if (step.field == 'T')
		return line.put(step, ns / second);

	constexpr size_t digits = 9;
	if (!step.left)
		line.pad(digits, step.width);
	line.put_digits(ns % second, digits);
	if (step.left)
		line.pad(digits, step.width);
}

void TextPrinter::print_wall_clock(Line &line, const Format::Step &step)
{
	const Session &session = line.session;
	uint64_t real = line.event.ts - session.start_ts + session.start_real;
	int64_t now = static_cast<int64_t>(real / second);

	if (now != clock_second_) {
		time_t seconds = now;
		struct tm tm = {};

		localtime_r(&seconds, &tm);
		strftime(clock_text_, sizeof(clock_text_), "%H:%M:%S", &tm);
		clock_second_ = now;
	}

	char text[32];
	size_t length = static_cast<size_t>(
		fmt::format_to_n(text, sizeof(text), "{}.{:06}", clock_text_, real % second / 1000)
			.size);
	line.put(step, std::string_view(text, length));
}

void TextPrinter::print_elapsed(Line &line, const Format::Step &step)
{
	const bool in_default = step.field == 'E';

	if (line.elapsed == Job::none) {
		if (!in_default)
			line.put(step, "-");
		else if (step.width)
			line.put(step, "");
		return;
	}

	char text[32];
	const auto end = fmt::format_to_n(text, sizeof(text), " ({}.{:03})", line.elapsed / 1000,
					  line.elapsed % 1000);
	std::string_view shown(text, end.size);
	if (!in_default)
		shown = shown.substr(2, shown.size() - 3);
	line.put(step, shown);
}

static char time_letter(uint16_t flags)
{
	return "sih~"[flags & GRTRACE_TIME_MASK];
}

void TextPrinter::print_number(Line &line, const Format::Step &step)
{
	const Event &event = line.event;

	switch (step.field) {
	case 'b':
		return line.put(step, uint64_t(event.weight));
	case 'c':
		return line.put(step, uint64_t(event.cpu));
	case 'g':
	case 's':
		return line.put(step, event.gseq);
	case 'n':
	case 'U':
		return line.put(step, uint64_t(event.arg));
	case 'q':
		return line.put(step, event.cseq);
	case 'N':
		return line.put(step, uint64_t(event.size));
	case 'p':
		return line.put(step, uint64_t(event.pid));
	case 'R':
		return line.put(step, uint64_t(event.ring));
	case 'S':
		return line.put(step, uint64_t(event.seqno));
	case 'x':
		return line.put(step, event.ctx);
	case 'e':
		return line.put_signed(step,
				       event.type == GRTRACE_ERROR ? event.code : event.error());
	}
}

void TextPrinter::print_name(Line &line, const Format::Step &step)
{
	const Event &event = line.event;
	const Ring &ring = line.ring;

	switch (step.field) {
	case 'a':
		return line.put(step, line.session.event_letter(event.type));
	case 'C': {
		const Task *task = line.session.tasks.find(event.pid);
		return line.put(step, task ? task->name() : "?");
	}
	case 'd': {
		char letter = engine_letter(ring.engine_class);
		return line.put(step, std::string_view(&letter, 1));
	}
	case 'l': {
		char letter = time_letter(event.flags);
		return line.put(step, std::string_view(&letter, 1));
	}
	case 'k':
		return line.put(step,
				event.type == GRTRACE_ERROR ? error_kind_name(event.kind) : "-");
	case 'm':
		return line.put(step, event.is_event() && event.type != GRTRACE_IOCTL &&
						      record_kind(event.type) ?
					      "" :
					      note_text(event, line.session));
	case 'r':
		if (!ring.known && event.ring != GRTRACE_RING_NONE)
			return line.put(step, "?");
		return line.put(step, ring.name);
	case 'v':
		return line.put(step, ring.known ? ring.device_name : "-");
	case 'V':
		return line.put(step, ring.known ? ring.driver : "-");
	}
}

void TextPrinter::print_ring(Line &line)
{
	Format::Step device = {'D', false, 3, 0, 0};
	Format::Step id = {'D', true, 3, 0, 0};

	if (line.ring.known)
		line.put(device, uint64_t(line.ring.device));
	else
		line.put(device, "-");
	*line.at++ = ',';
	if (line.event.ring != GRTRACE_RING_NONE)
		return line.put(id, uint64_t(line.event.ring));
	line.put(id, "-");
}

void TextPrinter::print_fence(Line &line, const Format::Step &step)
{
	const Event &event = line.event;

	if (!event.has_fence)
		return line.put(step, "-");

	size_t length = digits_of(event.fence_ctx) + 1 + digits_of(event.fence_seqno);
	if (!step.left)
		line.pad(length, step.width);
	line.put_right(event.fence_ctx, 0);
	*line.at++ = ':';
	line.put_right(event.fence_seqno, 0);
	if (step.left)
		line.pad(length, step.width);
}

// What stands in front of nearly every line, without the detour by the steps of
// a format.
void TextPrinter::print_header(Line &line)
{
	const Event &event = line.event;
	const RecordKind *kind = record_kind(event.type);
	Format::Step seconds = {'T', false, 5, 0, 0};
	Format::Step action = {'a', false, 2, 0, 0};
	bool negative;
	uint64_t ns = distance(event, line.session, negative);

	print_ring(line);
	*line.at++ = ' ';
	line.put_right(event.cpu, 2);
	*line.at++ = ' ';
	line.put_right(event.gseq, 8);
	*line.at++ = ' ';
	if (negative)
		line.put_before_start(seconds, ns / second);
	else
		line.put_right(ns / second, 5);
	*line.at++ = '.';
	line.put_digits(ns % second, 9);
	*line.at++ = ' ';
	line.put_right(event.pid, 5);
	*line.at++ = ' ';
	line.put(action, kind ? kind->letter : line.session.event_letter(event.type));
	line.copy("   ", 3);
	*line.at++ = engine_letter(line.ring.engine_class);
	*line.at++ = ' ';
}

static std::string_view slow_marks(const Event &event)
{
	if (event.slow_queue())
		return event.slow_exec() ? " [slow queue] [slow exec]" : " [slow queue]";
	return event.slow_exec() ? " [slow exec]" : "";
}

void TextPrinter::print_field(Line &line, const Format::Step &step)
{
	const Event &event = line.event;
	const Ring &ring = line.ring;

	switch (step.field) {
	case 'w':
		// Nearly always nothing, on nearly every line.
		if (step.width || event.slow_queue() || event.slow_exec())
			line.put(step, slow_marks(event));
		return;
	case 't':
	case 'T':
		return print_time(line, step);
	case 'u':
	case 'E':
		return print_elapsed(line, step);
	case 'z':
		return print_wall_clock(line, step);
	case 'D':
		return print_ring(line);
	case 'f':
		return print_fence(line, step);
	case 'M':
		if (ring.known)
			return line.put(step, uint64_t(ring.device));
		return line.put(step, "-");
	case 'P': {
		const Task *task = line.session.tasks.find(event.pid);
		if (task)
			return line.put(step, uint64_t(task->tgid));
		return line.put(step, "-");
	}
	case 'a':
	case 'C':
	case 'd':
	case 'k':
	case 'l':
	case 'm':
	case 'r':
	case 'v':
	case 'V':
		return print_name(line, step);
	default:
		return print_number(line, step);
	}
}

void TextPrinter::print(fmt::memory_buffer &out, const Event &event, Session &session,
			uint64_t elapsed)
{
	const size_t index = format_index(event);
	const Format &format = formats_[index];
	Line line = {out,     event,
		     session, session.rings.find(event.ring),
		     elapsed, out.data() + out.size()};

	line.make_room(header_size + format.usual_size() + Line::slack);
	if (headed_[index])
		print_header(line);
	for (const Format::Step &step : format.steps()) {
		if (step.field) {
			print_field(line, step);
			continue;
		}
		std::string_view text = format.literal(step);
		line.copy(text.data(), text.size());
	}
	out.resize(static_cast<size_t>(line.at - out.data()));
}

} // namespace grtrace
