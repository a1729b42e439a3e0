// SPDX-License-Identifier: GPL-2.0
//
// Reporting: passes one capture's jobs to its report.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "read/filter/event_filter.h"
#include "words/filter/wanted_gaps.h"
#include "words/reading/interval_check.h"
#include "words/report/report.h"
#include "words/report/report_options.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

struct Reporting {
	Reporting(ReportOptions &options, uint32_t index, Capture &from, OutputFile *csv)
		: filter(options.filter), capture(from), report(options, index, from, csv),
		  tracker(report, &report.sections())
	{
		if (filter.has_interval())
			whole.emplace(report.whole(), &report.whole());
	}

	// Ignores records whose time is damaged.
	void feed(std::span<const Event> run)
	{
		for (size_t at; at = sane(run), at < run.size(); run = run.subspan(at + 1)) {
			feed_sane(run.first(at));
			report.note_damaged_time();
		}
		feed_sane(run);
	}
	void lose_gaps()
	{
		const std::vector<Gap> gaps = capture.take_gaps();

		if (whole) {
			whole->lose(gaps);
			covered.add(gaps);
		}
		tracker.lose(wanted_gaps(filter, gaps, capture.session()));
	}
	// A job that is not over lasts until the end of the recording, unless only a part of
	// that was read or is looked at.
	void finish(bool read_all = true)
	{
		const uint64_t end = read_all ? capture.end_ts() : 0;

		lose_gaps();
		tracker.finish(whole ? 0 : end);
		report.finish(whole ? last_ts : std::max(last_ts, end));
		if (!whole)
			return;
		whole->finish(end);
		report.finish_whole(std::max(last_whole_ts, end));
	}

	const EventFilter &filter;
	Capture &capture;
	Report report;
	JobTracker tracker;
	std::optional<JobTracker> whole; // if an interval was chosen: also follows what is outside
	uint64_t last_ts = 0;
	uint64_t last_whole_ts = 0;
	CoveredTime covered; // if an interval was chosen
	bool begun = false;
	bool begun_whole = false;

private:
	// Returns how many events come before the first one that is years away from the
	// session's start.
	size_t sane(std::span<const Event> run) const
	{
		constexpr uint64_t year = 365ull * 86400 * 1000000000, hour = year / 8760;
		const uint64_t start = capture.session().start_ts;
		size_t at = 0;

		while (at < run.size() &&
		       (!start || !run[at].is_event() || run[at].ts - start + hour < year))
			at++;
		return at;
	}
	// Within a run nothing new is read, so no further loss is found.
	void feed_sane(std::span<const Event> run)
	{
		if (run.empty())
			return;
		if (capture.has_gaps())
			lose_gaps();
		if (!whole)
			return feed_wanted(run);
		feed_whole(run);
		for (const Event &event : run)
			if (filter.wants_time(event, capture.session()))
				feed_wanted({&event, 1});
	}
	// With several captures, all events are sequenced.
	void feed_wanted(std::span<const Event> run)
	{
		// A LOST may come before its time.
		if (!begun && run.front().sequenced) {
			report.begin(run.front().ts);
			begun = true;
		}
		for (const Event &event : run)
			last_ts = std::max(last_ts, event.ts);
		tracker.feed(run);
	}
	void feed_whole(std::span<const Event> run)
	{
		if (!begun_whole && run.front().sequenced) {
			report.begin_whole(run.front().ts);
			begun_whole = true;
		}
		for (const Event &event : run) {
			last_whole_ts = std::max(last_whole_ts, event.ts);
			covered.add(event);
		}
		whole->feed(run);
	}
};

} // namespace grtrace
