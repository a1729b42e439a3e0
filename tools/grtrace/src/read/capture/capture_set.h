// SPDX-License-Identifier: GPL-2.0
//
// CaptureSet: reads all captures of a command line as one stream.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lib/data/tournament.h"
#include "read/capture/capture.h"

namespace grtrace {

// Owns the captures. Within a capture its own order applies. Captures share no sequence
// numbers and perhaps no clock, so they are ordered by the wall clock: the time since the
// session's start plus the real time of that start. Each capture takes a few descriptors,
// and about as much memory as it reads at once.
class CaptureSet {
public:
	explicit CaptureSet(Diagnostics &diagnostics) : diagnostics_(diagnostics) {}

	Status open(const std::string &directory, const std::vector<std::string> &names,
		    OpenPlan plan = {});

	// Reports what is read to the listener, which must outlive the captures.
	void tell(ReadListener &listener);

	// event->capture is the number of its capture.
	Next next(const Event *&event)
	{
		return captures_.size() == 1 ? captures_[0]->next(event) : next_of_several(event);
	}

	// Returns the event together with the events of the same capture that directly follow it.
	Next next(std::span<const Event> &run)
	{
		if (captures_.size() == 1)
			return captures_[0]->next(run);

		const Event *event;
		const Next got = next_of_several(event);

		if (got == Next::event)
			run = {event, 1};
		return got;
	}

	Capture &capture(size_t index) { return *captures_[index]; }
	const Capture &capture(size_t index) const { return *captures_[index]; }
	size_t size() const { return captures_.size(); }

private:
	Next next_of_several(const Event *&event);
	Next start();
	Tournament::Player player(size_t index) const;
	Next refill(size_t index, Tournament::Player &next);

	Diagnostics &diagnostics_;
	std::vector<std::unique_ptr<Capture>> captures_;
	// The events that each capture has returned and that were not passed on yet. The
	// first of these was passed on last, or comes next. Most events touch only this
	// part of a capture, because thousands of captures do not fit into the
	// processor's caches.
	std::vector<std::span<const Event>> heads_;
	std::vector<Tournament::Player> first_; // the captures that have an event
	Tournament tournament_; // orders them by the wall clock
	bool started_ = false;
	bool front_used_ = false;
};

} // namespace grtrace
