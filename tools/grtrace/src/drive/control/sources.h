// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <functional>
#include <set>
#include <string>

namespace grtrace {

class Control;

// The kernel's sources are modules, and on a patched kernel each source pins its driver. So
// sources are loaded for a session, and only for drivers that have a device.
class SourceModules {
public:
	// Loads the missing sources, and tries each once. The coverage of the session shows
	// sources that could not be loaded.
	void load();

private:
	std::set<std::string> tried_;
};

// Unloads the sources, so that the drivers can be unloaded. Sources that are built in stay.
Status unload_sources(const Control &control);

// Returns the module's version, as its metadata has it; "" before the first session.
std::string module_version(const Control &control);

// Calls the function for each source in the metadata, with the number of trace events that
// it found, and the number that this kernel can have.
Status for_each_source(
	const Control &control,
	const std::function<void(const std::string &name, uint64_t found, uint64_t known)> &fn);

} // namespace grtrace
