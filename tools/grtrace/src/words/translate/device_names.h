// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

// Looks up facts in sysfs about devices that events identify by a number or a name. The
// result is "?" if they are not known.
class DeviceNames {
public:
	// @sysfs: empty if the events are from another machine; names are then made
	// from the numbers
	explicit DeviceNames(std::string sysfs = "/sys") : sysfs_(std::move(sysfs)) {}

	// Returns the driver of a device, such as 0000:01:00.0.
	std::string driver(const std::string &device) const;

	// Returns the device of virtio<number>: its parent, which lspci shows.
	std::string virtio_parent(uint64_t number) const;

	// Returns the device of card<number>.
	std::string card(uint64_t number) const;

	// Returns the devices of all cards, by the names that rings use.
	std::vector<std::string> all() const;

private:
	std::string sysfs_;
};

} // namespace grtrace
