// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <string>
#include <vector>

namespace grtrace {

// The GPUs of this machine: finds the kernel's device for the name that the user typed. It
// reads sysfs. Devices that grtrace itself knows are passed in, because some, such as its
// mock GPU, are in no sysfs class.
class DeviceTable {
public:
	// @traced: the column "device" of debugfs's `rings`
	Status load(const std::string &sysfs_drm, const std::vector<std::string> &traced);

	// Accepts card0, renderD128, a path to one of them, a PCI address or a device's own
	// name; @name becomes the value for filter_device.
	Status resolve(const std::string &typed, std::string *name) const;

	// Returns the names of each node and of the devices that it belongs to.
	std::vector<std::string> names() const;

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

// Returns the names of this machine's nodes; without them a capture is as good.
std::vector<std::string> node_names();

// Returns /sys/class/drm, or the value of GRTRACE_SYSFS_DRM (for tests).
std::string sysfs_drm();

// Adds the devices listed in a file, separated by white space, with # for comments.
Status read_device_file(const std::string &path, std::vector<std::string> *devices);

// Returns the name for files: the last part of a path, with '-' for ':'.
std::string file_name_of(const std::string &typed);

} // namespace grtrace
