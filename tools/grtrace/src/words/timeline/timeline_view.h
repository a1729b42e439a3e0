// SPDX-License-Identifier: GPL-2.0
//
// TimelineView: one drawing of grtrace timeline.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "read/jobs/job.h"
#include "read/jobs/job_watcher.h"
#include "read/stream/event.h"
#include "words/calls/call_watcher.h"
#include "words/reading/choice.h"
#include "words/terminal/paint.h"

namespace grtrace {

// Fed with one capture: its events, and then what the trackers make of each.
// end() comes before they hand over what is still in flight.
class TimelineView : public JobSink, public JobWatcher, public CallWatcher {
public:
	void job(const Job &) override {}
	void moved(const Job &, JobPhase, uint64_t) override {}
	virtual void event(const Event &) {}
	// The time of the capture's last event.
	virtual void end(uint64_t) {}

	virtual void print(fmt::memory_buffer &out) = 0;
};

// With several devices, with its device's number as grparse shows it; the id
// of a ring without a RING record.
std::string ring_name(const Session &session, uint32_t id);

// A line that says that jobs were sampled, if they were.
void put_sampling(Paint &paint, const Capture &capture, size_t columns);

} // namespace grtrace
