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

// The session that the options ask for, with devices and rings looked up.
struct SessionPlan {
	std::string name; // of the capture: card0; empty: any
	std::vector<NamedText> settings; // for debugfs's config
};

// Turns the options into settings: only what was asked for is set, everything
// else stays as it is.
Status plan_session(const Control &control, const CaptureOptions &options, SessionPlan *plan);

// The configuration in force.
struct SessionConfig {
	std::string device = "all";
	bool overwrite = false;
	bool has_triggers = false; // something takes a snapshot
	size_t subbuf_bytes = 0;
	std::string narrowed; // what keeps events out, or empty
};

// @given: settings that were asked for now, which are not reported as narrowing
Status read_session_config(const Control &control, const std::vector<NamedText> &given,
			   SessionConfig *config);

// The sources of the session, as its metadata names them.
Status read_sources(const Control &control, Silence *silence);

// The name of a capture of these devices, as filter_device has them.
std::string capture_name(const std::string &device);

} // namespace grtrace
