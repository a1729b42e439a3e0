// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"
#include "lib/text/status.h"

#include <string>
#include <vector>

namespace grtrace {

class Control;

// Adds the settings that make a key read as @value, whatever its value is by
// then.
void set_to(const std::string &name, const std::string &value, std::vector<NamedText> *settings);

// Settings that restore the configuration to @before (`config` as read) after these
// settings: only what they changed, a list emptied before it is filled again.
std::vector<NamedText> undo_settings(const std::vector<NamedText> &settings,
				     const std::vector<NamedText> &before);

// Keeps the configuration that a recording found, and brings it back.
class ConfigBackup {
public:
	// Reads what is in force. Without it restore() does nothing.
	Status take(const Control &control);

	// Applies the settings; from then on restore() has something to do.
	Status change(const Control &control, const std::vector<NamedText> &settings);

	// Not while a session of another program runs: it is that program's by then.
	Status restore(const Control &control);

private:
	std::vector<NamedText> before_;
	std::vector<NamedText> undo_;
};

} // namespace grtrace
