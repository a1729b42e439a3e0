// SPDX-License-Identifier: GPL-2.0
//
// OutputName: a file that an option wants to be written.
#pragma once

#include <string>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

struct OutputName {
	const char *option; // that named it
	const std::string &path; // "" or "-": no file
	bool is_capture = false; // and will be read by its name
};

// Before any of them is opened, which would empty it: none may be a file of one
// of the captures, or the same as another one, by whatever name. Devices and
// pipes may. Captures are named as CaptureInput takes them.
Status check_outputs(const std::vector<OutputName> &outputs, const std::string &directory,
		     const std::vector<std::string> &captures);

} // namespace grtrace
