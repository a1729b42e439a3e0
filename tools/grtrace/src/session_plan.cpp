// SPDX-License-Identifier: GPL-2.0
#include "session_plan.h"

#include "capture_options.h"
#include "control.h"
#include "device.h"
#include "masks.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include <algorithm>

namespace grtrace {

namespace {

constexpr size_t kib = 1024;

// The devices grtrace has met, each once.
Status traced_devices(const Control &control, std::vector<std::string> *names)
{
	CsvTable rings;
	std::string text;
	Status status = control.read("rings", &text);

	if (!status.ok())
		return status;
	status = parse_csv(text, &rings);
	if (!status.ok())
		return Status::error("{}/rings: {}", control.directory(),
				     status.sentence());
	const auto column =
		std::find(rings.header.begin(), rings.header.end(), "device");
	if (column == rings.header.end())
		return Status::error("{}/rings: no column device",
				     control.directory());
	for (const std::vector<std::string> &row : rings.rows) {
		const std::string &name = row[column - rings.header.begin()];

		// A ring whose source knew no device has "?".
		if (name != "?" && std::find(names->begin(), names->end(),
					     name) == names->end())
			names->push_back(name);
	}
	return Status();
}

Status typed_devices(const CaptureOptions &options,
		     std::vector<std::string> *typed)
{
	Status status = Status();

	*typed = options.devices;
	for (const std::string &file : options.device_files) {
		if (status.ok())
			status = read_device_file(file, typed);
	}
	return status;
}

// One device or all: the kernel's filter knows no set of devices.
Status plan_devices(const Control &control, const CaptureOptions &options,
		    SessionPlan *plan)
{
	std::vector<std::string> typed, traced;
	DeviceTable table;
	std::string wanted = "all";
	Status status = typed_devices(options, &typed);

	if (!status.ok())
		return status;
	plan->name = typed.empty() ? "all" : file_name_of(typed[0]);
	if (!typed.empty()) {
		status = traced_devices(control, &traced);
		if (status.ok())
			status = table.load(sysfs_drm(), traced);
	}
	for (size_t i = 0; i < typed.size() && status.ok(); i++) {
		std::string name = "all";

		if (typed[i] != "all")
			status = table.resolve(typed[i], &name);
		if (status.ok() && i > 0 && name != wanted)
			status = Status::error(
				"{} and {} are two devices: a session records "
				"one device or, without -d, all of them",
				typed[0], typed[i]);
		wanted = name;
	}
	plan->settings.emplace_back("filter_device", wanted);
	return status;
}

} // namespace

Status plan_session(const Control &control, const CaptureOptions &options,
		    SessionPlan *plan)
{
	std::vector<NamedText> &settings = plan->settings;
	Status status = plan_devices(control, options, plan);

	settings.emplace_back("subbuf_size",
			      fmt::format("{}", options.subbuf_kib * kib));
	settings.emplace_back("n_subbufs",
			      fmt::format("{}", options.n_subbufs));
	if (!options.mode.empty())
		settings.emplace_back("mode", options.mode);
	if (!options.order.empty())
		settings.emplace_back("order", options.order);
	if (options.type_mask)
		settings.emplace_back("filter_type_mask",
				      fmt::format("{:#x}", *options.type_mask));
	if (options.engine_mask)
		settings.emplace_back(
			"filter_engine_mask",
			fmt::format("{:#x}", *options.engine_mask));
	if (options.ring)
		settings.emplace_back("filter_ring_id",
				      fmt::format("{}", *options.ring));
	return status;
}

namespace {

// Adds a mask of the configuration that keeps out some of @all.
void note_mask(const std::vector<NamedText> &config, const char *key,
	       uint64_t all, std::string *narrowed)
{
	const std::string *text = find_named(config, key);
	uint64_t mask = 0;

	// 0 lets nothing pass, and is no mask to parse_hex_mask().
	if (!text || (parse_hex_mask(*text, &mask).ok() && (mask & all) == all))
		return;
	*narrowed += fmt::format(" {}={}", key, *text);
}

} // namespace

Status read_session_config(const Control &control,
			   const CaptureOptions &options,
			   SessionConfig *session)
{
	std::string text;
	Status status = control.read("config", &text);
	const std::vector<NamedText> config = parse_named(text, '=');
	const std::string *mode = find_named(config, "mode");
	const std::string *ring = find_named(config, "filter_ring_id");
	const std::string *device = find_named(config, "filter_device");

	if (device)
		session->device = *device;
	session->overwrite = mode && *mode == "overwrite";
	session->subbuf_bytes = named_number(config, "subbuf_size");
	if (session->overwrite && options.mode.empty())
		session->narrowed += " mode=overwrite";
	if (!options.ring && ring && *ring != "0")
		session->narrowed += " filter_ring_id=" + *ring;
	if (!options.type_mask)
		note_mask(config, "filter_type_mask", known_events(),
			  &session->narrowed);
	if (!options.engine_mask)
		note_mask(config, "filter_engine_mask",
			  (uint64_t(1) << GRTRACE_CLASS_COUNT) - 1,
			  &session->narrowed);
	return status;
}

} // namespace grtrace
