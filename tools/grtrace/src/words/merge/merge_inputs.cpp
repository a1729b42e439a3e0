// SPDX-License-Identifier: GPL-2.0
#include "words/merge/merge_inputs.h"

#include <algorithm>

#include <fcntl.h>
#include <unistd.h>

#include "format/vocabulary.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"
#include "read/capture/output_names.h"
#include "words/merge/capture_source.h"
#include "words/merge/text_source.h"

namespace grtrace {

std::string MergeInputs::path_of(const MergeInput &input) const
{
	if (options_.directory.empty() || input.path.starts_with('/') || input.path == "-")
		return input.path;
	return fmt::format("{}/{}", options_.directory, input.path);
}

// Returns nothing for the name of a capture, which need not be a file.
static std::string first_bytes(const std::string &path)
{
	char bytes[16];
	const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const ssize_t got = fd < 0 ? 0 : pread(fd, bytes, sizeof(bytes), 0);

	if (fd >= 0)
		::close(fd);
	return {bytes, got > 0 ? static_cast<size_t>(got) : 0};
}

Status MergeInputs::open_input(const MergeInput &given, ReadProgress &progress)
{
	Input &input = inputs_.emplace_back();
	const std::string path = path_of(given);
	const TextFormat *format = find_text_format(first_bytes(path));

	input.path = given.path;
	input.machine_given = given.machine;
	if (format)
		input.source = std::make_unique<TextSource>(*format, path);
	else
		input.source = std::make_unique<CaptureSource>("", path, diagnostics_);
	if (Status status = input.source->open(); !status.ok())
		return format ? Status::error("{}: {}", path, status.sentence()) : status;
	input.source->tell(progress);
	if (inputs_.size() == 1 && format)
		return Status::error("{}: the first input has to be a capture, whose clock the "
				     "others are put on",
				     path);
	if (Status status = find_machine(input); !status.ok())
		return status;
	if (Status status = find_offset(input); !status.ok())
		return status;
	const uint64_t start = input.source->start_ts();
	return start ? check_time(input, start) : Status();
}

// The machine has the given name, or else the boot id of the file; a file without
// either is of the first machine.
Status MergeInputs::find_machine(Input &input)
{
	const ClockFacts &clock = input.source->clock();
	const std::string &given = input.machine_given;

	for (size_t i = 0; i < machines_.size(); i++)
		if (given.empty() ? clock.has_boot() && machines_[i].boot_id == clock.boot_id :
				    machines_[i].name() == given) {
			input.machine = i;
			return {};
		}
	if (!machines_.empty() && given.empty() && !clock.has_boot())
		return {};
	if (machines_.size() > Machine::most)
		return Status::error("{}: this is one machine more than the {} that can be merged",
				     input.path, Machine::most + 1);
	input.machine = machines_.size();
	machines_.emplace_back(static_cast<uint32_t>(input.machine),
			       given.empty() ? fmt::format("m{}", input.machine) : given);
	machines_.back().boot_id = clock.boot_id;
	return {};
}

// Places a file without a boot id that is of another machine than the first input: by
// the clock of an input of its machine that has been placed already.
bool MergeInputs::offset_by_machine(Input &input)
{
	const ClockFacts &clock = input.source->clock();

	if (clock.has_boot() || input.machine == inputs_[0].machine)
		return false;
	for (const Input &placed : inputs_) {
		if (&placed == &input)
			break;
		if (placed.machine != input.machine ||
		    !offset_between(placed.source->clock(), clock, false, input.offset).ok())
			continue;
		input.offset.ns = static_cast<int64_t>(static_cast<uint64_t>(input.offset.ns) +
						       static_cast<uint64_t>(placed.offset.ns));
		input.offset.uncertainty_ns =
			std::max(input.offset.uncertainty_ns, placed.offset.uncertainty_ns);
		input.offset.how = fmt::format("with {}: {}", placed.path, input.offset.how);
		return true;
	}
	return false;
}

Status MergeInputs::find_offset(Input &input)
{
	for (const MergeOptions::Shift &shift : options_.shifts)
		if (shift.path == input.path) {
			input.offset = {shift.ns, 0, "--clock-offset"};
			return {};
		}
	if (inputs_.size() == 1) {
		input.offset.how = "the clock of the result";
		return {};
	}

	if (offset_by_machine(input))
		return {};

	Status status = offset_between(inputs_[0].source->clock(), input.source->clock(),
				       input.machine != inputs_[0].machine, input.offset);
	if (status.ok())
		return status;
	if (inputs_[0].source->clock().id == ClockId::other)
		return Status::error("{}: the clock of {}, the first input, is not known, so "
				     "nothing can be put on it: give --clock-offset {}=NS, or "
				     "record both with the clock mono into files that name it, "
				     "as a trace.dat does (trace-cmd -C mono)",
				     input.path, inputs_[0].path, input.path);
	return Status::error("{}: {}: record it again with the clock {} (trace-cmd -C mono, perf "
			     "-k mono), or give --clock-offset {}=NS",
			     input.path, status.sentence(),
			     clock_name(inputs_[0].source->clock().id), input.path);
}

// Times are numbers of 64 bits from 0 on, so a time outside of that cannot be recorded.
Status MergeInputs::check_time(const Input &input, uint64_t ts) const
{
	const int64_t offset = input.offset.ns;

	if (move_time(ts, offset))
		return {};
	if (offset > 0)
		return Status::error("{}: its time {} plus {} ns does not fit in 64 bits: "
				     "give another --clock-offset",
				     input.path, ts, offset);
	return Status::error("{}: its time {} plus {} ns is before 0 on the clock of {}, which no "
			     "record can hold: name a capture first whose clock began earlier, or "
			     "give --clock-offset {}=-{} or more",
			     input.path, ts, offset, inputs_[0].path, input.path, ts);
}

// If two sources are the same, the one with more tracepoints counts.
static void add_sources(std::vector<Source> &sources, const std::vector<Source> &others)
{
	for (const Source &from : others) {
		const auto same = std::ranges::find(sources, from.name, &Source::name);

		if (same == sources.end())
			sources.push_back(from);
		else if (same->found < from.found)
			*same = from;
	}
}

static void add_models(Session &tables, const std::vector<Model> &others)
{
	for (const Model &from : others)
		if (tables.model_of(from.device).empty())
			tables.models.push_back(from);
}

// The result has the tables of the first input, and begins with the input that began
// first.
void MergeInputs::make_tables()
{
	const Session &first = *inputs_[0].source->session();
	uint64_t start = first.start_ts;

	tables_ = first;
	if (tables_.recorder.empty())
		tables_.be_merged();
	tables_.rings = {};
	for (Input &input : inputs_) {
		uint64_t ts = input.source->start_ts();

		if (ts && move_time(ts, input.offset.ns))
			start = std::min(start, ts);
		const Session &session = *input.source->session();
		add_sources(tables_.sources, session.sources);
		add_models(tables_, session.models);
		// The result has one machine, or none. Annotations have no name.
		if (session.host != HostFacts() && session.host != tables_.host)
			tables_.host = {};
	}
	if (tables_.start_real)
		tables_.start_real -= first.start_ts - start;
	tables_.start_ts = start;
}

Status MergeInputs::open(ReadProgress &progress)
{
	std::vector<std::string> names;

	for (const MergeInput &input : options_.inputs) {
		if (std::ranges::find(names, input.path) != names.end())
			return Status::error("{}: is named twice: its records would be there twice",
					     input.path);
		names.push_back(input.path);
	}
	if (Status status = options_.stats_only ? Status() :
						  check_outputs({{"-o", options_.output, true}},
								options_.directory, names);
	    !status.ok())
		return status;
	for (const MergeInput &input : options_.inputs)
		if (Status status = open_input(input, progress); !status.ok())
			return status;
	for (const Input &input : inputs_)
		for (const Input &other : inputs_)
			if (input.machine == other.machine && !other.source->is_text())
				input.source->leave_to(*other.source->session());
	make_tables();
	return {};
}

Next MergeInputs::fill(Input &input)
{
	if (input.have_head || input.ended)
		return Next::event;
	const Next got = input.source->next(input.head);
	input.have_head = got == Next::event;
	input.ended = got == Next::end;
	if (!input.have_head)
		return got;
	if (const auto ts = input.head.move(input.offset.ns))
		misplaced_ = check_time(input, *ts);
	if (input.head.event.sequenced)
		input.head_ts = input.head.event.ts;
	return got;
}

// Returns the input whose next record comes first; if equal, the one named first. Returns
// nullptr if there is none, or if a record has no time in the result.
MergeInputs::Input *MergeInputs::first()
{
	Input *best = nullptr;

	for (Input &input : inputs_) {
		while (fill(input) == Next::again)
			;
		if (!misplaced_.ok())
			return nullptr;
		if (input.have_head && (!best || input.head_ts < best->head_ts))
			best = &input;
	}
	return best;
}

bool MergeInputs::close(uint64_t &lost)
{
	const bool faults = diagnostics_.errors();
	bool all_read = true;

	for (Input &input : inputs_) {
		const Status status = input.source->close();

		lost += input.source->lost();
		all_read &= status.ok() && !(faults && !input.records);
		if (!status.ok())
			diagnostics_.error(fmt::format("{}: {}", input.path, status.sentence()));
	}
	return all_read;
}

// Another program's event becomes a message that begins with the event's name.
static std::string name_of(const MergeRecord &record, bool from_text)
{
	const Event &event = record.event;
	const size_t head = sizeof(grtrace_rec_message);

	if (!from_text || event.type != GRTRACE_MESSAGE) {
		if (const RecordKind *kind = record_kind(event.type))
			return kind->name;
		return fmt::format("type {}", event.type);
	}
	const std::string_view text(reinterpret_cast<const char *>(record.bytes.data()) + head,
				    record.bytes.size() - head);

	return std::string(text.substr(0, text.find_first_of(std::string_view(":\0", 2))));
}

void MergeInputs::count(Input &input)
{
	input.counts[name_of(input.head, input.source->is_text())]++;
}

static void print_counts(fmt::memory_buffer &out, const MergeInputs::Input &input)
{
	uint64_t most = 1;

	for (const auto &[name, count] : input.counts)
		most = std::max(most, count);
	print_to(out, "\n{}\n", input.path);
	for (const auto &[name, count] : input.counts)
		print_to(out, "  {:<24} {:>10}  {}\n", name, count,
			 std::string(std::max<uint64_t>(count * 30 / most, 1), '#'));
}

void MergeInputs::print(uint64_t records) const
{
	fmt::memory_buffer out;

	print_to(out, "{:<24} {:<10} {:<8} {:<9} {:>10} {:>8} {:>16} {}\n", "INPUT", "KIND",
		 "MACHINE", "CLOCK", "RECORDS", "LOST", "OFFSET ns", "UNCERTAINTY");
	for (const Input &input : inputs_) {
		const ClockFacts &clock = input.source->clock();
		const uint64_t slack = input.offset.uncertainty_ns;

		print_to(out, "{:<24} {:<10} {:<8} {:<9} {:>10} {:>8} {:>+16} {} ({})\n",
			 input.path, input.source->kind(), machines_[input.machine].name(),
			 clock.said.empty() ? "?" : clock.said, input.records, input.source->lost(),
			 input.offset.ns,
			 slack == ClockOffset::not_known ? "not known" :
							   fmt::format("+-{} ns", slack),
			 input.offset.how);
	}
	print_to(out, "{} records in one capture\n", thousands(records));
	if (options_.verbose || options_.stats_only)
		for (const Input &input : inputs_)
			print_counts(out, input);
	print_to(options_.stats_only ? stdout : stderr, "{}", fmt::to_string(out));
}

} // namespace grtrace
