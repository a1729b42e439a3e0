// SPDX-License-Identifier: GPL-2.0
//
// Names and arguments are facts of gpu_ext's nv-gpu-sched-hooks.c. Fields of its
// structures are found by the module's own BTF or not at all.
#include "words/monitor/nvidia_sched_monitor.h"

namespace grtrace {

namespace {

constexpr const char *group = "grtrace_nvidia";

enum SchedProbe : size_t {
	probe_init,
	probe_schedule,
	probe_bind,
	probe_token,
	probe_destroy,
};

enum SchedColumn : size_t {
	column_tsgs,
	column_scheduled,
	column_refused,
	column_tokens,
	column_destroyed,
};

// The probe itself names these fields.
const std::vector<const char *> schedule_fields = {"tsg", "channels", "timeslice_us", "interleave",
						   "allowed"};
constexpr const char *schedule_arguments =
	"tsg=ctx->tsg_id channels=ctx->channel_count timeslice_us=ctx->timeslice_us "
	"interleave=ctx->interleave_level allowed=ctx->allow";
constexpr size_t field_allowed = 4;

// Names in gpu_ext: the "engine" of a TSG that is created, and levels of interleaving.
constexpr const char *engines[] = {"GRAPHICS", "COPY", "NVDEC", "NVENC"};
constexpr const char *levels[] = {"LOW", "MEDIUM", "HIGH"};

MonitorCell name_in(std::span<const char *const> names, uint64_t number)
{
	return number < names.size() ? MonitorCell(names[number]) :
				       MonitorCell(fmt::format("UNKNOWN({})", number));
}

// Returns a field of a TSG's event in the form in which gpu_ext prints it.
MonitorCell shown_field(std::string_view name, const MonitorEvent &event, size_t field)
{
	if (!event.has(field))
		return {};
	if (name == "engine")
		return name_in(engines, event.number(field));
	if (name == "interleave")
		return name_in(levels, event.number(field));
	if (name == "allowed")
		return event.number(field) ? "yes" : "no";
	return event.number(field);
}

const ProbeSpec sched_specs[] = {
	{group,
	 "task_init",
	 {"tsg", "engine", "timeslice_us", "interleave", "runlist"},
	 "TSGs that are made",
	 nullptr,
	 "nv_gpu_sched_task_init",
	 "tsg=ctx->tsg_id engine=ctx->engine_type timeslice_us=ctx->default_timeslice "
	 "interleave=ctx->default_interleave runlist=ctx->runlist_id"},
	{group, "schedule", schedule_fields, "TSGs on their runlist", "bind",
	 "nv_gpu_sched_schedule", schedule_arguments},
	{group, "bind", schedule_fields, "TSGs on their runlist", "schedule", "nv_gpu_sched_bind",
	 schedule_arguments},
	{group,
	 "work_submit",
	 {"tsg", "channel", "token", "gpu"},
	 "work submit tokens",
	 nullptr,
	 "nv_gpu_sched_token_request",
	 "tsg=ctx->tsg_id channel=ctx->channel_id token=ctx->token gpu=ctx->gpu_instance"},
	{group,
	 "task_destroy",
	 {"tsg"},
	 "TSGs that are destroyed",
	 nullptr,
	 "nv_gpu_sched_task_destroy",
	 "tsg=ctx->tsg_id"},
};

} // namespace

NvidiaSchedMonitor::NvidiaSchedMonitor(const MonitorFilter &filter)
	: filter_(filter),
	  processes_("processes", {"tsgs", "scheduled", "refused", "tokens", "destroyed"})
{
}

std::span<const ProbeSpec> NvidiaSchedMonitor::probes()
{
	return sched_specs;
}

bool NvidiaSchedMonitor::take(const MonitorEvent &event, EventDetails *details)
{
	static constexpr uint64_t Counts::*counts[] = {&Counts::made, &Counts::scheduled,
						       &Counts::scheduled, &Counts::tokens,
						       &Counts::destroyed};
	static constexpr SchedColumn columns[] = {column_tsgs, column_scheduled, column_scheduled,
						  column_tokens, column_destroyed};
	const ProbeSpec &spec = sched_specs[event.probe];

	if (!filter_.wants_task(event.pid))
		return false;
	counts_.add(counts[event.probe]);
	processes_.add(filter_, event.pid, columns[event.probe]);
	if (columns[event.probe] == column_scheduled && event.has(field_allowed) &&
	    !event.number(field_allowed))
		processes_.add(filter_, event.pid, column_refused);
	for (size_t i = 0; details && i < spec.fields.size(); i++)
		details->emplace_back(spec.fields[i], shown_field(spec.fields[i], event, i));
	return true;
}

// The statistics of gpu_ext, under its names.
std::vector<MonitorTable> NvidiaSchedMonitor::tables(double, bool all) const
{
	const Counts &counts = counts_.of(all);

	return {processes_.table(all),
		{"statistics",
		 {"task_init", "schedule", "work_submit", "task_destroy", "dropped"},
		 {{counts.made, counts.scheduled, counts.tokens, counts.destroyed, lost()}}}};
}

void NvidiaSchedMonitor::next_interval()
{
	processes_.next_interval();
	counts_.now = {};
}

} // namespace grtrace
