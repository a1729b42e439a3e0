// SPDX-License-Identifier: GPL-2.0
#include "words/translate/device_names.h"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace grtrace {

namespace {

const std::string unknown = "?";

// Returns the file names on the path to the target of a link; empty if it has no target.
std::vector<std::string> real_path(const std::string &link)
{
	std::vector<std::string> names;
	char real[PATH_MAX];

	if (!realpath(link.c_str(), real))
		return names;
	std::string rest = real;
	for (size_t end; (end = rest.find_last_of('/')) != rest.npos; rest.resize(end))
		names.insert(names.begin(), rest.substr(end + 1));
	return names;
}

std::vector<std::string> entries(const std::string &path)
{
	std::vector<std::string> names;
	DIR *directory = opendir(path.c_str());

	if (!directory)
		return names;
	while (const struct dirent *entry = readdir(directory)) {
		if (entry->d_name[0] != '.')
			names.push_back(entry->d_name);
	}
	closedir(directory);
	std::sort(names.begin(), names.end());
	return names;
}

// virtio0 is only a name on the bus.
std::string device_of(const std::vector<std::string> &path)
{
	if (path.size() < 2)
		return unknown;
	const std::string &last = path.back();
	return last.starts_with("virtio") ? path[path.size() - 2] : last;
}

} // namespace

std::string DeviceNames::driver(const std::string &device) const
{
	if (sysfs_.empty())
		return unknown;
	for (const std::string &bus : entries(sysfs_ + "/bus")) {
		const std::vector<std::string> path =
			real_path(fmt::format("{}/bus/{}/devices/{}/driver", sysfs_, bus, device));

		if (!path.empty())
			return path.back();
	}
	return unknown;
}

std::string DeviceNames::virtio_parent(uint64_t number) const
{
	if (sysfs_.empty())
		return fmt::format("virtio{}", number);
	return device_of(real_path(fmt::format("{}/bus/virtio/devices/virtio{}", sysfs_, number)));
}

std::string DeviceNames::card(uint64_t number) const
{
	if (sysfs_.empty())
		return fmt::format("card{}", number);
	return device_of(real_path(fmt::format("{}/class/drm/card{}/device", sysfs_, number)));
}

std::vector<std::string> DeviceNames::all() const
{
	std::vector<std::string> devices;

	for (const std::string &node : entries(sysfs_ + "/class/drm")) {
		if (node.find('-') != node.npos)
			continue;
		const std::string device =
			device_of(real_path(fmt::format("{}/class/drm/{}/device", sysfs_, node)));
		if (device != unknown &&
		    std::find(devices.begin(), devices.end(), device) == devices.end())
			devices.push_back(device);
	}
	return devices;
}

} // namespace grtrace
