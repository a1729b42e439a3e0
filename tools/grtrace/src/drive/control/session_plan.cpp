// SPDX-License-Identifier: GPL-2.0
//
// The user types names of devices and rings, but the kernel filters by number. Names are
// looked up once, before anything is changed, so that a typing error changes nothing.
#include "drive/control/session_plan.h"

#include "drive/control/capture_options.h"
#include "drive/control/config_keys.h"
#include "drive/control/control.h"
#include "drive/control/device.h"
#include "drive/control/sources.h"
#include "format/silence.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace grtrace {

namespace {

struct TracedRing {
	std::string id;
	std::string device;
	std::string name;
};

// Reads the rings that grtrace knows.
Status traced_rings(const Control &control, std::vector<TracedRing> *rings)
{
	CsvTable table;
	std::string text;
	size_t id = 0, device = 0, name = 0;
	Status status = control.read("rings", &text);

	if (!status.ok())
		return status;
	status = parse_csv(text, &table);
	for (const auto &[column, at] :
	     {std::pair("id", &id), {"device", &device}, {"name", &name}})
		if (status.ok())
			status = table.find(column, at);
	if (!status.ok())
		return Status::error("{}/rings: {}", control.directory(), status.sentence());
	for (const std::vector<std::string> &row : table.rows)
		rings->push_back({row[id], row[device], row[name]});
	return status;
}

// Adds the text unless it is already there.
void add_once(const std::string &text, std::vector<std::string> *list)
{
	if (std::find(list->begin(), list->end(), text) == list->end())
		list->push_back(text);
}

// Reads the devices that grtrace knows, each once.
Status traced_devices(const Control &control, std::vector<std::string> *names)
{
	std::vector<TracedRing> rings;
	Status status = traced_rings(control, &rings);

	for (const TracedRing &ring : rings) {
		// If the source knew no device, it is "?".
		if (ring.device != "?")
			add_once(ring.device, names);
	}
	return status;
}

std::string join(const std::vector<std::string> &words, const char *separator)
{
	return fmt::format("{}", fmt::join(words, separator));
}

Status plan_devices(const Control &control, const CaptureOptions &options, SessionPlan *plan)
{
	std::vector<std::string> typed = options.devices, traced, names, files;
	DeviceTable table;
	Status status;

	for (const std::string &file : options.device_files)
		if (status.ok())
			status = read_device_file(file, &typed);
	if (!status.ok() || typed.empty())
		return status;
	status = traced_devices(control, &traced);
	if (status.ok())
		status = table.load(sysfs_drm(), traced);
	for (size_t i = 0; i < typed.size() && status.ok(); i++) {
		std::string name = "all";

		if (typed[i] != "all")
			status = table.resolve(typed[i], &name);
		add_once(name, &names);
		add_once(file_name_of(typed[i]), &files);
	}
	// "all" includes every device.
	if (std::find(names.begin(), names.end(), "all") != names.end())
		names = files = {"all"};
	plan->name = join(files, "+");
	plan->settings.emplace_back("filter_device", join(names, ","));
	return status;
}

// Returns the ids of a ring as typed: the id itself, or those of the rings with that
// name.
Status ring_ids(const std::vector<TracedRing> &rings, const std::string &typed,
		std::vector<std::string> *ids)
{
	std::string list;
	bool found = false;
	uint64_t id;

	if (parse_number(typed, &id)) {
		add_once(fmt::format("{}", id), ids);
		return Status();
	}
	for (const TracedRing &ring : rings) {
		list += fmt::format(", {} ({})", ring.name, ring.id);
		if (ring.name != typed)
			continue;
		add_once(ring.id, ids);
		found = true;
	}
	if (found)
		return Status();
	if (list.empty())
		return Status::error("there is no ring '{}': no ring is known yet; a driver's "
				     "rings appear with its first job",
				     typed);
	return Status::error("there is no ring '{}'; there are: {}", typed, list.substr(2));
}

// Returns the bits of filter_ring_mask for these ids, or 0 if one has no bit.
uint64_t ring_mask(const std::vector<std::string> &ids)
{
	uint64_t mask = 0;

	for (const std::string &text : ids) {
		uint64_t id;

		if (!parse_number(text, &id) || id >= 64)
			return 0;
		mask |= uint64_t(1) << id;
	}
	return mask;
}

void set_list(const char *which, const std::vector<std::string> &numbers, SessionPlan *plan)
{
	plan->settings.emplace_back(fmt::format("watch_{}_clear", which), "1");
	plan->settings.emplace_back(fmt::format("watch_{}_add", which), join(numbers, ","));
}

// Several rings become a mask, which every event has to pass. If an id has no bit in the
// mask, a watchlist is used instead, but that is only one of several lists.
Status plan_rings(const Control &control, const CaptureOptions &options, SessionPlan *plan)
{
	std::vector<TracedRing> rings;
	std::vector<std::string> ids;
	Status status = Status();

	if (options.rings.empty())
		return status;
	status = traced_rings(control, &rings);
	for (const std::string &typed : options.rings) {
		if (status.ok())
			status = ring_ids(rings, typed, &ids);
	}
	if (!status.ok())
		return status;
	if (ids.size() == 1) {
		plan->settings.emplace_back("filter_ring_id", ids[0]);
		return status;
	}
	if (std::find(ids.begin(), ids.end(), "0") != ids.end())
		return Status::error("ring 0 means all rings and cannot be combined with others");
	const uint64_t mask = ring_mask(ids);
	if (mask) {
		plan->settings.emplace_back("filter_ring_mask", fmt::format("{:#x}", mask));
		return status;
	}
	const std::string *combine = find_named(options.settings, "watch_combine");
	if ((!options.contexts.empty() || !options.pids.empty()) && !(combine && *combine == "and"))
		return Status::error("several rings, one of them with an id above 63, can be "
				     "combined with --ctx or --pid only if --combine=and is given");
	set_list("ring", ids, plan);
	return status;
}

} // namespace

Status plan_session(const Control &control, const CaptureOptions &options, SessionPlan *plan)
{
	Status status = plan_devices(control, options, plan);

	if (status.ok())
		status = plan_rings(control, options, plan);
	if (options.type_mask)
		plan->settings.emplace_back("filter_type_mask",
					    fmt::format("{:#x}", *options.type_mask));
	if (!options.contexts.empty())
		set_list("ctx", options.contexts, plan);
	if (!options.pids.empty())
		set_list("pid", options.pids, plan);
	plan->settings.insert(plan->settings.end(), options.settings.begin(),
			      options.settings.end());
	return status;
}

Status read_session_config(const Control &control, const std::vector<NamedText> &given,
			   SessionConfig *session)
{
	std::string text;
	Status status = control.read("config", &text);
	const std::vector<NamedText> config = parse_named(text, '=');
	const std::string *mode = find_named(config, "mode");
	const std::string *device = find_named(config, "filter_device");
	const std::string *triggers = find_named(config, "snapshot_on");

	if (device)
		session->device = *device;
	session->overwrite = mode && *mode == "overwrite";
	session->has_triggers = triggers && *triggers != "none";
	session->subbuf_bytes = named_number(config, "subbuf_size");
	for (const ConfigKey &key : config_keys()) {
		const std::string *value = find_named(config, key.name);

		if (key.narrows && value && !is_default(key, *value) &&
		    !find_named(given, key.name))
			session->narrowed += fmt::format(" {}={}", key.name, *value);
	}
	return status;
}

Status read_sources(const Control &control, Silence *silence)
{
	return for_each_source(control,
			       [silence](const std::string &name, uint64_t found, uint64_t known) {
				       silence->add(name, found, known);
			       });
}

std::string capture_name(const std::string &device)
{
	std::vector<std::string> names;

	for (const std::string &name : split(device, ','))
		names.push_back(file_name_of(name));
	return join(names, "+");
}

} // namespace grtrace
