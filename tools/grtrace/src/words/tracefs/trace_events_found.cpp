// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/trace_events_found.h"

#include "words/tracefs/trace_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace grtrace {

namespace {

// Until 6.16 the DRM scheduler's events had other names, and there was one less.
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

// i915 only has these events if it was built with its low-level tracepoints, amdgpu only if
// it has user queues, and the others only kernels with our patches.
bool is_rare(TraceKind kind)
{
	switch (kind) {
	case TraceKind::i915_execute:
	case TraceKind::i915_out:
	case TraceKind::amdgpu_userq_fence:
	case TraceKind::amdgpu_userq_begins:
	case TraceKind::amdgpu_userq_state:
	case TraceKind::amdgpu_userq_ends:
	case TraceKind::amdgpu_userq_gone:
	case TraceKind::any_wait_start:
	case TraceKind::any_wait_end:
	case TraceKind::syncobj_wait_start:
	case TraceKind::syncobj_wait_end:
	case TraceKind::wedged:
		return true;
	default:
		return false;
	}
}

// Reasons to record an event, given by other events.
struct Reasons {
	bool old_sched = false; // jobs are named by an address
	bool amdgpu = false; // hardware fences can be recognized

	bool want(TraceKind kind) const
	{
		if (kind == TraceKind::amdgpu_ioctl)
			return old_sched;
		return kind != TraceKind::fence_init || old_sched || amdgpu;
	}
};

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
			   [&](const TraceEvent &event) { return &event.spec() == &spec; });
}

bool FoundEvents::has_any(TraceGroup group) const
{
	return std::any_of(events_.begin(), events_.end(), [group](const TraceEvent &event) {
		return event.spec().group == group;
	});
}

bool FoundEvents::has_kind(TraceKind kind) const
{
	return std::any_of(events_.begin(), events_.end(),
			   [kind](const TraceEvent &event) { return event.spec().kind == kind; });
}

bool FoundEvents::has_old_sched() const
{
	return has_kind(TraceKind::old_queue);
}

bool FoundEvents::parse(const TraceEventSpec &spec, const std::string &format,
			std::vector<std::string> *remarks)
{
	std::vector<std::string> missing;

	// If it cannot parse something, that is at most the print format of the event.
	tep_parse_event(tep_, format.c_str(), format.size(), spec.system);
	struct tep_event *parsed = tep_find_event_by_name(tep_, spec.system, spec.name);
	if (!parsed) {
		remarks->push_back(fmt::format("{}:{} is left out: its format cannot be read",
					       spec.system, spec.name));
		return false;
	}
	const TraceEvent event(spec, parsed, &missing);
	if (!missing.empty() && !event.is_usable())
		remarks->push_back(fmt::format("{}:{} is left out: it has no field {}", spec.system,
					       spec.name, fmt::join(missing, ", ")));
	if (event.is_usable())
		events_.push_back(event);
	return event.is_usable();
}

bool FoundEvents::parse_markers(const std::string &format)
{
	tep_parse_event(tep_, format.c_str(), format.size(), "ftrace");
	struct tep_event *parsed = tep_find_event_by_name(tep_, "ftrace", "print");
	if (parsed && tep_find_field(parsed, "buf"))
		markers_ = parsed;
	return markers_;
}

Status FoundEvents::find(const TraceInstance &instance, const TraceGroups &groups,
			 std::vector<std::string> *remarks)
{
	std::vector<TraceEvent> found;

	groups_ = groups;
	Status status = find_more(instance, &found, remarks);
	if (status.ok() && events_.empty())
		return Status::error(
			"this kernel has none of the GPU's trace events: neither gpu_scheduler nor "
			"dma_fence, virtio_gpu or i915 is in {}/events; load the GPU's driver, or "
			"use a kernel that was built with them",
			tracefs_tracing_dir());
	if (status.ok())
		remark_absence(remarks);
	return status;
}

Status FoundEvents::find_more(const TraceInstance &instance, std::vector<TraceEvent> *more,
			      std::vector<std::string> *remarks)
{
	Status status = Status();
	Reasons reasons;

	for (const TraceEventSpec &spec : trace_event_specs()) {
		bool *reason = is_old(spec.kind)                  ? &reasons.old_sched :
			       spec.kind == TraceKind::amdgpu_run ? &reasons.amdgpu :
								    nullptr;
		if (reason && !*reason)
			*reason = instance.has_event(spec.system, spec.name);
	}
	for (const TraceEventSpec &spec : trace_event_specs()) {
		std::string format;

		if (!groups_.has(spec.group) || !reasons.want(spec.kind) ||
		    std::find(seen_.begin(), seen_.end(), &spec) != seen_.end() ||
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
	const Reasons reasons = {old, has_kind(TraceKind::amdgpu_run)};
	std::vector<TraceSource> sources;

	for (const TraceEventSpec &spec : trace_event_specs()) {
		const bool found = has(spec);

		if (!found &&
		    (spec.group != TraceGroup::always || is_rare(spec.kind) ||
		     !reasons.want(spec.kind) || (old ? is_new(spec.kind) : is_old(spec.kind))))
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
			remarks->push_back(fmt::format("{}: {} of its {} events are there",
						       source.name, source.found, source.known));
	}
	if (!absent.empty())
		remarks->push_back(fmt::format(
			"not recorded, because these drivers are not loaded or have no events: {}",
			fmt::join(absent, ", ")));
	const std::pair<TraceGroup, const char *> asked[] = {{TraceGroup::sched, "--sched"},
							     {TraceGroup::vblank, "--vblank"}};
	for (const auto &[group, option] : asked)
		if (groups_.has(group) && !has_any(group))
			remarks->push_back(
				fmt::format("{}: this kernel has none of its events now", option));
}

std::vector<std::string> FoundEvents::untold() const
{
	std::vector<std::string> untold = {"results", has_kind(TraceKind::amdgpu_run) ?
							      "hardware_fences_but_of_amdgpu" :
							      "hardware_fences"};

	if (has_old_sched()) {
		untold.push_back("devices_of_drm_sched");
		untold.push_back("dependencies");
	}
	return untold;
}

} // namespace grtrace
