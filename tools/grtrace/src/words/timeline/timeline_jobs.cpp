// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_jobs.h"

#include <algorithm>
#include <functional>

#include "lib/text/duration.h"
#include "read/capture/losses.h"
#include "words/data/worst.h"

namespace grtrace {

struct Sign {
	char sign;
	Colour colour;
	const char *meaning;
};

static const Sign signs[] = {
	{'-', Colour::faint, "queued"},
	{'x', Colour::magenta, "blocked"},
	{'=', Colour::cyan, "dispatched (PICK to START)"},
	{'#', Colour::green, "executing"},
	{'>', Colour::yellow, "END to COMPLETE"},
	{'?', Colour::faint, "not known, records were lost"},
	{'!', Colour::bright_red, "failed"},
};

static Colour colour_of_sign(char sign)
{
	for (const Sign &known : signs)
		if (known.sign == sign)
			return known.colour;
	return Colour::plain;
}

// Returns the time from each recorded step to the next one.
std::vector<TimelineJobs::Stretch> TimelineJobs::stretches_of(const Job &job, uint64_t end)
{
	const Stretch steps[] = {
		{job.submit_ts, 0, '-'},
		{job.blocked_ts, 0, 'x'},
		{job.pick_ts, 0, '='},
		{job.commit_ts, 0, '='},
		{std::min(job.start_ts, job.has_ring_since), 0, '#'},
		{job.end_ts, 0, '>'},
	};
	std::vector<Stretch> stretches;
	uint64_t last = job.complete_ts;

	for (const Stretch &step : steps) {
		if (step.from == Job::none)
			continue;
		// CPUs read the clock before they get a sequence number, so a step may seem
		// to be earlier than the step before it.
		uint64_t from = step.from;
		if (!stretches.empty()) {
			from = std::max(from, stretches.back().from);
			stretches.back().to = from;
		}
		stretches.push_back({from, from, step.sign});
	}
	if (stretches.empty()) {
		if (last != Job::none)
			stretches.push_back({last, last, '>'});
		return stretches;
	}
	if (last == Job::none && job.end_ts == Job::none) {
		last = std::min(end, job.passed_ts);
		if (job.touched)
			stretches.push_back({stretches.back().from, 0, '?'});
	}
	if (last == Job::none)
		last = job.end_ts;
	stretches.back().to = std::max(last, stretches.back().from);
	return stretches;
}

bool TimelineJobs::earlier(const Row &a, const Row &b)
{
	if (a.first_ts != b.first_ts)
		return a.first_ts < b.first_ts;
	if (a.job.ctx != b.job.ctx)
		return a.job.ctx < b.job.ctx;
	return a.job.seqno < b.job.seqno;
}

void TimelineJobs::job(const Job &job)
{
	Session &session = capture_.session();
	std::vector<Stretch> stretches = stretches_of(job, end_ == Job::none ? 0 : end_);

	if (stretches.empty() || stretches.front().from > choice_.to(session) ||
	    stretches.back().to < choice_.from(session) ||
	    !choice_.jobs.wants(job, index_, session))
		return;
	total_ += job.weight;

	Row row = {job, stretches.front().from, {}};
	if (!is_among_worst(rows_, limit_, row, earlier))
		return;
	const Task *task = job.submit_ts == Job::none ? nullptr : session.tasks.find(job.pid);
	// It left before the capture ended, so the record of its end is missing.
	row.job.touched |= end_ == Job::none && !job.over();
	row.comm = task ? task->name() : "?";
	keep_worst(rows_, limit_, std::move(row), earlier);
}

// Covers the first to the last moment of the rows, within the interval.
TimelineAxis TimelineJobs::axis_of(size_t columns) const
{
	const Session &session = capture_.session();
	uint64_t from = Job::none, to = 0;

	for (const Row &row : rows_) {
		std::vector<Stretch> stretches = stretches_of(row.job, end_);

		from = std::min(from, stretches.front().from);
		to = std::max(to, stretches.back().to);
	}
	from = std::max(from, choice_.from(session));
	to = std::max(std::min(to, choice_.to(session)), from);
	uint64_t since = from - std::min(from, session.start_ts);
	// Each column is at least a nanosecond.
	return TimelineAxis(since, std::max<uint64_t>(to - from, columns), columns);
}

static std::string key_text(const Job &job)
{
	return fmt::format("{}:{}", job.ctx, job.seqno);
}

// As wide as the names; but the widest ones are cut, so that the bars get 9/20 of the
// terminal.
TimelineJobs::Widths TimelineJobs::widths() const
{
	Widths widths;

	for (const Row &row : rows_) {
		widths.key = std::max(widths.key, key_text(row.job).size());
		widths.comm = std::max(widths.comm, row.comm.size());
		widths.ring =
			std::max(widths.ring, ring_name(capture_.session(), row.job.ring).size());
	}
	while (widths.all() > terminal_.width * 11 / 20) {
		size_t &widest = std::max(
			{std::ref(widths.ring), std::ref(widths.comm), std::ref(widths.key)},
			std::less<size_t>());

		if (widest <= 4)
			break;
		widest--;
	}
	return widths;
}

// Each column gets the sign that takes the largest part of it.
std::string TimelineJobs::bar_of(const Job &job, const TimelineAxis &axis) const
{
	const uint64_t start = capture_.session().start_ts;
	std::string cells(axis.columns(), ' ');
	std::vector<double> best(axis.columns(), 0);
	std::vector<Stretch> stretches = stretches_of(job, end_);
	const uint64_t until = choice_.to(capture_.session());
	auto at = [&](uint64_t ts) {
		ts = std::min(ts, until);
		return axis.position(ts - std::min(ts, start));
	};
	auto last_column = static_cast<double>(axis.columns() - 1);

	for (const Stretch &stretch : stretches) {
		double from = at(stretch.from), to = at(stretch.to);

		for (auto i = static_cast<size_t>(from); static_cast<double>(i) < to; i++) {
			auto column = static_cast<double>(i);
			double part = std::min(to, column + 1) - std::max(from, column);

			if (part > best[i]) {
				best[i] = part;
				cells[i] = stretch.sign;
			}
		}
	}
	auto end = static_cast<size_t>(std::min(at(stretches.back().to), last_column));
	if (job.failed && stretches.back().to <= until)
		cells[end] = '!';
	else if (cells[end] == ' ' && (end == 0 || cells[end - 1] == ' '))
		cells[end] = stretches.back().sign;
	return cells;
}

void TimelineJobs::print_row(Paint &paint, const Row &row, const Widths &widths,
			     const TimelineAxis &axis) const
{
	paint.put(fmt::format("{} {} {} {}  ", fit(key_text(row.job), widths.key),
			      fit(row.comm, widths.comm),
			      fit(ring_name(capture_.session(), row.job.ring), widths.ring),
			      duration_text(row.job.total())));
	for (char cell : bar_of(row.job, axis))
		paint.put({&cell, 1}, colour_of_sign(cell));
	paint.end_line();
}

void TimelineJobs::print(fmt::memory_buffer &out)
{
	Paint paint(out, terminal_.colour);
	Widths names = widths();

	if (rows_.empty()) {
		paint.put(fit(fmt::format("{}: no job in this interval", capture_.name()),
			      terminal_.width));
		paint.end_line();
		return;
	}
	TimelineAxis axis = axis_of(terminal_.width - names.all());

	std::sort(rows_.begin(), rows_.end(), earlier);
	paint.put(fit(fmt::format("{}: {} of {} jobs, in {} since the start", capture_.name(),
				  thousands(rows_.size()), thousands(total_), axis.unit()),
		      terminal_.width));
	paint.end_line();
	put_sampling(paint, capture_, terminal_.width);
	paint.put(fmt::format("{} {} {} {:>11}  {}", fit("CTX:SEQNO", names.key),
			      fit("COMM", names.comm), fit("RING", names.ring), "TOTAL",
			      axis.numbers()));
	paint.end_line();
	paint.put(std::string(names.all(), ' '));
	paint.put(axis.ruler(), Colour::faint);
	paint.end_line();
	for (const Row &row : rows_)
		print_row(paint, row, names, axis);
	print_key(paint);
}

void TimelineJobs::print_key(Paint &paint) const
{
	std::vector<std::string> phrases;

	for (const Sign &sign : signs)
		phrases.push_back(fmt::format("{} {}", sign.sign, sign.meaning));
	paint.end_line();
	for (const std::string &line : wrap(phrases, terminal_.width)) {
		paint.put(line, Colour::faint);
		paint.end_line();
	}
}

} // namespace grtrace
