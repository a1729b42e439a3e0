// SPDX-License-Identifier: GPL-2.0
//
// Reporting: one capture's jobs on their way into its report.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "read/filter/event_filter.h"
#include "read/jobs/job_tracker.h"
#include "words/report/report.h"
#include "words/report/report_options.h"

namespace grtrace {

struct Reporting {
	Reporting(const ReportOptions &options, Capture &capture, OutputFile *csv)
		: filter(options.filter), capture(capture), report(options, capture, csv),
		  tracker(report, &report)
	{
	}

	// Nothing is read, so nothing found missing, within a run.
	void feed(std::span<const Event> run)
	{
		if (capture.has_gaps())
			lose_gaps();
		if (!filter.has_interval())
			return feed_wanted(run);
		for (const Event &event : run)
			if (filter.wants_time(event, capture.session()))
				feed_wanted({&event, 1});
	}
	void finish()
	{
		lose_gaps();
		tracker.finish();
		report.finish(last_ts);
	}

	const EventFilter &filter;
	Capture &capture;
	Report report;
	JobTracker tracker;
	uint64_t last_ts = 0;
	bool begun = false;

private:
	void lose_gaps() { tracker.lose(filter.wanted(capture.take_gaps(), capture.session())); }
	// Of several all are sequenced.
	void feed_wanted(std::span<const Event> run)
	{
		// A LOST stands before its time.
		if (!begun && run.front().sequenced) {
			report.begin(run.front().ts);
			begun = true;
		}
		for (const Event &event : run)
			last_ts = std::max(last_ts, event.ts);
		tracker.feed(run);
	}
};

} // namespace grtrace
