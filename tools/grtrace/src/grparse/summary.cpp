// SPDX-License-Identifier: GPL-2.0
//
// Tables and words are those of blkparse, so that its users know them.
#include "grparse/summary.h"

#include <algorithm>
#include <ctime>
#include <iterator>

#include "format/vocabulary.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"

namespace grtrace {

void Summary::add(const Event &event)
{
	if (!event.is_event())
		return;
	entries_++;
	if (event.cpu >= cpus_.size())
		cpus_.resize(event.cpu + 1);
	cpus_[event.cpu].add(event);

	rings_[event.ring].add(event);
}

// Prints one table of two columns.
static void print_counts(fmt::memory_buffer &out, const std::string &title,
			 const EventCounts &counts)
{
	struct Row {
		const char *label;
		uint64_t value;
	};
	const auto &n = counts.by_type;
	const Row rows[] = {
		{"Queued", n[GRTRACE_SUBMIT]},
		{"Picked", n[GRTRACE_PICK]},
		{"Dependencies", n[GRTRACE_DEP]},
		{"Blocked", n[GRTRACE_BLOCKED]},
		{"Dispatched", n[GRTRACE_COMMIT]},
		{"Started", n[GRTRACE_START]},
		{"Ended", n[GRTRACE_END]},
		{"Fences", n[GRTRACE_FENCE]},
		{"Completed", n[GRTRACE_COMPLETE]},
		{"With error", counts.with_error},
		{"Waits", n[GRTRACE_SYNC_WAIT_ENTER]},
		{"Waits ended", n[GRTRACE_SYNC_WAIT_EXIT]},
		{"Interrupts", n[GRTRACE_IRQ]},
		{"Switches", n[GRTRACE_CTX_SWITCH]},
		{"Errors", n[GRTRACE_ERROR]},
		// Few drivers report these, and the annotator wrote those.
		{n[GRTRACE_QUEUE] ? "Queue states" : nullptr, n[GRTRACE_QUEUE]},
		{n[GRTRACE_IOCTL] ? "Ioctls" : nullptr, n[GRTRACE_IOCTL]},
	};

	print_to(out, "{}:\n", title);
	size_t i = 0;
	for (const Row &row : rows)
		if (row.label)
			print_to(out, " {:<13}{:>16}{}", fmt::format("{}:", row.label),
				 thousands(row.value), i++ % 2 ? "\n" : "    ");
	if (i % 2)
		out.push_back('\n');
}

void Summary::print_rings(fmt::memory_buffer &out)
{
	rings_.each([&](uint32_t id, const EventCounts &counts) {
		if (id == GRTRACE_RING_NONE || !counts.any())
			return;
		const Ring &ring = capture_.session().rings.find(id);
		print_counts(out,
			     ring.known ?
				     fmt::format("Ring {} {} ({}, {})", id, ring.name,
						 ring.device_name,
						 capture_.session().class_name(ring.engine_class)) :
				     fmt::format("Ring {} (not described)", id),
			     counts);
	});
}

// The time of the last CPU's STOP.
static void print_stop(fmt::memory_buffer &out, const Capture &capture)
{
	uint64_t last = 0;

	for (const CpuStats &cpu : capture.stats().cpus)
		last = std::max(last, cpu.stop_ts);
	if (last)
		print_to(out, "Stopped: at {:.9f}\n",
			 static_cast<double>(
				 static_cast<int64_t>(last - capture.session().start_ts)) /
				 1e9);
}

void Summary::print_end(fmt::memory_buffer &out)
{
	const Session &session = capture_.session();

	print_to(out, "Events ({}): {} entries\n", capture_.name(), thousands(entries_));
	print_losses(out, capture_);
	print_stop(out, capture_);
	print_session(out, capture_);
	if (session.start_real) {
		time_t start = static_cast<time_t>(session.start_real / 1000000000);
		char text[32];

		print_to(out, "Trace started at {}", ctime_r(&start, text) ? text : "?\n");
	}
}

void Summary::print(fmt::memory_buffer &out, const std::optional<JobTexts> &jobs)
{
	EventCounts total;

	out.push_back('\n');
	print_sampling(out, capture_);
	if (jobs)
		out.append(jobs->programs);
	for (size_t cpu = 0; cpu < cpus_.size(); cpu++) {
		if (!cpus_[cpu].any())
			continue;
		print_counts(out, fmt::format("CPU{} ({})", cpu, capture_.name()), cpus_[cpu]);
		total.add(cpus_[cpu]);
	}
	print_rings(out);
	print_counts(out, fmt::format("Total ({})", capture_.name()), total);
	if (jobs)
		out.append(jobs->totals);
	else
		print_to(out, "\nJobs ({}): not counted without grtrace-parse\n", capture_.name());
	print_end(out);
}

} // namespace grtrace
