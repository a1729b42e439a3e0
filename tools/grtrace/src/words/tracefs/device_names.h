// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

// Facts in sysfs about the devices that events name by a number or a name.
// Unknown ones are "?".
class DeviceNames {
public:
	explicit DeviceNames(std::string sysfs = "/sys") : sysfs_(std::move(sysfs)) {}

	// The driver of a device, e.g. of 0000:01:00.0.
	std::string driver(const std::string &device) const;

	// The device behind virtio<number>: its parent, which lspci shows.
	std::string virtio_parent(uint64_t number) const;

	// The device of card<number>.
	std::string card(uint64_t number) const;

	// The devices of all cards, as rings name them.
	std::vector<std::string> all() const;

private:
	std::string sysfs_;
};

} // namespace grtrace
