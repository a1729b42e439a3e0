// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"
#include "lib/text/status.h"

#include <string>
#include <vector>

namespace grtrace {

class Control;

// Adds the settings that change a key to @value from any other value.
void set_to(const std::string &name, const std::string &value, std::vector<NamedText> *settings);

// Returns settings that restore the configuration to @before (`config` as read) after
// @settings: only the keys that they changed. A list is emptied before it is filled again.
std::vector<NamedText> undo_settings(const std::vector<NamedText> &settings,
				     const std::vector<NamedText> &before);

// Keeps the configuration that a recording found, and restores it.
class ConfigBackup {
public:
	// Reads the configuration. Without this call restore() does nothing.
	Status take(const Control &control);

	// Applies the settings; after that restore() has something to restore.
	Status change(const Control &control, const std::vector<NamedText> &settings);

	// Does nothing while another program's session runs, because the configuration
	// belongs to that session.
	Status restore(const Control &control);

private:
	std::vector<NamedText> before_;
	std::vector<NamedText> undo_;
};

} // namespace grtrace
