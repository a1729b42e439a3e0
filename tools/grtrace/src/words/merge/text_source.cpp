// SPDX-License-Identifier: GPL-2.0
#include "words/merge/text_source.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "words/foreign/copied_input.h"
#include "words/foreign/line_reader.h"

namespace grtrace {

// "local global [mono] boot": the clock in brackets is in use.
static bool learn_trace_cmd(std::string_view line, ClockFacts &clock)
{
	const size_t open = line.find('['), close = line.find(']', open);

	if (!line.starts_with("local") && !line.starts_with("[local]"))
		return false;
	if (open == line.npos || close == line.npos)
		return false;
	clock.said = line.substr(open + 1, close - open - 1);
	clock.id = clock_of_name(clock.said);
	return true;
}

// "1795305036.580486" in ns, with any number of digits.
static bool timestamp(std::string_view text, uint64_t &ns)
{
	constexpr uint64_t second = 1000000000;
	const size_t point = text.find('.');
	uint64_t whole = 0, part = 0, scale = second;

	if (point == text.npos)
		return false;
	std::from_chars(text.data(), text.data() + point, whole);
	for (size_t i = point + 1; i < text.size() && text[i] >= '0' && text[i] <= '9' && scale > 1;
	     i++) {
		part = part * 10 + static_cast<uint64_t>(text[i] - '0');
		scale /= 10;
	}
	ns = whole * second + part * scale;
	return whole < UINT64_MAX / second;
}

// "# clockid: monotonic (1)" and
// "# reference time: <date> = 1795305036.5 (TOD) = 39253.9 (monotonic)"
static bool learn_perf(std::string_view line, ClockFacts &clock)
{
	static constexpr std::string_view id = "# clockid: ";
	static constexpr std::string_view reference = "# reference time: ";

	if (line.starts_with(id)) {
		line.remove_prefix(id.size());
		clock.said = line.substr(0, line.find(' '));
		clock.id = clock_of_name(clock.said);
		return true;
	}
	if (!line.starts_with(reference))
		return false;

	const size_t real = line.find("= ");
	const size_t ts = real == line.npos ? real : line.find("= ", real + 2);
	clock.has_real = ts != line.npos && timestamp(line.substr(real + 2), clock.real) &&
			 timestamp(line.substr(ts + 2), clock.ts);
	return true;
}

const TextFormat *find_text_format(std::string_view first_bytes)
{
	using namespace std::literals;

	static const TextFormat formats[] = {
		{"trace.dat",
		 "\x17\x08\x44tracing"sv,
		 {"trace-cmd", "dump", "--options", "-i"},
		 {"trace-cmd", "report", "-t", "-i"},
		 learn_trace_cmd},
		{"perf.data",
		 "PERFILE2"sv,
		 {"perf", "script", "--header-only", "-i"},
		 {"perf", "script", "--ns", "--show-lost-events", "-F",
		  "comm,pid,tid,cpu,time,event,trace", "-i"},
		 learn_perf},
	};

	for (const TextFormat &format : formats)
		if (first_bytes.starts_with(format.magic))
			return &format;
	return nullptr;
}

std::vector<std::string> TextSource::command(std::vector<std::string> words) const
{
	words.push_back(opened_);
	return words;
}

// Root runs the program as a user who may not be able to open the file.
Status TextSource::copy_for(const RunUser &user)
{
	Fd file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));

	if (!file.is_open())
		return Status::error("cannot open: {}", strerror(errno));
	LineReader reader(std::move(file));
	Status status = copy_input(reader, &copy_);
	if (status.ok() && fchown(copy_.get(), user.uid, user.gid) < 0)
		status = Status::error("cannot make a copy of it: {}", strerror(errno));
	opened_ = fmt::format("/proc/self/fd/{}", copy_.get());
	return status;
}

// A clock that no other file has can only be found by the marks among its events.
Status TextSource::find_marks()
{
	ToolLines lines;
	std::string_view line;
	TraceLine event;
	ClockMark mark;
	const Status status = lines.start(command(format_.events), user_);

	if (!status.ok())
		return status;
	while (lines.next(line)) {
		if (read_trace_line(line, event) != LineKind::event ||
		    !read_clock_mark(event.text, mark))
			continue;
		mark.ts = event.ts;
		clock_.marks.push_back(mark);
	}
	return lines.finish();
}

Status TextSource::open()
{
	ToolLines facts;
	std::string_view line;
	Status status = user_ ? copy_for(*user_) : Status();
	if (status.ok())
		status = facts.start(command(format_.facts), user_);

	if (!status.ok())
		return status;
	while (facts.next(line))
		format_.learn(line, clock_);
	status = facts.finish();
	if (status.ok() && (clock_.id == ClockId::other || clock_.id == ClockId::raw))
		status = find_marks();
	if (!status.ok())
		return status;

	lines_ = std::make_unique<ToolLines>();
	status = lines_->start(command(format_.events), user_);
	if (status.ok() && read())
		start_ts_ = ahead_.ts;
	return status;
}

// Reads up to the next line with an event, into ahead_.
bool TextSource::read()
{
	std::string_view line;

	while (!have_ahead_ && lines_->next(line)) {
		const LineKind kind = read_trace_line(line, ahead_);

		if (kind == LineKind::loss && !ahead_.has_ts)
			dropped_[ahead_.cpu] += ahead_.lost;
		else
			have_ahead_ = kind == LineKind::event || kind == LineKind::loss;
	}
	return have_ahead_;
}

void TextSource::begin(MergeRecord &record) const
{
	record.event = {};
	record.event.ts = ahead_.ts;
	record.event.cpu = ahead_.cpu;
	record.event.pid = ahead_.pid;
	record.event.weight = 1;
	record.event.sequenced = true;
}

void TextSource::message(MergeRecord &record) const
{
	const size_t head = sizeof(grtrace_rec_message);
	std::string text(ahead_.full_name);

	if (!ahead_.text.empty())
		text.append(": ").append(ahead_.text);
	text.resize(std::min<size_t>(text.size(), GRTRACE_MESSAGE_MAX));
	uint8_t *raw = record.make(GRTRACE_MESSAGE, (head + text.size() + 7) / 8 * 8);
	memcpy(raw + head, text.data(), text.size());
}

void TextSource::task(MergeRecord &record) const
{
	using Task = grtrace_rec_task;

	uint8_t *raw = record.make(GRTRACE_TASK, sizeof(Task));

	store32(raw + offsetof(Task, tgid), ahead_.tgid ? ahead_.tgid : ahead_.pid);
	if (!ahead_.comm.empty())
		memcpy(raw + offsetof(Task, comm), ahead_.comm.data(),
		       std::min<size_t>(ahead_.comm.size(), GRTRACE_COMM_LEN - 1));
}

// A CPU lost this many events between its newest event and that time.
void TextSource::tell_lost(MergeRecord &record, uint32_t cpu, uint64_t lost, uint64_t to)
{
	using Lost = grtrace_rec_lost;

	const auto newest = newest_ts_.find(cpu);
	const uint64_t from = newest == newest_ts_.end() ? to : std::min(newest->second, to);

	record.event = {};
	record.event.ts = from;
	record.event.cpu = cpu;
	record.event.weight = 1;
	uint8_t *raw = record.make(GRTRACE_LOST, sizeof(Lost));
	store64(raw + offsetof(Lost, events), lost);
	store64(raw + offsetof(Lost, first_ts), from);
	store64(raw + offsetof(Lost, last_ts), to);
	lost_ += lost;
	jobs_.lose();
}

// Returns whether the thread's name is new.
bool TextSource::learn_name()
{
	const size_t size = std::min<size_t>(ahead_.comm.size(), GRTRACE_COMM_LEN - 1);
	Name now, &known = names_.get(ahead_.pid);

	if (size)
		memcpy(now.comm, ahead_.comm.data(), size);
	if (!ahead_.pid || !memcmp(&now, &known, sizeof(now)))
		return false;
	known = now;
	return true;
}

Next TextSource::next(MergeRecord &record)
{
	if (jobs_.has_record()) {
		record = jobs_.next();
		return Next::event;
	}

	const bool more = read();
	const auto dropped = more ? dropped_.find(ahead_.cpu) : dropped_.begin();

	if (dropped != dropped_.end()) {
		tell_lost(record, dropped->first, dropped->second, more ? ahead_.ts : last_ts_);
		dropped_.erase(dropped);
		return Next::event;
	}
	if (!more)
		return Next::end;
	if (ahead_.lost) {
		tell_lost(record, ahead_.cpu, ahead_.lost, ahead_.ts);
	} else {
		begin(record);
		if (learn_name()) {
			// The event itself is returned by the next call.
			task(record);
			return Next::event;
		}
		if (jobs_.take(ahead_))
			record = jobs_.next();
		else
			message(record);
		events_++;
	}
	last_ts_ = std::max(last_ts_, ahead_.ts);
	newest_ts_[ahead_.cpu] = ahead_.ts;
	have_ahead_ = false;
	return Next::event;
}

Status TextSource::close()
{
	Status status = lines_->finish();

	if (status.ok() && !events_)
		return Status::error("there are no events in it");
	return status;
}

} // namespace grtrace
