// SPDX-License-Identifier: GPL-2.0
//
// A figure is only useful with a statement about missing records, so every summary ends
// with this; a trace without loss says so.
#include "read/capture/losses.h"

#include <algorithm>
#include <span>

#include "format/vocabulary.h"
#include "lib/text/print_to.h"

namespace grtrace {

std::string thousands(uint64_t value)
{
	std::string text = fmt::format("{}", value);

	for (size_t at = text.size(); at > 3;) {
		at -= 3;
		text.insert(at, 1, ',');
	}
	return text;
}

static double seconds(const Session &session, uint64_t ts)
{
	return static_cast<double>(static_cast<int64_t>(ts - session.start_ts)) / 1e9;
}

// Returns why the records are missing: a sentence for the usual reason, a list for several.
static std::string reasons(const Session &session, uint64_t records, uint64_t limited,
			   uint64_t pressure)
{
	struct {
		uint64_t records;
		const char *name;
	} parts[] = {
		{records - limited - pressure, "no room"},
		{limited, "rate limit"},
		{pressure, "backpressure"},
	};
	std::string text;

	if (!limited && !pressure)
		return session.is_merged()   ? "not in the captures that were merged" :
		       session.is_imported() ? "lost by the recorder" :
					       "there was no room in the channel";
	for (const auto &part : parts)
		if (part.records)
			text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
					    thousands(part.records), part.name);
	return text;
}

std::string cpu_text(uint32_t cpu)
{
	return cpu == GRTRACE_CPU_NONE ? "a CPU" : fmt::format("CPU {}", cpu);
}

// Prints the first places, and the sum of the others.
static void print_places(fmt::memory_buffer &out, const Capture &capture)
{
	static constexpr size_t few = 5;
	const StreamStats &stats = capture.stats();
	const Session &session = capture.session();
	const size_t shown = std::min(stats.places.size(), few);
	uint64_t others = stats.lost();

	for (const LossPlace &place : std::span(stats.places).first(shown)) {
		std::string why = reasons(session, place.records, place.limited, place.pressure);

		if (place.kind == LossPlace::Kind::missing)
			why = session.overwrite() ? "overwritten by later ones" :
						    "missing in the capture";
		if (place.kind == LossPlace::Kind::unseen)
			why = "in no file";
		print_to(out, "  {}, {:.9f} to {:.9f}: {} records, {}\n", cpu_text(place.cpu),
			 seconds(session, place.from_ts), seconds(session, place.to_ts),
			 thousands(place.records), why);
		others -= std::min(others, place.records);
	}
	if (stats.loss_places > shown)
		print_to(out, "  and {} more place{}: {} records\n",
			 thousands(stats.loss_places - shown),
			 stats.loss_places - shown == 1 ? "" : "s", thousands(others));
}

// Returns the loss that neither a LOST record nor a jump of cseq shows, because the packet
// that would show it is missing.
static uint64_t untold(const StreamStats &stats)
{
	uint64_t records = 0;

	for (const CpuStats &cpu : stats.cpus)
		if (cpu.kernel_lost > add_up(cpu.lost, cpu.missing))
			records = add_up(records, cpu.kernel_lost - cpu.lost - cpu.missing);
	return records;
}

uint64_t lost_records(const Capture &capture)
{
	const StreamStats &stats = capture.stats();

	return add_up(stats.lost(), untold(stats));
}

std::string cpus_without_end(const Capture &capture)
{
	const std::vector<CpuStats> &cpus = capture.stats().cpus;
	std::string numbers;

	for (size_t cpu = 0; cpu < cpus.size(); cpu++)
		if (cpus[cpu].lacks_stop)
			numbers += fmt::format("{}{}", numbers.empty() ? "" : " ", cpu);
	return numbers;
}

std::string missing_ends(const Capture &capture)
{
	const std::string numbers = cpus_without_end(capture);

	if (numbers.empty())
		return numbers;
	const auto spaces = std::ranges::count(numbers, ' ');
	if (!spaces)
		return fmt::format("the end of CPU {} is missing", numbers);
	return fmt::format("the ends of {} CPUs are missing", spaces + 1);
}

void print_losses(fmt::memory_buffer &out, const Capture &capture)
{
	const StreamStats &stats = capture.stats();

	print_to(out, "Records: {} read in {} packets", thousands(stats.records),
		 thousands(stats.packets));
	// These are counted when everything was read.
	if (stats.bytes)
		print_to(out, ", {} bytes", thousands(stats.bytes));
	out.push_back('\n');
	if (stats.loss_places)
		print_to(out, "Lost: {} records in {} places; reported lost: {} events, {} notes\n",
			 thousands(stats.lost()), thousands(stats.loss_places),
			 thousands(stats.lost_events), thousands(stats.lost_notes));
	else
		print_to(out, "Lost: 0 records\n");
	if (stats.lost_limited || stats.lost_pressure)
		print_to(out, "  of the events: {}\n",
			 reasons(capture.session(), stats.lost_events, stats.lost_limited,
				 stats.lost_pressure));
	print_places(out, capture);
	if (uint64_t records = untold(stats))
		print_to(out, "  and {} more at the end, by the kernel's own count\n",
			 thousands(records));

	if (const uint64_t unseen = capture.unseen())
		print_to(out,
			 "Sequence: {} numbers are in no file: a file is missing, was cut, or "
			 "was copied earlier than the others\n",
			 thousands(unseen));
	print_to(out,
		 "Skipped: {} records of unknown type, {} unknown tails, {} damaged bytes in "
		 "{} places\n",
		 thousands(stats.skipped_records), thousands(stats.skipped_tails),
		 thousands(stats.damaged_bytes), thousands(stats.damaged_places));
	if (stats.repeated_packets)
		print_to(out, "Repeated: {} packets, whose records are counted and read once\n",
			 thousands(stats.repeated_packets));
}

static std::string loss_advice(const Capture &capture)
{
	const StreamStats &stats = capture.stats();
	// Notes are about the trace; blktrace's words are about events.
	uint64_t lost = stats.lost_events + untold(stats);
	uint64_t offered = lost + stats.events;

	if (!lost)
		return {};
	std::string text =
		fmt::format("You have {} ({:5.1f}%) dropped events", lost,
			    100.0 * static_cast<double>(lost) / static_cast<double>(offered));
	// More memory does not help against events that were refused on purpose.
	if (stats.lost_limited)
		text += fmt::format("\n{} of them were refused by the rate limit (--rate, --burst)",
				    stats.lost_limited);
	if (capture.session().is_imported())
		text += "\nConsider a larger buffer when it is recorded again (trace-cmd -b, perf "
			"-m)";
	else if (lost > stats.lost_limited)
		text += "\nConsider using a larger buffer size (-b) and/or more buffers (-n)";
	return text;
}

// Returns "; there is no x.grtrace.1, and the machine could have 2 CPUs".
static std::string absent_text(const Capture &capture)
{
	const std::string files = capture.absent_files();

	return files.empty() ? "" :
			       fmt::format("; there is no {}, and the machine could have {} CPUs",
					   files, capture.session().nr_cpus);
}

uint64_t tell_losses(const CaptureSet &captures)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < captures.size(); i++) {
		std::string advice = loss_advice(captures.capture(i));

		lost = add_up(lost, lost_records(captures.capture(i)));
		if (!advice.empty())
			print_to(stderr, "{}\n", advice);
		if (const uint64_t unseen = captures.capture(i).unseen())
			print_to(
				stderr,
				"{}: {} records are in no file: a file is missing, was cut, or was "
				"copied earlier than the others{}\n",
				captures.capture(i).name(), thousands(unseen),
				absent_text(captures.capture(i)));
	}
	return lost;
}

void print_sampling(fmt::memory_buffer &out, const Capture &capture)
{
	const StreamStats &stats = capture.stats();

	if (!stats.sampled() && !stats.sample_changes)
		return;
	if (stats.sample_least >= stats.sample_most)
		print_to(out, "Sampled 1/{}", stats.sample_most);
	else
		print_to(out, "Sampled 1/{} to 1/{}", stats.sample_least, stats.sample_most);
	if (stats.sample_changes)
		print_to(out, ", {} changes", stats.sample_changes);
	print_to(out, ": totals are estimates\n");
}

void print_session(fmt::memory_buffer &out, const Capture &capture)
{
	const Session &session = capture.session();

	if (!session.snapshot_reason.empty())
		print_to(out, "Snapshot: taken at {:.9f} ({})\n",
			 seconds(session, session.snapshot_ts), session.snapshot_reason);
	if (session.clock != GRTRACE_CLOCK_MONOTONIC)
		print_to(out, "Clock: {}\n", clock_name(session.clock));
	print_models(out, session);
}

void print_models(fmt::memory_buffer &out, const Session &session)
{
	for (const Model &model : session.models)
		print_to(out, "Device {}: {} {}\n", model.device, model.bus, model.id);
}

} // namespace grtrace
