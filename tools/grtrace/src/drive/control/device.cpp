// SPDX-License-Identifier: GPL-2.0
//
// A GPU has several names (a node, a link to it, a PCI address), and a source uses the name
// that the driver gave it. The devices on the path to a node in sysfs connect them.
#include "drive/control/device.h"

#include "drive/control/views.h"

#include <dirent.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace grtrace {

namespace {

// Returns the devices on the path to a DRM node, without the root of the bus. It is
// empty for nodes without a device: connectors point back to their card.
std::vector<std::string> device_path(const std::string &node)
{
	char real[PATH_MAX];

	if (!realpath((node + "/device").c_str(), real))
		return {};
	std::vector<std::string> path = split(real, '/');
	const auto devices = std::find(path.begin(), path.end(), "devices");
	if (devices != path.end())
		path.erase(path.begin(), devices + 1);
	return path;
}

bool is_node(std::string_view name)
{
	return (name.starts_with("card") || name.starts_with("renderD")) &&
	       name.find('-') == std::string_view::npos;
}

std::string last_part(const std::string &path)
{
	return path.substr(path.find_last_of('/') + 1);
}

} // namespace

std::string sysfs_drm()
{
	const char *value = secure_getenv("GRTRACE_SYSFS_DRM");

	return value ? value : "/sys/class/drm";
}

Status DeviceTable::load(const std::string &sysfs_drm, const std::vector<std::string> &traced)
{
	DIR *directory = opendir(sysfs_drm.c_str());

	nodes_.clear();
	traced_ = traced;
	if (!directory) {
		if (errno == ENOENT) // the kernel has no DRM, or there is no GPU
			return Status();
		return Status::error("{}: {}", sysfs_drm, strerror(errno));
	}
	while (const struct dirent *entry = readdir(directory)) {
		if (!is_node(entry->d_name))
			continue;
		Node node = {entry->d_name, device_path(sysfs_drm + "/" + entry->d_name)};
		if (!node.path.empty())
			nodes_.push_back(std::move(node));
	}
	closedir(directory);
	std::sort(nodes_.begin(), nodes_.end(),
		  [](const Node &a, const Node &b) { return a.file < b.file; });
	return Status();
}

bool DeviceTable::is_traced(const std::string &name) const
{
	return std::find(traced_.begin(), traced_.end(), name) != traced_.end();
}

// A source names a ring's device as the driver does: usually the device that the node
// belongs to, sometimes one above it.
const std::string &DeviceTable::kernel_name(const Node &node) const
{
	for (const std::string &name : node.path) {
		if (is_traced(name))
			return name;
	}
	return node.path.back();
}

Status DeviceTable::resolve(const std::string &typed, std::string *name) const
{
	const std::string wanted = last_part(typed);

	for (const Node &node : nodes_) {
		const auto has = [&node](const std::string &part) {
			return std::find(node.path.begin(), node.path.end(), part) !=
			       node.path.end();
		};

		// lspci omits the domain if there is only one.
		if (wanted == node.file || has(wanted) || has("0000:" + wanted)) {
			*name = kernel_name(node);
			return Status();
		}
	}
	if (is_traced(wanted)) {
		*name = wanted;
		return Status();
	}
	return Status::error("there is no device '{}'; {}", typed, list());
}

std::vector<std::string> DeviceTable::names() const
{
	std::vector<std::string> names;

	for (const Node &node : nodes_)
		names.push_back(fmt::format("{} {}", node.file, fmt::join(node.path, " ")));
	return names;
}

std::vector<std::string> node_names()
{
	DeviceTable table;

	return table.load(sysfs_drm(), {}).ok() ? table.names() : std::vector<std::string>();
}

std::string DeviceTable::list() const
{
	std::string text;

	for (const Node &node : nodes_)
		text += fmt::format(", {} ({})", node.file, kernel_name(node));
	for (const std::string &name : traced_)
		text += fmt::format(", {}", name);
	if (text.empty())
		return "this machine has none";
	return "there are: " + text.substr(2);
}

Status read_device_file(const std::string &path, std::vector<std::string> *devices)
{
	FILE *file = fopen(path.c_str(), "re");
	char *line = nullptr;
	size_t size = 0;

	if (!file)
		return Status::error("{}: {}", path, strerror(errno));
	while (getline(&line, &size, file) > 0) {
		line[strcspn(line, "#\n")] = '\0';
		char *rest = line;
		while (const char *word = strsep(&rest, " \t\r")) {
			if (*word)
				devices->push_back(word);
		}
	}
	const bool failed = ferror(file);
	free(line);
	fclose(file);
	if (failed)
		return Status::error("{}: cannot be read", path);
	return Status();
}

std::string file_name_of(const std::string &typed)
{
	std::string name = last_part(typed);

	std::replace(name.begin(), name.end(), ':', '-');
	return name;
}

} // namespace grtrace
