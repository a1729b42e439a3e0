// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string>

#include "drive/control/views.h"
#include "words/status/status_options.h"

namespace grtrace {

// Runs grtrace status: shows the state of the session and the configuration, or one of the
// kernel's tables.
class StatusRun {
public:
	explicit StatusRun(const StatusOptions &options) : options_(options) {}

	// Returns the exit code.
	int run();

private:
	const StatusOptions &options_;
};

// Returns a view for people, with histograms as bars and everything else in
// columns.
std::string view_text(const std::string &name, const CsvTable &table);

} // namespace grtrace
