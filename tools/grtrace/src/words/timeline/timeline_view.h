// SPDX-License-Identifier: GPL-2.0
//
// TimelineView: one drawing of grtrace timeline.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "read/stream/event.h"
#include "words/calls/call_watcher.h"
#include "words/reading/choice.h"
#include "words/terminal/paint.h"
#include "words/tracker/job.h"
#include "words/tracker/job_watcher.h"

namespace grtrace {

// Receives the events of one capture and, after each event, the results of the trackers.
// end() is called before the trackers pass on jobs that are still in flight.
class TimelineView : public JobSink, public JobWatcher, public CallWatcher {
public:
	void job(const Job &) override {}
	void moved(const Job &, JobPhase, uint64_t) override {}
	virtual void event(const Event &) {}
	// Receives the time of the capture's last event.
	virtual void end(uint64_t) {}

	virtual void print(fmt::memory_buffer &out) = 0;
};

// Returns the ring's name, with the number of its device (as grparse shows it) if there are
// several devices; the id if the ring has no RING record.
std::string ring_name(const Session &session, uint32_t id);

// Prints a line if jobs were sampled.
void put_sampling(Paint &paint, const Capture &capture, size_t columns);

} // namespace grtrace
