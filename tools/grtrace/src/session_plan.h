// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "status.h"
#include "views.h"

#include <cstddef>
#include <string>
#include <vector>

namespace grtrace {

class Control;
struct CaptureOptions;

// What the options ask of a session, with the devices found.
struct SessionPlan {
	std::string name;		 // of the capture: card0, all
	std::vector<NamedText> settings; // for debugfs's config
};

// Finds the devices and turns the options into settings. Only what was asked
// for is set, and what has a default on the command line: the devices and -b
// and -n. Everything else stays as the last session had it.
Status plan_session(const Control &control, const CaptureOptions &options,
		    SessionPlan *plan);

// The configuration in force.
struct SessionConfig {
	std::string device = "all";
	bool overwrite = false;
	size_t subbuf_bytes = 0;
	std::string narrowed; // filters that nobody asked for now, or empty
};

Status read_session_config(const Control &control,
			   const CaptureOptions &options,
			   SessionConfig *config);

} // namespace grtrace
