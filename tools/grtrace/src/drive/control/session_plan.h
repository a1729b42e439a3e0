// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"
#include "lib/text/status.h"

#include <cstddef>
#include <string>
#include <vector>

namespace grtrace {

class Control;
class Silence;
struct CaptureOptions;

// The session that the options describe, with the names of devices and rings looked up.
struct SessionPlan {
	std::string name; // name of the capture, such as card0; empty: any
	std::vector<NamedText> settings; // for debugfs's config
};

// Turns the options into settings: only what an option sets is changed.
Status plan_session(const Control &control, const CaptureOptions &options, SessionPlan *plan);

// The active configuration.
struct SessionConfig {
	std::string device = "all";
	bool overwrite = false;
	bool has_triggers = false; // at least one trigger takes a snapshot
	size_t subbuf_bytes = 0;
	std::string narrowed; // settings that keep events out, or empty
};

// @given: settings from the command line, which need no report if they drop events
Status read_session_config(const Control &control, const std::vector<NamedText> &given,
			   SessionConfig *config);

// Reads the sources of the session from its metadata.
Status read_sources(const Control &control, Silence *silence);

// Returns the name of a capture of these devices, given the value of filter_device.
std::string capture_name(const std::string &device);

} // namespace grtrace
