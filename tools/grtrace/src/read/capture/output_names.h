// SPDX-License-Identifier: GPL-2.0
//
// OutputName: the name of an output file, given by an option.
#pragma once

#include <string>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

struct OutputName {
	const char *option; // the option that named it
	const std::string &path; // "" or "-": no file
	bool is_capture = false; // and readers will open it by this name
};

// Call this before any output is opened, because opening empties the file. An output may
// not be a file of one of the captures, nor the same file as another output under a
// different name. Devices and pipes are allowed. captures has names in the form that
// CaptureInput takes.
Status check_outputs(const std::vector<OutputName> &outputs, const std::string &directory,
		     const std::vector<std::string> &captures);

} // namespace grtrace
