// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/trace_plan.h"

#include "drive/control/capture_options.h"
#include "drive/control/config_keys.h"
#include "drive/control/device.h"
#include "words/translate/device_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace grtrace {

namespace {

// The types that level=normal records, as in the module.
constexpr uint64_t normal_types =
	1ull << GRTRACE_SUBMIT | 1ull << GRTRACE_PICK | 1ull << GRTRACE_COMMIT |
	1ull << GRTRACE_START | 1ull << GRTRACE_END | 1ull << GRTRACE_COMPLETE |
	1ull << GRTRACE_FENCE | 1ull << GRTRACE_QUEUE | 1ull << GRTRACE_ERROR;

constexpr struct {
	const char *name;
	uint32_t id;
} clocks[] = {
	{"mono", GRTRACE_CLOCK_MONOTONIC},
	{"boot", GRTRACE_CLOCK_BOOTTIME},
};

Status refuse(const std::string &what, const char *instead)
{
	return Status::error(
		"{} needs the kernel module and is not possible with --source tracefs: {}", what,
		instead);
}

// Handles options that are keys of the module's configuration.
Status plan_setting(const NamedText &setting, TracePlan *plan)
{
	const auto &[key, value] = setting;
	uint64_t number = 0;

	if (key == "mode") {
		plan->live = value != "overwrite";
	} else if (key == "level") {
		plan->filter.types &= value == "off"    ? 0 :
				      value == "normal" ? normal_types :
							  UINT64_MAX;
	} else if (key == "clock") {
		for (const auto &clock : clocks) {
			if (value == clock.name)
				plan->clock_id = clock.id;
		}
		plan->clock = value;
	} else if (key == "subbuf_size" && parse_config_number(value, &number)) {
		plan->subbuf_kib = number / 1024;
	} else if (key == "n_subbufs" && parse_config_number(value, &number)) {
		plan->subbufs = number;
	} else if (key == "filter_engine_mask" && parse_config_number(value, &number)) {
		plan->filter.engines = number;
	} else if (key == "watch_allow_mode" || key == "watch_combine") {
		return refuse("choosing jobs by context or process",
			      "record all, and let grparse choose");
	} else {
		return refuse(fmt::format("'{}'", key),
			      "every event of the kernel is recorded; leave the option out, or "
			      "load the module (modprobe grtrace)");
	}
	return Status();
}

Status plan_rings(const CaptureOptions &options, TracePlan *plan)
{
	for (const std::string &ring : options.rings) {
		uint64_t id;

		if (parse_number(ring, &id) && id)
			return Status::error("--ring {}: with --source tracefs name the ring, "
					     "because ids are only known after its first job",
					     ring);
		if (ring != "0")
			plan->filter.rings.push_back(ring);
	}
	return Status();
}

Status plan_devices(const CaptureOptions &options, const DeviceNames &devices, TracePlan *plan)
{
	std::vector<std::string> typed = options.devices;
	DeviceTable table;
	Status status = Status();

	for (const std::string &file : options.device_files) {
		if (status.ok())
			status = read_device_file(file, &typed);
	}
	if (status.ok() && !typed.empty())
		status = table.load(sysfs_drm(), devices.all());
	plan->name = "all";
	for (const std::string &one : typed) {
		std::string device;

		if (!status.ok() || one == "all")
			continue;
		status = table.resolve(one, &device);
		plan->name = plan->filter.devices.empty() ? file_name_of(one) :
							    plan->name + "+" + file_name_of(one);
		plan->filter.devices.push_back(device);
	}
	if (std::find(typed.begin(), typed.end(), "all") != typed.end()) {
		plan->filter.devices.clear();
		plan->name = "all";
	}
	return status;
}

} // namespace

Status plan_trace(const CaptureOptions &options, const DeviceNames &devices, TracePlan *plan)
{
	Status status = Status();

	if (!options.contexts.empty() || !options.pids.empty())
		return refuse("choosing jobs by context or process",
			      "record all, and let grparse choose");
	if (options.max_size || options.keep)
		return refuse("--max-size", "record for some time (-w), again and again");
	if (options.type_mask)
		plan->filter.types = *options.type_mask;
	for (const NamedText &setting : options.settings) {
		if (status.ok())
			status = plan_setting(setting, plan);
	}
	if (status.ok())
		status = plan_rings(options, plan);
	if (status.ok())
		status = plan_devices(options, devices, plan);
	plan->groups = {options.sched, options.vblank};
	return status;
}

} // namespace grtrace
