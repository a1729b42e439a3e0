// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <string>
#include <vector>

namespace grtrace {

// The GPUs of this machine: which device in the kernel is behind the name that
// the user typed. It reads sysfs; the devices grtrace itself knows (some, as
// its test GPU, are in no sysfs class) are passed to it.
class DeviceTable {
public:
	// @traced: the device column of debugfs's `rings`
	Status load(const std::string &sysfs_drm, const std::vector<std::string> &traced);

	// card0, renderD128, a path to one, a PCI address or a device's own
	// name; @name becomes what filter_device takes.
	Status resolve(const std::string &typed, std::string *name) const;

private:
	struct Node {
		std::string file; // card0
		std::vector<std::string> path; // 0000:00:02.0, virtio0
	};

	const std::string &kernel_name(const Node &node) const;
	bool is_traced(const std::string &name) const;
	std::string list() const;

	std::vector<Node> nodes_;
	std::vector<std::string> traced_;
};

// /sys/class/drm, or what GRTRACE_SYSFS_DRM says (for tests).
std::string sysfs_drm();

// Adds the devices listed in a file: words, with # for comments.
Status read_device_file(const std::string &path, std::vector<std::string> *devices);

// The name for files: the last part of a path, ':' as '-'.
std::string file_name_of(const std::string &typed);

} // namespace grtrace
