// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"
#include "words/tracefs/trace_event.h"
#include "words/translate/stream_notes.h"

#include <string>
#include <vector>

namespace grtrace {

class TraceInstance;

// The wanted events that this kernel has, enabled in an instance.
class FoundEvents {
public:
	FoundEvents();
	FoundEvents(const FoundEvents &) = delete;
	FoundEvents &operator=(const FoundEvents &) = delete;
	~FoundEvents();

	// @remarks: a sentence for each missing event. It is an error if all events are
	// missing.
	Status find(const TraceInstance &instance, const TraceGroups &groups,
		    std::vector<std::string> *remarks);

	// Finds events that have appeared since, because a driver was loaded.
	Status find_more(const TraceInstance &instance, std::vector<TraceEvent> *more,
			 std::vector<std::string> *remarks);

	// Reads the format of an event; returns false if the event cannot be used.
	bool parse(const TraceEventSpec &spec, const std::string &format,
		   std::vector<std::string> *remarks);

	// Reads the format of lines that user space writes into the trace.
	bool parse_markers(const std::string &format);
	// Returns nullptr if they are not recorded.
	struct tep_event *markers() const { return markers_; }

	struct tep_handle *tep() const { return tep_; }
	const std::vector<TraceEvent> &events() const { return events_; }

	// Return the sources of the events found, and the facts that they do not record.
	std::vector<TraceSource> sources() const;
	std::vector<std::string> untold() const;
	bool has_old_sched() const;

private:
	bool has(const TraceEventSpec &spec) const;
	bool has_any(TraceGroup group) const;
	bool has_kind(TraceKind kind) const;
	void remark_absence(std::vector<std::string> *remarks) const;

	struct tep_handle *tep_;
	struct tep_event *markers_ = nullptr;
	std::vector<TraceEvent> events_;
	std::vector<const TraceEventSpec *> seen_; // including unusable ones
	TraceGroups groups_;
};

} // namespace grtrace
