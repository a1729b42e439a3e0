// SPDX-License-Identifier: GPL-2.0
//
// One thread for each CPU, pinned to it: it reads what its CPU wrote while that is in the
// cache, and no thread waits for another one's disk.
#include "drive/relay/recorder.h"

#include "drive/control/control.h"
#include "format/boot_id.h"
#include "lib/files/file_limit.h"

#include <dirent.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace grtrace {

namespace {

// A packet that is not full is read after this time, so that a live reader also sees a
// quiet stream.
constexpr int live_ms = 100;

// A read takes several finished sub-buffers, up to this size.
constexpr size_t large_read = 2 * 1024 * 1024;

void raise(const Fd &event)
{
	const uint64_t one = 1;

	// Writing to an eventfd only fails if its counter is at its maximum.
	(void)!write(event.get(), &one, sizeof(one));
}

bool is_raised(const Fd &event, int timeout_ms)
{
	struct pollfd waited = {event.get(), POLLIN, 0};

	return poll(&waited, 1, timeout_ms) > 0;
}

// The data is in this CPU's cache. If pinning is not allowed, only that advantage is lost.
void pin_to(unsigned int cpu)
{
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	const size_t size = CPU_ALLOC_SIZE(cpu + 1);

	if (!set)
		return;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	sched_setaffinity(0, size, set);
	CPU_FREE(set);
}

std::string segment_file(const std::string &base, uint64_t number, unsigned int cpu)
{
	return fmt::format("{}.{:06}.grtrace.{}", base, number, cpu);
}

// Removes the files of segments up to @last, and finds the highest number. It asks the
// folder, so that what an earlier recording left there is kept and removed like this one's.
Status remove_segments(const std::string &base, uint64_t last, uint64_t *highest)
{
	const size_t name = base.rfind('/') + 1; // 0 without a folder
	const std::string folder = name ? base.substr(0, name) : "./", wanted = base.substr(name);
	const std::unique_ptr<DIR, int (*)(DIR *)> directory(opendir(folder.c_str()), closedir);
	const dirent *entry;

	*highest = 0;
	while (directory && (entry = readdir(directory.get()))) {
		const std::string file = entry->d_name;
		unsigned long number;
		unsigned int cpu;

		if (!file.starts_with(wanted) ||
		    sscanf(file.c_str() + wanted.size(), ".%lu.grtrace.%u", &number, &cpu) != 2 ||
		    file != segment_file(wanted, number, cpu))
			continue;
		*highest = std::max(*highest, number);
		if (number <= last && unlink((folder + file).c_str()) < 0 && errno != ENOENT)
			return Status::error("cannot remove {}: {}", folder + file,
					     strerror(errno));
	}
	return Status();
}

} // namespace

// One CPU. While its thread runs, only the thread uses members that are not atomic.
struct Recorder::Cpu {
	Recorder *recorder;
	unsigned int number;
	Fd trace;
	Output own; // its file, if it has one
	Output *output; // own or the common stream
	pthread_t thread;
	uint64_t segment; // to which its file belongs
	bool has_thread = false;
	std::atomic<uint64_t> bytes = 0; // bytes read from its trace file
	Status result = Status();
};

Recorder::Recorder(const Control &control, const RecordPlan &plan) : control_(control), plan_(plan)
{
}

Recorder::~Recorder()
{
	// finish() was not called, or it has left nothing to join.
	if (stopped_.is_open())
		raise(stopped_);
	for (const std::unique_ptr<Cpu> &cpu : cpus_) {
		if (cpu->has_thread)
			pthread_join(cpu->thread, nullptr);
	}
}

Status Recorder::prepare(const std::vector<unsigned int> &cpus)
{
	stopped_ = Fd(eventfd(0, EFD_CLOEXEC));
	failed_ = Fd(eventfd(0, EFD_CLOEXEC));
	if (!stopped_.is_open() || !failed_.is_open())
		return Status::error("eventfd: {}", strerror(errno));
	if (plan_.segment_bytes) {
		if (Status status = remove_segments(plan_.base, 0, &first_); !status.ok())
			return status;
		first_++;
	}
	allow_files(cpus.size());
	if (plan_.base == "-")
		stream_.use_stdout();
	for (const unsigned int cpu : cpus) {
		Status status = add(cpu);

		if (!status.ok()) {
			(void)close_outputs();
			return status;
		}
	}
	return Status();
}

Status Recorder::add(unsigned int number)
{
	std::unique_ptr<Cpu> cpu = std::make_unique<Cpu>();
	Status status = Status();

	cpu->recorder = this;
	cpu->number = number;
	cpu->segment = segment();
	cpu->output = &stream_;
	if (plan_.base != "-") {
		cpu->output = &cpu->own;
		status = cpu->own.create(path(*cpu));
	}
	if (status.ok())
		cpus_.push_back(std::move(cpu));
	return status;
}

Status Recorder::begin()
{
	if (plan_.base == "-") {
		Status status = write_metadata(stream_);

		if (!status.ok())
			return status;
	}
	Status status = adopt_cpus();
	if (status.ok() && std::none_of(cpus_.begin(), cpus_.end(),
					[](const auto &cpu) { return cpu->has_thread; }))
		return Status::error("{}: the session has no trace file", control_.directory());
	return status;
}

Status Recorder::adopt_cpus()
{
	std::vector<unsigned int> traced;
	unsigned int highest = 0;
	Status status = control_.traced_cpus(&traced);

	for (const unsigned int number : traced) {
		highest = std::max(highest, number);
		if (status.ok() && !find(number))
			status = add(number);
		if (!status.ok())
			return status;
		Cpu *cpu = find(number);
		if (!cpu->has_thread)
			status = start(*cpu);
	}
	return status.ok() && first_ ? roll_others(highest) : status;
}

// The threads need no lock to agree on the segment: it follows from what all have read.
uint64_t Recorder::segment() const
{
	return first_ ? first_ + read_ / plan_.segment_bytes : 0;
}

std::string Recorder::path(const Cpu &cpu) const
{
	return first_ ? segment_file(plan_.base, cpu.segment, cpu.number) :
			fmt::format("{}.grtrace.{}", plan_.base, cpu.number);
}

// Continues in the file of the current segment. Packets are whole, so nothing is cut. There is
// a file in each segment, because a reader takes a missing one for a loss.
Status Recorder::roll(Cpu &cpu)
{
	Status status = Status();

	while (status.ok() && cpu.segment < segment()) {
		status = cpu.own.close();
		cpu.segment++;
		if (status.ok())
			status = cpu.own.create(path(cpu));
		if (status.ok())
			status = write_metadata(cpu.own, cpu.segment);
	}
	return status;
}

// CPUs without a thread have their file in each segment, and the oldest segments go.
Status Recorder::roll_others(unsigned int highest)
{
	const uint64_t last = segment() - std::min(segment(), plan_.keep);
	Status status = write_others(highest);
	uint64_t found;

	if (!status.ok() || last <= removed_to_)
		return status;
	removed_to_ = last;
	return remove_segments(plan_.base, last, &found);
}

uint64_t Recorder::removed() const
{
	return first_ && removed_to_ >= first_ ? removed_to_ - first_ + 1 : 0;
}

Status Recorder::start(Cpu &cpu)
{
	Status status = control_.open_trace(cpu.number, &cpu.trace);

	if (status.ok() && cpu.output == &cpu.own)
		status = write_metadata(cpu.own, cpu.segment);
	if (!status.ok())
		return status;
	const int error = pthread_create(&cpu.thread, nullptr, thread_main, &cpu);
	if (error)
		return Status::error("cannot start the thread of CPU {}: {}", cpu.number,
				     strerror(error));
	cpu.has_thread = true;
	return Status();
}

// segment: its number, if the output is one of several captures. The STOP of a CPU may then be
// in another one.
Status Recorder::write_metadata(Output &output, uint64_t segment)
{
	std::string metadata;
	Status status = control_.read("metadata", &metadata);

	if (!status.ok())
		return status;
	fill_boot_id(metadata.data(), metadata.size(), read_boot_id());
	const std::string lines =
		plan_.host.lines() + (segment ? fmt::format("segment {}\n", segment) : "");
	const HostRecords host = host_records(metadata.data(), metadata.size(), lines);
	metadata.insert(host.at, host.bytes);
	return output.write(metadata.data(), metadata.size());
}

void *Recorder::thread_main(void *data)
{
	Cpu &cpu = *static_cast<Cpu *>(data);

	pin_to(cpu.number);
	cpu.result = cpu.recorder->follow(cpu);
	if (!cpu.result.ok())
		raise(cpu.recorder->failed_);
	return nullptr;
}

// Reads until the session has stopped, and then until nothing is left.
Status Recorder::follow(Cpu &cpu)
{
	std::vector<char> buffer(std::max(plan_.subbuf_bytes, large_read));
	struct pollfd waited[] = {{stopped_.get(), POLLIN, 0}, {cpu.trace.get(), POLLIN, 0}};
	Status status = Status();
	size_t got = 0;

	while (!plan_.live && !is_raised(stopped_, -1))
		;
	// Between two reads it waits until a sub-buffer is full: reading earlier would
	// close the packet in progress, and waste its room.
	while (status.ok() && !is_raised(stopped_, 0)) {
		if (poll(waited, std::size(waited), live_ms) < 0 && errno != EINTR)
			return Status::error("poll: {}", strerror(errno));
		status = read_once(cpu, buffer, &got);
		// A file that is readable but returns nothing must not cause a busy
		// loop.
		if (status.ok() && got == 0)
			is_raised(stopped_, live_ms);
	}
	do {
		if (status.ok())
			status = read_once(cpu, buffer, &got);
	} while (status.ok() && got);
	return status;
}

Status Recorder::read_once(Cpu &cpu, std::vector<char> &buffer, size_t *got)
{
	Status status = roll(cpu);

	*got = 0;
	if (!status.ok())
		return status;
	const ssize_t size = read(cpu.trace.get(), buffer.data(), buffer.size());
	if (size < 0) {
		// An empty trace file returns 0, an empty pipe EAGAIN.
		if (errno == EAGAIN || errno == EINTR)
			return Status();
		return Status::error("{}/trace{}: {}", control_.directory(), cpu.number,
				     strerror(errno));
	}
	*got = size;
	status = cpu.output->write(buffer.data(), size);
	if (status.ok()) {
		cpu.bytes += size;
		read_ += size;
	}
	return status;
}

Status Recorder::finish()
{
	Status status = Status();
	Cpu *lowest = nullptr;
	unsigned int highest = 0;

	raise(stopped_);
	for (const std::unique_ptr<Cpu> &cpu : cpus_) {
		if (!cpu->has_thread)
			continue;
		pthread_join(cpu->thread, nullptr);
		cpu->has_thread = false;
		cpu->trace.close();
		status = join(status, cpu->result);
		if (!lowest || cpu->number < lowest->number)
			lowest = cpu.get();
		highest = std::max(highest, cpu->number);
	}
	// The metadata at the end has rings that appeared late.
	if (lowest)
		status = join(status, write_metadata(*lowest->output, lowest->segment));
	if (plan_.base != "-" && status.ok())
		status = first_ ? roll_others(highest) : write_others(highest);
	return join(status, close_outputs());
}

// A reader takes a missing file of a lower CPU for a loss. CPUs that were never online
// get files with only the tables.
Status Recorder::write_others(unsigned int highest)
{
	Status status = Status();

	for (unsigned int number = 0; number < highest; number++) {
		if (status.ok() && !find(number))
			status = add(number);
		if (!status.ok() || find(number)->has_thread)
			continue;
		Cpu &cpu = *find(number);
		status = roll(cpu);
		if (status.ok() && !cpu.own.bytes())
			status = write_metadata(cpu.own, cpu.segment);
	}
	return status;
}

Status Recorder::close_outputs()
{
	Status status = plan_.base == "-" ? stream_.close() : Status();

	for (const std::unique_ptr<Cpu> &cpu : cpus_) {
		if (cpu->output != &cpu->own)
			continue;
		status = join(status, cpu->own.close());
		// A CPU that recorded nothing leaves no file.
		cpu->own.remove_if_empty();
	}
	return status;
}

Recorder::Cpu *Recorder::find(unsigned int number) const
{
	for (const std::unique_ptr<Cpu> &cpu : cpus_) {
		if (cpu->number == number)
			return cpu.get();
	}
	return nullptr;
}

uint64_t Recorder::bytes(unsigned int number) const
{
	const Cpu *cpu = find(number);

	return cpu ? cpu->bytes.load() : 0;
}

} // namespace grtrace
