// SPDX-License-Identifier: GPL-2.0
//
// Exporting: passes one capture's events to the export.
#pragma once

#include <memory>
#include <utility>

#include "read/capture/capture.h"
#include "words/export/chosen_jobs.h"
#include "words/export/export_options.h"
#include "words/export/exporter.h"
#include "words/filter/wanted_gaps.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

class Exporting {
public:
	Exporting(ExportOptions &options, uint32_t index, Capture &capture,
		  std::unique_ptr<CaptureExport> made)
		: options_(options), capture_(capture), out_(std::move(made)),
		  chosen_(options, index, capture.session(), *out_), tracker_(chosen_, &chosen_)
	{
	}

	// Whether the event is one of those that are chosen.
	bool take(const Event &event)
	{
		Session &session = capture_.session();
		const bool in_time = options_.time.wants_time(event, session);

		take_gaps();
		const bool chosen = in_time && options_.jobs.wants(event, session);
		if (chosen)
			out_->event(event);
		else
			out_->skip(event, in_time);
		if (in_time)
			chosen_.feed(tracker_, event, chosen);
		return chosen && event.is_event();
	}
	void finish()
	{
		take_gaps();
		tracker_.finish();
		out_->finish();
	}

private:
	void take_gaps()
	{
		for (const Gap &gap :
		     wanted_gaps(options_.time, capture_.take_gaps(), capture_.session())) {
			out_->gap(gap);
			tracker_.lose(gap.from_ts, gap.to_ts);
		}
	}

	ExportOptions &options_;
	Capture &capture_;
	std::unique_ptr<CaptureExport> out_;
	ChosenJobs chosen_;
	JobTracker tracker_;
};

} // namespace grtrace
