// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"
#include "words/tracefs/stream_notes.h"
#include "words/tracefs/trace_event.h"

#include <string>
#include <vector>

namespace grtrace {

class TraceInstance;

// Those of the wanted events that this kernel has, enabled in an instance.
class FoundEvents {
public:
	FoundEvents();
	FoundEvents(const FoundEvents &) = delete;
	FoundEvents &operator=(const FoundEvents &) = delete;
	~FoundEvents();

	// @remarks: a sentence for each missing event. It is an error if there
	// 	is none.
	Status find(const TraceInstance &instance, const TraceGroups &groups,
		    std::vector<std::string> *remarks);

	// Events that came since, with a driver that was loaded.
	Status find_more(const TraceInstance &instance, std::vector<TraceEvent> *more,
			 std::vector<std::string> *remarks);

	// Takes the format of an event; false: it cannot be used.
	bool parse(const TraceEventSpec &spec, const std::string &format,
		   std::vector<std::string> *remarks);

	struct tep_handle *tep() const { return tep_; }
	const std::vector<TraceEvent> &events() const { return events_; }

	// The sources of the events found, and the facts that these do not record.
	std::vector<TraceSource> sources() const;
	std::vector<std::string> untold() const;
	bool has_old_sched() const;

private:
	bool has(const TraceEventSpec &spec) const;
	bool has_any(TraceGroup group) const;
	bool has_kind(TraceKind kind) const;
	void remark_absence(std::vector<std::string> *remarks) const;

	struct tep_handle *tep_;
	std::vector<TraceEvent> events_;
	std::vector<const TraceEventSpec *> seen_; // also the unusable
	TraceGroups groups_;
};

} // namespace grtrace
