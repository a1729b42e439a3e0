// SPDX-License-Identifier: GPL-2.0
//
// A source is the module grtrace_<driver>, so no table of sources is needed: modprobe
// knows whether there is one for a driver.
#include "drive/control/sources.h"

#include "drive/control/control.h"
#include "drive/control/device.h"
#include "drive/control/views.h"
#include "format/byte_order.h"
#include "lib/run/command.h"

#include <drm/grtrace_drm.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace grtrace {

namespace {

// A source that several drivers share, and the module that it listens to. That module
// is not loaded only for its source.
struct SharedSource {
	const char *source;
	const char *module; // nullptr: the kernel itself
};

constexpr SharedSource shared_sources[] = {
	{"dma_fence", nullptr},
	{"drm_sched", "gpu_sched"},
	{"drm", "drm"},
};

// Tests set these variables.
std::string setting(const char *name, const char *otherwise)
{
	const char *value = secure_getenv(name);

	return value ? value : otherwise;
}

bool is_loaded(const std::string &module)
{
	const std::string modules = setting("GRTRACE_SYSFS_MODULE", "/sys/module");

	return !access(fmt::format("{}/{}", modules, module).c_str(), F_OK);
}

// Returns the driver that a link in sysfs points to, spelled as a module; empty without
// a link.
std::string driver_of(const char *link)
{
	char target[PATH_MAX];
	const ssize_t size = readlink(link, target, sizeof(target));

	if (size <= 0 || size == sizeof(target))
		return {};
	std::string name(target, size);
	name.erase(0, name.find_last_of('/') + 1);
	std::replace(name.begin(), name.end(), '-', '_');
	return name;
}

// Returns the drivers of the existing GPUs; a driver without a device has no node. On
// PCI the node's device has virtio-pci, and virtio-gpu drives a device below it.
std::set<std::string> bound_drivers()
{
	std::set<std::string> drivers;

	for (const char *place : {"device/driver", "device/virtio*/driver"}) {
		const std::string links = fmt::format("{}/*/{}", sysfs_drm(), place);
		glob_t found = {};

		// There are no links without DRM or without a GPU.
		if (glob(links.c_str(), 0, nullptr, &found) == 0)
			for (size_t i = 0; i < found.gl_pathc; i++)
				drivers.insert(driver_of(found.gl_pathv[i]));
		globfree(&found);
	}
	drivers.erase(std::string());
	return drivers;
}

std::set<std::string> wanted_sources()
{
	std::set<std::string> sources = bound_drivers();

	for (const SharedSource &shared : shared_sources)
		if (!shared.module || is_loaded(shared.module))
			sources.insert(shared.source);
	return sources;
}

// modprobe reports its errors itself; with -q a missing module is not an error.
void modprobe(const std::vector<std::string> &modules)
{
	std::vector<std::string> words = {setting("GRTRACE_MODPROBE", "modprobe"), "-q", "-a"};
	Command command;

	words.insert(words.end(), modules.begin(), modules.end());
	if (command.start(words).ok())
		command.wait();
}

} // namespace

void SourceModules::load()
{
	std::vector<std::string> modules;

	for (const std::string &source : wanted_sources()) {
		const std::string module = "grtrace_" + source;

		if (tried_.insert(module).second && !is_loaded(module))
			modules.push_back(module);
	}
	if (!modules.empty())
		modprobe(modules);
}

// Calls the function for the words of each line in the metadata.
static Status for_each_line(const Control &control,
			    const std::function<void(const std::vector<std::string> &words)> &fn)
{
	constexpr size_t head = sizeof(grtrace_rec_metadata);
	std::string bytes;
	const Status status = control.read("metadata", &bytes);
	const uint8_t *raw = reinterpret_cast<const uint8_t *>(bytes.data());

	for (size_t at = 0, size; at + head <= bytes.size(); at += size) {
		size = load16(raw + at + 2);
		if (size < head || at + size > bytes.size())
			break;
		if (load16(raw + at) != GRTRACE_METADATA)
			continue;
		for (const std::string &line : split(bytes.substr(at + head, size - head), '\n'))
			fn(split(line, ' '));
	}
	return status;
}

std::string module_version(const Control &control)
{
	std::string version;

	(void)for_each_line(control, [&version](const std::vector<std::string> &words) {
		if (words.size() >= 2 && words[0] == "module")
			version = words[1];
	});
	return version;
}

Status for_each_source(
	const Control &control,
	const std::function<void(const std::string &name, uint64_t found, uint64_t known)> &fn)
{
	return for_each_line(control, [&fn](const std::vector<std::string> &words) {
		uint64_t found, known;

		if (words.size() >= 4 && words[0] == "source" && parse_number(words[2], &found) &&
		    parse_number(words[3], &known))
			fn(words[1], found, known);
	});
}

Status unload_sources(const Control &control)
{
	std::vector<std::string> modules;
	Status status = for_each_source(
		control, [&modules](const std::string &name, uint64_t, uint64_t known) {
			// A source without tracepoints is a driver that calls the core.
			if (known && is_loaded("grtrace_" + name))
				modules.push_back("grtrace_" + name);
		});

	for (const std::string &module : modules) {
		// A source that is built in has no module to unload.
		if (!syscall(SYS_delete_module, module.c_str(), O_NONBLOCK) || errno == ENOENT)
			continue;
		if (status.ok())
			status =
				Status::error("{} cannot be unloaded: {}", module, strerror(errno));
	}
	return status;
}

} // namespace grtrace
