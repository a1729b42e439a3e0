// SPDX-License-Identifier: GPL-2.0
//
// Three parts of a file are read: the tables at its start, the packets of the interval, and the
// tables at its end. The decoder reads them as if the file had nothing else.
#include "words/window/window_finder.h"

#include <algorithm>
#include <memory>

#include <unistd.h>

#include "read/stream/decoder.h"
#include "words/window/packet_search.h"

namespace grtrace {

namespace {

// The times of a CPU may step back by this much while the clock is being adjusted.
constexpr uint64_t slack_ns = 1000 * 1000;
// Tables are shorter, even with as many rings as there can be.
constexpr uint64_t most_tables = 16 * 1024 * 1024;

struct File {
	PacketSearch search;
	std::optional<PacketAt> first; // of a CPU
	PacketSearch::Tail tail;
};

// Returns the session as the tables at the start of a file describe it.
std::unique_ptr<Session> read_tables(int fd, uint64_t size)
{
	auto session = std::make_unique<Session>();
	std::vector<uint8_t> bytes(std::min(size, most_tables));
	Diagnostics diagnostics(nullptr);
	StreamStats stats;
	Event event;

	if (pread(fd, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
		return session;
	ByteReader in(bytes.data(), bytes.size());
	Decoder decoder("", in, *session, stats, diagnostics);
	while (decoder.next(event) == Next::event)
		;
	return session;
}

// Opens a file, which begins with tables. Returns nothing if it does not, or if something was
// lost.
std::optional<File> look_at(int fd, uint64_t session)
{
	File file = {PacketSearch(fd, session), {}, {}};
	const uint64_t size = file.search.size();
	std::optional<PacketAt> at = file.search.first_in(0, std::min<uint64_t>(size, 1));

	if (!at)
		return {};
	while (at && at->cpu == GRTRACE_CPU_NONE && at->offset <= most_tables)
		at = file.search.first_in(at->end, size);
	if (!at)
		return file;
	file.first = at;
	file.tail = file.search.tail(*at);
	if (!at->offset || at->cpu == GRTRACE_CPU_NONE || at->cpu >= StreamStats::max_cpus ||
	    at->cseq || !file.tail.last || file.tail.last->lost)
		return {};
	return file;
}

// Returns where the tables at the start end.
uint64_t end_of_tables(const File &file)
{
	return file.first ? file.first->offset : file.search.size();
}

bool is_certain(const Session &session)
{
	return session.have_info && session.recorder.empty() && !session.overwrite() &&
	       !session.must_refuse() && session.snapshot_reason.empty() &&
	       (session.clock == GRTRACE_CLOCK_MONOTONIC ||
		session.clock == GRTRACE_CLOCK_BOOTTIME);
}

// The interval, in the full-width times of packets.
struct Window {
	uint64_t from;
	uint64_t to;
	uint64_t names_bytes; // a packet has its names at most so far before it
};

// Adds what is read of a file.
void add_parts(CaptureParts &parts, File &file, const Window &window, StreamStats &stats)
{
	const uint64_t size = file.search.size();

	if (!file.first) {
		parts.files.push_back({{0, size}});
		return;
	}
	const uint64_t tables = file.tail.tables;
	PacketAt begin = file.search.last_until(window.from, *file.first, tables);
	if (begin.offset - file.first->offset > window.names_bytes)
		begin = file.search.first_in(begin.offset - window.names_bytes, tables)
				.value_or(begin);
	else if (window.names_bytes)
		begin = *file.first;
	const PacketAt last = file.search.last_until(window.to, begin, tables);
	const auto behind = file.search.first_in(last.end, tables);
	CpuStats &cpu = stats.cpu(begin.cpu);

	parts.files.push_back({{0, end_of_tables(file)},
			       {tables, size},
			       {begin.offset, behind ? behind->offset : tables}});
	cpu.next_cseq = begin.cseq;
	cpu.base_gseq = begin.gseq;
	parts.first_gseq = std::max(parts.first_gseq, begin.gseq);
	if (behind)
		parts.end_gseq = std::min(parts.end_gseq, behind->gseq);
	parts.last_ts = std::max(parts.last_ts, file.tail.last->ts);
}

CaptureParts find_window(const std::vector<InputFile> &inputs, StreamStats &stats, uint64_t from_ns,
			 uint64_t to_ns, bool needs_names)
{
	const auto start = PacketSearch(inputs.front().fd).first_in(0, 1);
	std::vector<File> files;
	bool has_tables = false; // at the end
	CaptureParts parts;

	if (!start || start->cpu != GRTRACE_CPU_NONE)
		return {};
	for (const InputFile &input : inputs) {
		std::optional<File> file = look_at(input.fd, start->session);

		if (!file)
			return {};
		has_tables |= file->first && file->tail.tables < file->search.size();
		files.push_back(std::move(*file));
	}
	const auto session = read_tables(inputs.front().fd, end_of_tables(files.front()));
	if (!has_tables || !is_certain(*session) || (needs_names && !session->has_names()))
		return {};

	const Window window = {take_off(add_up(session->start_ts, from_ns), slack_ns),
			       add_up(add_up(session->start_ts, to_ns), slack_ns),
			       needs_names ? session->subbuf_size : 0};
	parts.first_gseq = 0;
	for (File &file : files)
		add_parts(parts, file, window, stats);
	return parts;
}

} // namespace

PartFinder window_finder(uint64_t from_ns, uint64_t to_ns, bool needs_names)
{
	return [=](const std::vector<InputFile> &files, StreamStats &stats) {
		return find_window(files, stats, from_ns, to_ns, needs_names);
	};
}

} // namespace grtrace
