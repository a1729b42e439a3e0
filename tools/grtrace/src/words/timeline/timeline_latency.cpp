// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_latency.h"

#include <algorithm>

#include "lib/text/duration.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"
#include "words/terminal/paint.h"

namespace grtrace {

void TimelineLatency::Line::add(uint64_t from, uint64_t to, bool failure, uint32_t weight)
{
	times.add(to - from, weight);
	failed += failure ? weight : 0;
	first_ts = std::min(first_ts, from);
	last_ts = std::max(last_ts, to);
}

// If one of the two times is missing, or if they are in the wrong order, there is nothing
// to add.
void TimelineLatency::Way::add(uint64_t from, uint64_t to, bool failure, uint32_t weight)
{
	const uint64_t duration = Job::between(from, to);

	if (duration == Job::none)
		return;
	line.add(from, to, failure, weight);
	octaves.add(duration / 1000, weight);
}

void TimelineLatency::called(const Call &call, std::span<const JobKey>)
{
	if (call.kind >= calls_.size())
		calls_.resize(call.kind + size_t(1));
	calls_[call.kind].add(call.enter, call.exit, call.failed(), 1);
	all_calls_.add(call.enter, call.exit, call.failed(), 1);
}

void TimelineLatency::submitted(const Job &job, const Call *call, uint64_t waiter_ts)
{
	// On a ring without COMMIT, PICK is the last step of the CPU.
	const uint64_t run_ts =
		job.ring_tells_commit || job.commit_ts != Job::none ? job.commit_ts : job.pick_ts;
	const uint64_t entry = call ? call->enter : Job::none;
	auto add = [&](int way, uint64_t from, uint64_t to) {
		ways_[way].add(from, to, job.failed, job.weight);
	};

	jobs_ += job.weight;
	without_call_ += call ? 0 : job.weight;
	add(whole_gpu, job.submit_ts, job.complete_ts);
	add(run, run_ts, job.complete_ts);
	add(to_complete, entry, job.complete_ts);
	add(to_waiter, entry, waiter_ts);
}

bool TimelineLatency::is_touched(const Line &line) const
{
	return line.times.count() && losses_.touch(line.first_ts, line.last_ts);
}

// Sorted by total time, the longest first.
std::vector<uint32_t> TimelineLatency::kinds_by_time() const
{
	std::vector<uint32_t> order;
	auto sum = [this](uint32_t kind) {
		const Histogram &times = calls_[kind].times;

		return static_cast<double>(times.average()) * static_cast<double>(times.count());
	};

	for (uint32_t kind = 0; kind < calls_.size(); kind++)
		if (calls_[kind].times.count())
			order.push_back(kind);
	std::stable_sort(order.begin(), order.end(),
			 [&](uint32_t a, uint32_t b) { return sum(a) > sum(b); });
	return order;
}

size_t TimelineLatency::name_columns() const
{
	constexpr size_t most = 40;
	size_t columns = 24; // of the ways

	for (uint32_t kind = 0; kind < calls_.size(); kind++)
		if (calls_[kind].times.count())
			columns = std::max(columns, kinds_.name(kind).size() + 2);
	return std::min(columns, most);
}

void TimelineLatency::print_line(fmt::memory_buffer &out, const std::string &name,
				 const Line &line) const
{
	const Histogram &times = line.times;
	auto text = [&](uint64_t ns) { return duration_text(times.count() ? ns : Job::none); };

	print_to(out, "{}{:>9} {:>9}", fit("  " + name, name_columns()), times.count(),
		 line.failed);
	for (uint64_t ns : {times.min(), times.average(), times.percentile(500),
			    times.percentile(900), times.percentile(990), times.max()})
		print_to(out, " {}", text(ns));
	print_to(out, "{}\n", is_touched(line) ? " *" : "");
}

void TimelineLatency::print_table(fmt::memory_buffer &out) const
{
	const std::vector<uint32_t> order = kinds_by_time();

	print_to(out, "{}{:>9} {:>9} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11}\n",
		 fit("LATENCY", name_columns()), "N", "FAILED", "MIN", "AVG", "p50", "p90", "p99",
		 "MAX");
	print_to(out, "ioctl, entry to return\n");
	for (uint32_t kind : order)
		print_line(out, kinds_.name(kind), calls_[kind]);
	if (order.size() != 1)
		print_line(out, all_calls_.name, all_calls_.line);
	print_to(out, "GPU\n");
	print_line(out, ways_[whole_gpu].name, ways_[whole_gpu].line);
	print_line(out, ways_[run].name, ways_[run].line);
	print_to(out, "end to end, from the ioctl that submitted\n");
	print_line(out, ways_[to_complete].name, ways_[to_complete].line);
	print_line(out, ways_[to_waiter].name, ways_[to_waiter].line);
}

void TimelineLatency::print_remarks(fmt::memory_buffer &out) const
{
	// Otherwise another view has printed it.
	if (always_)
		print_sampling(out, capture_);
	if (without_call_)
		print_to(out,
			 "{} of {} jobs have no ioctl: submitted outside of one, or its "
			 "record is not here\n",
			 thousands(without_call_), thousands(jobs_));
	if (!losses_.empty())
		print_to(out, "*: records were lost in this time\n");
}

void TimelineLatency::print_histograms(fmt::memory_buffer &out) const
{
	auto print_one = [&](const Way &way, const char *what) {
		if (way.title && way.line.times.count())
			way.octaves.print(
				out,
				{fmt::format("{}{}", way.title, is_touched(way.line) ? " *" : ""),
				 "us", what},
				terminal_);
	};

	print_one(all_calls_, "ioctls");
	for (const Way &way : ways_)
		print_one(way, "jobs");
}

void TimelineLatency::print(fmt::memory_buffer &out)
{
	if (!always_ && !all_calls_.line.times.count())
		return;
	print_to(out, "{}{}: latency\n", always_ ? "" : "\n", capture_.name());
	print_table(out);
	print_remarks(out);
	print_histograms(out);
}

} // namespace grtrace
