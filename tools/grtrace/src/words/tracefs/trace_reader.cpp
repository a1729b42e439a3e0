// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/trace_reader.h"

#include "drive/run/run_end.h"
#include "lib/files/file_limit.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace grtrace {

namespace {

// The buffers are read after this time at the latest, so that a reader of a quiet stream
// gets its events.
constexpr int live_ms = 100;

// How often it looks for events that did not exist before.
constexpr uint64_t look_ns = 1'000'000'000;

void raise(const Fd &event)
{
	const uint64_t one = 1;

	// A write to an eventfd can only fail if its counter is at its maximum.
	(void)!::write(event.get(), &one, sizeof(one));
}

bool is_raised(const Fd &event, int timeout_ms)
{
	struct pollfd waited = {event.get(), POLLIN, 0};

	return poll(&waited, 1, timeout_ms) > 0;
}

} // namespace

TraceReader::TraceReader(const TraceInstance &instance, const Plan &plan, StreamNotes &notes)
	: instance_(instance), plan_(plan), notes_(notes), tasks_("/proc", tracefs_tracing_dir())
{
}

TraceReader::~TraceReader()
{
	if (!has_thread_)
		return;
	raise(stopped_);
	pthread_join(thread_, nullptr);
}

Status TraceReader::prepare(FoundEvents *events, const RecordFilter &filter)
{
	const std::vector<unsigned int> cpus = instance_.cpus();
	Status status = Status();

	stopped_ = Fd(eventfd(0, EFD_CLOEXEC));
	failed_ = Fd(eventfd(0, EFD_CLOEXEC));
	if (!stopped_.is_open() || !failed_.is_open())
		return Status::error("eventfd: {}", strerror(errno));
	if (cpus.empty())
		return Status::error("the tracefs instance {} has no buffers", instance_.name());
	allow_files(cpus.size());
	notes_.cpus = static_cast<uint32_t>(cpus.size());
	if (plan_.base == "-")
		stream_.use_stdout();
	for (unsigned int cpu = 0; cpu <= cpus.back(); cpu++)
		cpus_.push_back(std::make_unique<Cpu>());
	for (const unsigned int cpu : cpus) {
		Fd fd;

		if (status.ok())
			status = instance_.open_cpu(cpu, &fd);
		buffers_.push_back(std::make_unique<EventBuffer>(cpu, std::move(fd),
								 instance_.subbuf_bytes()));
		// The output of another CPU is opened when it comes online and has events.
		if (status.ok() && int(cpu) < get_nprocs())
			status = open_output(cpu);
	}
	writer_ = std::make_unique<PacketWriter>(notes_.session, cpus.back() + 1,
						 [this](uint32_t cpu, const uint8_t *bytes,
							size_t size) { write(cpu, bytes, size); });
	found_ = events;
	translator_ = std::make_unique<Translator>(filter, devices_, tasks_, *writer_);
	raw_ = std::make_unique<RawEvents>(events->tep(), *translator_);
	for (const TraceEvent &event : events->events())
		raw_->add(event);
	raw_->add_markers(events->markers());
	merge_ = std::make_unique<EventMerge>(buffers_);
	if (!status.ok())
		(void)!close_outputs().ok();
	return status;
}

Status TraceReader::open_output(uint32_t number)
{
	Cpu &cpu = *cpus_[number];

	cpu.has_output = true;
	if (plan_.base == "-")
		return Status();
	return cpu.own.create(fmt::format("{}.grtrace.{}", plan_.base, number));
}

Output &TraceReader::output(uint32_t cpu)
{
	return plan_.base == "-" ? stream_ : cpus_[cpu]->own;
}

Status TraceReader::write_notes(Output &output)
{
	const std::vector<uint8_t> packet = notes_packet(notes_, translator_->rings());

	return output.write(reinterpret_cast<const char *>(packet.data()), packet.size());
}

Status TraceReader::begin()
{
	Status status = Status();

	if (plan_.base == "-")
		status = write_notes(stream_);
	for (size_t cpu = 0; cpu < cpus_.size() && plan_.base != "-"; cpu++) {
		if (status.ok() && cpus_[cpu]->has_output)
			status = write_notes(cpus_[cpu]->own);
	}
	if (!status.ok())
		return status;
	const int error = pthread_create(&thread_, nullptr, thread_main, this);
	if (error)
		return Status::error("cannot start a thread: {}", strerror(error));
	has_thread_ = true;
	return status;
}

void *TraceReader::thread_main(void *data)
{
	TraceReader &reader = *static_cast<TraceReader *>(data);

	reader.result_ = reader.follow();
	if (!reader.result_.ok())
		raise(reader.failed_);
	return nullptr;
}

Status TraceReader::follow()
{
	Status status = Status();

	while (!plan_.live && !is_raised(stopped_, -1))
		;
	while (status.ok() && !is_raised(stopped_, 0)) {
		wait();
		look_for_events();
		status = round(false);
	}
	return status.ok() ? round(true) : status;
}

// Waits until a buffer is half full, as the kernel reports it, or some time has passed.
void TraceReader::wait()
{
	std::vector<struct pollfd> waited = {{stopped_.get(), POLLIN, 0}};

	for (const std::unique_ptr<EventBuffer> &buffer : buffers_)
		waited.push_back({buffer->fd(), POLLIN, 0});
	poll(waited.data(), waited.size(), live_ms);
}

// Finds the events of a driver that was loaded during the recording.
void TraceReader::look_for_events()
{
	const uint64_t now = clock_now(CLOCK_MONOTONIC);
	std::vector<TraceEvent> more;
	std::vector<std::string> remarks;

	if (now - looked_ < look_ns)
		return;
	looked_ = now;
	Status status = found_->find_more(instance_, &more, &remarks);
	if (!status.ok())
		complain(status.sentence());
	for (const std::string &remark : remarks)
		complain(remark);
	for (const TraceEvent &event : more)
		raw_->add(event);
	if (!more.empty()) {
		notes_.sources = found_->sources();
		notes_.untold = found_->untold();
	}
}

// Reads all CPUs, and writes every event that no unread event can precede.
Status TraceReader::round(bool last)
{
	constexpr int stalled_ms = 1;
	bool drained, moved;

	do {
		const uint64_t now = clock_now(plan_.clock_id);
		Status status = Status();

		drained = true;
		for (const std::unique_ptr<EventBuffer> &buffer : buffers_) {
			if (status.ok())
				status = buffer->fill(now);
			drained = drained && buffer->is_drained();
		}
		if (drained && last)
			merge_->finish();
		if (status.ok())
			status = translate(&moved);
		if (!status.ok())
			return status;
		if (!drained && merge_->end_round(moved))
			poll(nullptr, 0, stalled_ms);
	} while (!drained);
	if (last) {
		for (const std::unique_ptr<EventBuffer> &buffer : buffers_)
			tell_rest(*buffer);
		writer_->stop(clock_now(plan_.clock_id));
		notes_.stopped = true;
	}
	writer_->flush();
	return write_failure_;
}

Status TraceReader::translate(bool *moved)
{
	uint64_t events = 0, lost = 0;

	tasks_.refresh();
	*moved = false;
	while (EventBuffer *buffer = merge_->next()) {
		const RawEvent event = *buffer->front();

		*moved = true;

		if (buffer->lost_before())
			tell_loss(*buffer, event.ts);
		cpus_[event.cpu]->seen = true;
		raw_->take(event);
		buffer->pop();
		if (!write_failure_.ok())
			return write_failure_;
	}
	for (uint32_t cpu = 0; cpu < cpus_.size(); cpu++) {
		events += writer_->counts(cpu).events;
		lost += writer_->counts(cpu).lost;
	}
	events_ = events;
	lost_ = lost;
	return write_failure_;
}

// Records that were overwritten before they were read. A sub-buffer that is completely full
// has no room for their number. Then the kernel's count is used, as far as it was not
// reported yet; this may include later losses.
void TraceReader::tell_loss(EventBuffer &buffer, uint64_t ts)
{
	Cpu &cpu = *cpus_[buffer.cpu()];
	const int64_t told = buffer.lost_before();
	uint64_t lost = static_cast<uint64_t>(told);
	BufferStats stats;

	if (told == EventBuffer::lost_unknown) {
		if (!instance_.stats(buffer.cpu(), &stats).ok())
			return;
		lost = stats.overrun - std::min(stats.overrun, cpu.told);
	}
	cpu.told += lost;
	if (!plan_.live && !cpu.seen) {
		overwritten_ += lost;
		writer_->skip(buffer.cpu(), lost);
	} else if (lost) {
		translator_->lose();
		writer_->lost(buffer.cpu(), buffer.last_ts() ? buffer.last_ts() : notes_.start_ts,
			      ts, lost);
	}
}

// Reports losses that the kernel counted but no sub-buffer contains.
void TraceReader::tell_rest(EventBuffer &buffer)
{
	const Cpu &cpu = *cpus_[buffer.cpu()];
	BufferStats stats;

	if (!instance_.stats(buffer.cpu(), &stats).ok())
		return;
	const uint64_t all = stats.overrun + stats.refused;
	if (all <= cpu.told)
		return;
	writer_->lost(buffer.cpu(), buffer.last_ts() ? buffer.last_ts() : notes_.start_ts,
		      clock_now(plan_.clock_id), all - cpu.told);
	lost_ += all - cpu.told;
}

void TraceReader::write(uint32_t number, const uint8_t *bytes, size_t size)
{
	Cpu &cpu = *cpus_[number];
	Status status = write_failure_;

	if (!status.ok())
		return;
	if (!cpu.has_output) {
		status = open_output(number);
		if (status.ok() && plan_.base != "-")
			status = write_notes(cpu.own);
	}
	if (status.ok())
		status = output(number).write(reinterpret_cast<const char *>(bytes), size);
	if (status.ok()) {
		cpu.bytes += size;
		bytes_ += size;
	}
	write_failure_ = status;
}

Status TraceReader::finish()
{
	Status status = Status();

	if (has_thread_) {
		raise(stopped_);
		pthread_join(thread_, nullptr);
		has_thread_ = false;
		status = result_;
		// Rings seen late.
		if (status.ok())
			status = write_notes(output(buffers_[0]->cpu()));
		if (status.ok() && plan_.base != "-")
			status = write_others();
	}
	// An instance with an open buffer cannot be removed.
	buffers_.clear();
	const Status closed = close_outputs();
	return status.ok() ? closed : status;
}

// A reader takes a missing file of a lower CPU for a loss. For a CPU without events it is
// known that nothing is missing, so it gets a file.
Status TraceReader::write_others()
{
	Status status = Status();
	size_t cpu = cpus_.size();

	while (cpu && !cpus_[cpu - 1]->has_output)
		cpu--;
	while (cpu-- > 0) {
		if (status.ok() && !cpus_[cpu]->has_output)
			status = open_output(cpu);
		if (status.ok() && !cpus_[cpu]->own.bytes())
			status = write_notes(cpus_[cpu]->own);
	}
	return status;
}

Status TraceReader::close_outputs()
{
	Status status = plan_.base == "-" ? stream_.close() : Status();

	for (const std::unique_ptr<Cpu> &cpu : cpus_) {
		if (plan_.base == "-" || !cpu->has_output)
			continue;
		Status closed = cpu->own.close();
		if (status.ok())
			status = closed;
		cpu->own.remove_if_empty();
	}
	return status;
}

std::vector<TraceReader::CpuTotals> TraceReader::totals() const
{
	std::vector<CpuTotals> totals;

	for (uint32_t cpu = 0; cpu < cpus_.size(); cpu++) {
		const PacketWriter::Counts &counts = writer_->counts(cpu);

		if (cpus_[cpu]->has_output)
			totals.push_back(
				{cpu, counts.events, counts.notes, counts.lost, cpus_[cpu]->bytes});
	}
	return totals;
}

} // namespace grtrace
