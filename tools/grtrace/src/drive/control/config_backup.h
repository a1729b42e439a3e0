// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"
#include "lib/text/status.h"

#include <string>
#include <vector>

namespace grtrace {

class Control;

// What puts the configuration back to @before (`config` as read) after these
// settings: only what they changed, a list emptied before it is filled again.
std::vector<NamedText> undo_settings(const std::vector<NamedText> &settings,
				     const std::vector<NamedText> &before);

// What sets every key that is there to its default, lists and all.
std::vector<NamedText> reset_settings(const std::vector<NamedText> &there);

// The configuration as a file from which it can be set again.
std::string saved_config(const std::vector<NamedText> &there);

// The words of such a file, without its comments. Errors name the line.
Status parse_saved_config(const std::string &text, std::vector<NamedText> *settings);

// Keeps the configuration that a recording found, and brings it back.
class ConfigBackup {
public:
	// Reads what is in force. Without it restore() does nothing.
	Status take(const Control &control);

	// Applies the settings; from then on restore() has something to do.
	Status change(const Control &control, const std::vector<NamedText> &settings);

	// Not while a session of somebody else runs: it is his by then.
	Status restore(const Control &control);

private:
	std::vector<NamedText> before_;
	std::vector<NamedText> undo_;
};

} // namespace grtrace
