// SPDX-License-Identifier: GPL-2.0
#include "tracefs/trace_events_found.h"

#include "tracefs/trace_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace grtrace {

namespace {

// The DRM scheduler's events had other names, and one less, until 6.16.
bool is_old(TraceKind kind)
{
	switch (kind) {
	case TraceKind::old_queue:
	case TraceKind::old_wait:
	case TraceKind::old_run:
	case TraceKind::old_done:
		return true;
	default:
		return false;
	}
}

bool is_new(TraceKind kind)
{
	switch (kind) {
	case TraceKind::sched_queue:
	case TraceKind::sched_dep:
	case TraceKind::sched_blocked:
	case TraceKind::sched_run:
	case TraceKind::sched_done:
		return true;
	default:
		return false;
	}
}

// i915 has them only if it was built with its low-level tracepoints.
bool is_rare(TraceKind kind)
{
	return kind == TraceKind::i915_execute || kind == TraceKind::i915_out;
}

// Only needed to know jobs by, where they are named by an address.
bool is_for_old(TraceKind kind)
{
	return kind == TraceKind::fence_init || kind == TraceKind::amdgpu_ioctl;
}

TraceSource &source_of(std::vector<TraceSource> *sources, const char *name)
{
	for (TraceSource &source : *sources) {
		if (source.name == name)
			return source;
	}
	return sources->emplace_back(TraceSource{name, 0, 0});
}

} // namespace

FoundEvents::FoundEvents() : tep_(tep_alloc()) {}

FoundEvents::~FoundEvents()
{
	tep_free(tep_);
}

bool FoundEvents::has(const TraceEventSpec &spec) const
{
	return std::any_of(events_.begin(), events_.end(),
			   [&](const TraceEvent &event) {
				   return &event.spec() == &spec;
			   });
}

bool FoundEvents::has_any(TraceGroup group) const
{
	return std::any_of(events_.begin(), events_.end(),
			   [group](const TraceEvent &event) {
				   return event.spec().group == group;
			   });
}

bool FoundEvents::has_old_sched() const
{
	return std::any_of(
		events_.begin(), events_.end(), [](const TraceEvent &event) {
			return event.spec().kind == TraceKind::old_queue;
		});
}

bool FoundEvents::parse(const TraceEventSpec &spec, const std::string &format,
			std::vector<std::string> *remarks)
{
	std::vector<std::string> missing;

	// What it cannot parse is how the event would be printed, if anything.
	tep_parse_event(tep_, format.c_str(), format.size(), spec.system);
	struct tep_event *parsed =
		tep_find_event_by_name(tep_, spec.system, spec.name);
	if (!parsed) {
		remarks->push_back(fmt::format("{}:{} is left out: its format "
					       "cannot be read",
					       spec.system, spec.name));
		return false;
	}
	const TraceEvent event(spec, parsed, &missing);
	if (!missing.empty() && !event.is_usable())
		remarks->push_back(fmt::format(
			"{}:{} is left out: it has no field {}", spec.system,
			spec.name, fmt::join(missing, ", ")));
	if (event.is_usable())
		events_.push_back(event);
	return event.is_usable();
}

Status FoundEvents::find(const TraceInstance &instance,
			 const TraceGroups &groups,
			 std::vector<std::string> *remarks)
{
	std::vector<TraceEvent> found;

	groups_ = groups;
	Status status = find_more(instance, &found, remarks);
	if (status.ok() && events_.empty())
		return Status::error(
			"this kernel has none of the GPU's trace events: "
			"neither gpu_scheduler nor dma_fence, virtio_gpu or "
			"i915 is in {}/events; load the GPU's driver, or it "
			"was built without them",
			tracefs_tracing_dir());
	if (status.ok())
		remark_absence(remarks);
	return status;
}

Status FoundEvents::find_more(const TraceInstance &instance,
			      std::vector<TraceEvent> *more,
			      std::vector<std::string> *remarks)
{
	Status status = Status();
	bool old = false;

	for (const TraceEventSpec &spec : trace_event_specs())
		old = old || (is_old(spec.kind) &&
			      instance.has_event(spec.system, spec.name));
	for (const TraceEventSpec &spec : trace_event_specs()) {
		std::string format;

		if (!groups_.has(spec.group) ||
		    (is_for_old(spec.kind) && !old) ||
		    std::find(seen_.begin(), seen_.end(), &spec) !=
			    seen_.end() ||
		    !instance.has_event(spec.system, spec.name))
			continue;
		seen_.push_back(&spec);
		status = instance.format(spec.system, spec.name, &format);
		if (status.ok() && parse(spec, format, remarks)) {
			status = instance.enable(spec.system, spec.name);
			more->push_back(events_.back());
		}
		if (!status.ok())
			return status;
	}
	return status;
}

std::vector<TraceSource> FoundEvents::sources() const
{
	const bool old = has_old_sched();
	std::vector<TraceSource> sources;

	for (const TraceEventSpec &spec : trace_event_specs()) {
		const bool found = has(spec);

		if (!found &&
		    (spec.group != TraceGroup::always || is_rare(spec.kind) ||
		     (is_for_old(spec.kind) && !old) ||
		     (old ? is_new(spec.kind) : is_old(spec.kind))))
			continue;
		TraceSource &source = source_of(&sources, spec.source);
		source.known++;
		source.found += found;
	}
	return sources;
}

void FoundEvents::remark_absence(std::vector<std::string> *remarks) const
{
	std::vector<std::string> absent;

	for (const TraceSource &source : sources()) {
		if (!source.found)
			absent.push_back(source.name);
		else if (source.found < source.known)
			remarks->push_back(fmt::format(
				"{}: {} of its {} events are there",
				source.name, source.found, source.known));
	}
	if (!absent.empty())
		remarks->push_back(fmt::format(
			"not recorded, as these drivers are not loaded or have "
			"no events: {}",
			fmt::join(absent, ", ")));
	const std::pair<TraceGroup, const char *> asked[] = {
		{TraceGroup::sched, "--sched"},
		{TraceGroup::vblank, "--vblank"},
		{TraceGroup::memory, "--memory"},
		{TraceGroup::power, "--power"}};
	for (const auto &[group, option] : asked)
		if (groups_.has(group) && !has_any(group))
			remarks->push_back(fmt::format(
				"{}: this kernel has none of its events now",
				option));
}

std::vector<std::string> FoundEvents::untold() const
{
	std::vector<std::string> untold = {"results", "hardware_fences"};

	if (has_old_sched()) {
		untold.push_back("devices_of_drm_sched");
		untold.push_back("dependencies");
	}
	return untold;
}

} // namespace grtrace
