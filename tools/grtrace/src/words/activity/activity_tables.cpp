// SPDX-License-Identifier: GPL-2.0
//
// The tables of Activity.
#include "lib/text/print_to.h"
#include "words/activity/activity.h"

#include <algorithm>

#include "lib/text/duration.h"
#include "words/columns/csv_line.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

static std::string percent_text(uint64_t part, uint64_t whole, bool known)
{
	return known ? fmt::format("{:.2f}", percent(part, whole)) : "NA";
}

// Wide enough that a long name does not move the figures out of their columns.
size_t Activity::title_width() const
{
	size_t width = 24;

	each_ring([&](const Ring &ring) {
		width = std::max(width, ring_title(capture_.session(), ring.id).size());
	});
	return width;
}

void Activity::print_rings(fmt::memory_buffer &out) const
{
	const size_t width = title_width();

	print_to(out, "\n{:<{}} {:>7} {:>11}", "BUSY AND IDLE", width, "BUSY %", "BUSY");
	for (const char *cause :
	     {"HOST", "SCHEDULER", "OTHER PROC", "DEPEND", "NO WORK", "NOT KNOWN"})
		print_to(out, " {:>11}", cause);
	out.push_back('\n');
	each_ring([&](const Ring &ring) {
		const RingSteps &steps = ring.steps;
		const StateTimes times = ring.activity.times().resolve(steps);

		print_to(out, "{:<{}} {:>7} {}", ring_title(capture_.session(), ring.id), width,
			 percent_text(times[0], end_ - start_, steps.any()),
			 duration_text(steps.any() ? times[0] : Job::none));
		for (size_t i = 1; i < nr_ring_states; i++)
			print_to(out, " {}", duration_text(times[i]));
		print_to(out, "{}\n", losses_.touch(start_, end_) ? " *" : "");
	});
}

void Activity::print_devices(fmt::memory_buffer &out) const
{
	const auto &names = capture_.session().rings.devices();
	size_t width = 24;

	for (size_t id = 0; id < devices_.size(); id++)
		if (devices_[id].used)
			width = std::max(width, names[id].size());
	print_to(out, "\n{:<{}} {:>7} {:>11}  {}\n", "DEVICE", width, "BUSY %", "BUSY",
		 "any of its rings");
	for (size_t id = 0; id < devices_.size(); id++) {
		const Device &device = devices_[id];
		const uint64_t busy = device.busy.sum();

		if (!device.used)
			continue;
		print_to(out, "{:<{}} {:>7} {}{}\n", names[id], width,
			 percent_text(busy, end_ - start_, device.known),
			 duration_text(device.known ? busy : Job::none),
			 losses_.touch(start_, end_) ? " *" : "");
	}
}

// Draws the depth over time as a line of marks, from empty to the greatest depth.
static std::string draw(const TimeSeries &series, uint64_t most)
{
	static const char marks[] = " .:-=+*#%@";
	constexpr size_t width = 64;
	const auto &buckets = series.buckets();
	std::string text;

	for (size_t i = 0; i<buckets.size(); i += buckets.size()> width ? 2 : 1) {
		uint64_t value = buckets[i];

		if (buckets.size() > width && i + 1 < buckets.size())
			value = std::max(value, buckets[i + 1]);
		text += most ? marks[(value * 9 + most - 1) / most] : ' ';
	}
	return text;
}

void Activity::print_depths(fmt::memory_buffer &out) const
{
	const size_t width = title_width();

	print_to(out, "\n{:<{}} {:>9} {:>7} {:>9} {:>7}  {}\n", "QUEUE DEPTH", width, "AVG", "MAX",
		 "HW AVG", "HW MAX", "greatest depth over time");
	each_ring([&](const Ring &one) {
		const RingSteps &steps = one.steps;
		const RingActivity &ring = one.activity;
		std::string average = "NA", most = "NA";

		if (steps.any()) {
			average = fmt::format("{:.3f}", ring.average_hardware(steps));
			most = fmt::format("{}", ring.max_hardware(steps));
		}
		print_to(out, "{:<{}} {:>9.3f} {:>7} {:>9} {:>7}  |{}|{}\n",
			 ring_title(capture_.session(), one.id), width, ring.average_depth(),
			 ring.max_depth(), average, most, draw(ring.depth(), ring.max_depth()),
			 losses_.touch(start_, end_) ? " *" : "");
	});
}

void Activity::print_arrivals(fmt::memory_buffer &out) const
{
	const size_t width = title_width();

	print_to(out, "\n{:<{}} {:>9} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11}\n",
		 "Q2Q, SUBMIT TO SUBMIT", width, "N", "MIN", "AVG", "MAX", "p50", "p90", "p99",
		 "p99.9");
	each_ring([&](const Ring &ring) {
		const Histogram &times = ring.arrivals;
		auto text = [&](uint64_t ns) {
			return duration_text(times.count() ? ns : Job::none);
		};

		print_to(out, "{:<{}} {:>9} {} {} {} {} {} {} {}{}\n",
			 ring_title(capture_.session(), ring.id), width, times.count(),
			 text(times.min()), text(times.average()), text(times.max()),
			 text(times.percentile(500)), text(times.percentile(900)),
			 text(times.percentile(990)), text(times.percentile(999)),
			 losses_.touch(start_, end_) ? " *" : "");
	});
}

void Activity::print_depth_header(fmt::memory_buffer &out)
{
	static constexpr std::string_view names = "dev,ring,from_ns,to_ns,depth\n";

	out.append(names.data(), names.data() + names.size());
}

void Activity::print_depth_csv(fmt::memory_buffer &out) const
{
	each_ring([&](const Ring &one) {
		const TimeSeries &depth = one.activity.depth();
		const ::grtrace::Ring &ring = capture_.session().rings.find(one.id);
		uint64_t from = depth.start();

		for (const uint64_t greatest : depth.buckets()) {
			CsvLine line(out);

			if (ring.known)
				line.text(ring.device_name);
			else
				line.na();
			line.text(ring.known ? ring.name : fmt::to_string(one.id));
			line.number(from);
			from = std::min(from + depth.width(), end_);
			line.number(from);
			line.number(greatest);
			line.end();
		}
	});
}

void Activity::print_gaps(fmt::memory_buffer &out) const
{
	const Gaps gaps = worst_gaps();

	if (gaps.empty())
		return;
	print_to(out,
		 "\nThe {} that held jobs up longest\n"
		 "{:>11} {:>11} {:>11}  {:<24} {:<26} {:>6}  {}\n",
		 gaps.size() == 1 ? "idle gap" : fmt::format("{} idle gaps", gaps.size()),
		 "HELD UP", "IDLE", "AT", "RING", "CAUSE", "SHARE", "ENDED BY");
	for (const Listed &listed : gaps)
		print_gap(out, listed);
}

void Activity::print_gap(fmt::memory_buffer &out, const Listed &listed) const
{
	const Session &session = capture_.session();
	const IdleGap &gap = listed.gap;
	const StateTimes times = gap.times.resolve(known_ring(listed.ring)->steps);
	RingState cause = IdleGap::cause(times);
	uint64_t idle = gap.to - gap.from;

	print_to(out, "{} {} {}  {:<24} {:<26} {:>5.1f}%  {}{}\n", duration_text(gap.held_up()),
		 duration_text(idle), duration_text(Job::between(session.start_ts, gap.from)),
		 ring_title(session, listed.ring), ring_state_name(cause),
		 percent(times[static_cast<size_t>(cause)], idle),
		 listed.ended_by.empty() ? "the end of the capture" : listed.ended_by,
		 losses_.touch(gap.from, gap.to) ? " *" : "");
}

void Activity::print(fmt::memory_buffer &out)
{
	if (!shown_)
		return;
	print_rings(out);
	print_devices(out);
	print_depths(out);
	print_arrivals(out);
	print_gaps(out);
}

} // namespace grtrace
