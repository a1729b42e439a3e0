// SPDX-License-Identifier: GPL-2.0
//
// A merger orders the events. This adds everything that has no number: LOST records, holes
// in the numbers, and names that are known only from some event on.
#include "read/capture/capture.h"

namespace grtrace {

Capture::Capture(Diagnostics &diagnostics) : diagnostics_(diagnostics) {}
Capture::~Capture() = default;

void Capture::add(const std::string &path, std::unique_ptr<ByteReader> in)
{
	Stream &stream = streams_.emplace_back();

	stream.in = std::move(in);
	stream.decoder =
		std::make_unique<Decoder>(path, *stream.in, session_, stats_, diagnostics_);
	stream.decoder->watch(static_cast<uint16_t>(streams_.size() - 1), nullptr);
	stream.decoder->set_capture(plan_.number);
}

void Capture::watch(StreamWatcher &watcher)
{
	for (size_t i = 0; i < streams_.size(); i++)
		streams_[i].decoder->watch(static_cast<uint16_t>(i), &watcher);
}

void Capture::tell(ReadListener &listener)
{
	for (Stream &stream : streams_)
		stream.in->tell(listener);
}

void Capture::start(bool per_cpu)
{
	if (!per_cpu) {
		hold_back_ = std::make_unique<HoldBack>(*streams_[0].decoder, *streams_[0].in,
							stats_, plan_.batch);
		return;
	}

	std::vector<Decoder *> decoders;
	for (Stream &stream : streams_)
		decoders.push_back(stream.decoder.get());
	merger_ = std::make_unique<Merger>(decoders, session_, stats_);
}

// Returns the block size for reading that many files.
static size_t block_size(size_t memory, size_t files)
{
	const size_t size = memory / files / ByteReader::page * ByteReader::page;

	return std::clamp(size, ByteReader::page, ByteReader::block);
}

Status Capture::open(const std::string &directory, const std::string &name, const OpenPlan &plan)
{
	CaptureInput input = {.live = plan.live};
	Status status = input.open(directory, name, diagnostics_);

	name_ = input.name;
	plan_ = plan;
	next_cpu_ = input.next_cpu;
	if (!status.ok())
		return status;

	const size_t block = block_size(plan.memory, input.files.size());
	for (InputFile &file : input.files) {
		add(file.path, std::make_unique<ByteReader>(file.fd, block));
		import_ = file.import;
	}
	if (plan.find_parts && input.per_cpu)
		parts_ = plan.find_parts(input.files, stats_);
	for (size_t i = 0; i < parts_.files.size(); i++)
		streams_[i].in->read_only(parts_.files[i]);
	next_gseq_ = parts_.first_gseq;
	start(input.per_cpu);
	return {};
}

void Capture::open_memory(std::vector<std::vector<uint8_t>> streams, bool per_cpu)
{
	name_ = "memory";
	memory_ = std::move(streams);
	for (size_t i = 0; i < memory_.size(); i++)
		add(fmt::format("memory.{}", i),
		    std::make_unique<ByteReader>(memory_[i].data(), memory_[i].size()));
	start(per_cpu);
}

// Slower path if a LOST comes or waits, and at the end.
Next Capture::next_in_time(std::span<const Event> &run, Next got)
{
	while (got == Next::event && !rest_.front().sequenced && !losses_.full()) {
		losses_.add(rest_.front());
		rest_ = {};
		got = read(rest_);
	}
	if (got == Next::again)
		return got;

	const Event *next = !rest_.empty() && rest_.front().sequenced ? rest_.data() : nullptr;
	if (const size_t before = next ? losses_.before(rest_) : 0) {
		run = rest_.first(before);
		rest_ = rest_.subspan(before);
		pass(run);
	} else if (!losses_.empty()) {
		run = {&losses_.take(next), 1};
	} else {
		if (!finished_)
			finish();
		return Next::end;
	}
	return Next::event;
}

// Only a CPU that has no later record can have written it. Returns GRTRACE_CPU_NONE if
// there are several such CPUs, or if one has no packet.
uint32_t Capture::cpu_of_hole(uint64_t first) const
{
	std::vector<bool> goes_on(stats_.cpus.size());
	uint32_t found = GRTRACE_CPU_NONE;

	for (const Stream &stream : streams_) {
		const uint32_t cpu = stream.decoder->cpu();

		if (!stream.decoder->ended() && !merger_)
			return GRTRACE_CPU_NONE;
		if (cpu == GRTRACE_CPU_NONE)
			return GRTRACE_CPU_NONE;
		if (!stream.decoder->ended())
			goes_on[cpu] = true;
	}
	for (uint32_t cpu = 0; cpu < goes_on.size(); cpu++) {
		const CpuStats &stats = stats_.cpus[cpu];

		if (goes_on[cpu] || !stats.seen || stats.stopped || stats.last_gseq >= first)
			continue;
		if (found != GRTRACE_CPU_NONE)
			return GRTRACE_CPU_NONE;
		found = cpu;
	}
	return found;
}

// The hole is between the previous event and this one, or this one comes too late and
// fills a hole.
void Capture::note_hole(const Event &next)
{
	// The very first number is not known.
	if (next_gseq_ == no_gseq) {
		next_gseq_ = next.gseq;
		return;
	}
	if (next.gseq < next_gseq_) {
		stats_.holes.fill(next.gseq);
		return;
	}

	if (const uint64_t end = std::min(next.gseq, parts_.end_gseq); end > next_gseq_)
		note_hole_before(end, next.ts);
}

// The numbers from the next one to this one are in no file so far.
void Capture::note_hole_before(uint64_t end, uint64_t ts)
{
	const uint64_t behind = add_up(last_ts_, 1);
	GseqHoles::Hole hole = {.first = next_gseq_,
				.end = end,
				.records = 0,
				.unclaimed = 0,
				.from_ts = behind,
				.to_ts = std::max(behind, ts),
				.cpu = cpu_of_hole(next_gseq_)};
	const uint64_t records = stats_.holes.add(hole);

	if (records)
		stats_.gaps.push_back({hole.from_ts, hole.to_ts, hole.cpu, records});
	if (stats_.holes.full())
		settle_holes(GseqHoles::most_holes / 2);
}

std::vector<Gap> Capture::take_gaps()
{
	std::vector<Gap> due;

	if (!has_gaps())
		return due;
	for (const Gap &gap : std::exchange(stats_.gaps, {}))
		gaps_.emplace(gap.from_ts, gap);
	while (!gaps_.empty() &&
	       (finished_ || gaps_.size() > gaps_max || gaps_.begin()->first <= last_ts_)) {
		due.push_back(gaps_.begin()->second);
		gaps_.erase(gaps_.begin());
	}
	first_gap_ = gaps_.empty() ? UINT64_MAX : gaps_.begin()->first;
	if (next_gseq_ != no_gseq)
		stats_.holes.pass(next_gseq_);
	return due;
}

void Capture::settle_holes(size_t keep)
{
	for (const GseqHoles::Hole &hole : stats_.holes.settle(keep)) {
		stats_.missing = add_up(stats_.missing, hole.records);
		stats_.add_place({LossPlace::Kind::unseen, hole.cpu, hole.records, hole.from_ts,
				  hole.to_ts});
	}
}

// Every CPU of a finished recording ends with a STOP, which also says how many numbers there
// are. If some of the packets are read, the last one may not be among them.
void Capture::check_stops()
{
	uint64_t end = 0, end_ts = 0;

	for (const CpuStats &cpu : stats_.cpus) {
		end = std::max(end, cpu.stop_gseq);
		end_ts = std::max(end_ts, cpu.stop_ts);
	}
	if (session_.refused || !session_.is_whole() || !parts_.files.empty() ||
	    (!end_ts && !session_.stopped))
		return;
	for (uint32_t cpu = 0; cpu < stats_.cpus.size(); cpu++) {
		CpuStats &stats = stats_.cpus[cpu];

		stats.lacks_stop = stats.seen && !stats.stopped;
		if (stats.lacks_stop)
			streams_[stats.stream].decoder->say_no_stop(cpu);
	}
	if (next_gseq_ != no_gseq && next_gseq_ < end)
		note_hole_before(end, end_ts);
}

// A damaged time may be years away.
uint64_t Capture::end_ts() const
{
	constexpr uint64_t year = 365ull * 86400 * 1000000000;
	uint64_t end = last_ts_;

	for (const CpuStats &cpu : stats_.cpus)
		if (finished_ && cpu.stopped && cpu.stop_ts - session_.start_ts < year)
			end = std::max(end, cpu.stop_ts);
	return end;
}

bool Capture::knows_end() const
{
	bool stopped = false;

	for (const CpuStats &cpu : stats_.cpus) {
		// Records that only the kernel counted as lost may be any job's end.
		if (cpu.seen && (!cpu.stopped || cpu.kernel_lost > add_up(cpu.lost, cpu.missing)))
			return false;
		stopped |= cpu.seen;
	}
	return finished_ && stopped && session_.is_whole() && parts_.files.empty();
}

// Reports everything that is known only when all was read.
void Capture::finish()
{
	finished_ = true;
	last_ts_ = std::max(last_ts_, parts_.last_ts);
	if (import_.is_running() && import_.wait() != 0)
		diagnostics_.error(fmt::format("{}: grtrace import did not read all of it", name_));
	check_stops();
	first_gap_ = gaps_.empty() ? UINT64_MAX : 0; // nothing waits any longer
	settle_holes(0);
	if (stats_.bytes == 0 && !diagnostics_.errors())
		diagnostics_.error(fmt::format("{}: the capture is empty: nothing was recorded, or "
					       "the recorder was killed before it wrote",
					       name_));
	if (stats_.unordered)
		diagnostics_.error(fmt::format("{}: {} records came too late to be put in order",
					       name_, stats_.unordered));
}

std::string Capture::absent_files() const
{
	if (!next_cpu_ || next_cpu_ >= session_.nr_cpus)
		return "";
	std::string files = CaptureInput::cpu_file(name_, next_cpu_);
	if (next_cpu_ + 1 < session_.nr_cpus)
		files += fmt::format(" to {}", session_.nr_cpus - 1);
	return files;
}

} // namespace grtrace
