// SPDX-License-Identifier: GPL-2.0
//
// Names and arguments are facts of the open modules: kernel-open/nvidia/nv.c,
// nv-mmap.c and nv-tracepoint.h; of gpu_ext, nv-gpu-sched-hooks.c. Fields of
// its structures are found by the module's own BTF or not at all.
#include "words/monitor/nvidia_monitor.h"

namespace grtrace {

namespace {

constexpr const char *group = "grtrace_nvidia";

enum Probe : size_t {
	probe_open,
	probe_close,
	probe_mmap,
	probe_ioctl,
	probe_poll,
	probe_isr,
	probe_xid,
};

enum XidField : size_t { xid_device, xid_code, xid_message };

const ProbeSpec specs[] = {
	{group, "open", {}, "who opens a device", nullptr, "nvidia_open", ""},
	{group, "close", {}, "who closes a device", nullptr, "nvidia_close", ""},
	{group, "mmap", {}, "who maps memory", nullptr, "nvidia_mmap", ""},
	// long (struct file *, unsigned int cmd, unsigned long)
	{group, "ioctl", {"cmd"}, "ioctls", nullptr, "nvidia_unlocked_ioctl", "cmd=$arg2:u32"},
	{group, "poll", {}, "who waits", nullptr, "nvidia_poll", ""},
	{group, "isr", {}, "interrupts", nullptr, "nvidia_isr", ""},
	{"nvidia",
	 "nvidia_dev_xid",
	 {"dev", "error_code", "msg"},
	 "Xid errors (the kernel log has them)"},
};

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

// The names of the fields are the probe's own.
const std::vector<const char *> schedule_fields = {"tsg", "channels", "timeslice_us", "interleave",
						   "allowed"};
constexpr const char *schedule_arguments =
	"tsg=ctx->tsg_id channels=ctx->channel_count timeslice_us=ctx->timeslice_us "
	"interleave=ctx->interleave_level allowed=ctx->allow";
constexpr size_t field_allowed = 4;

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
	 {"tsg", "channel", "token"},
	 "work submit tokens",
	 nullptr,
	 "nv_gpu_sched_token_request",
	 "tsg=ctx->tsg_id channel=ctx->channel_id token=ctx->token"},
	{group,
	 "task_destroy",
	 {"tsg"},
	 "TSGs that are destroyed",
	 nullptr,
	 "nv_gpu_sched_task_destroy",
	 "tsg=ctx->tsg_id"},
};

} // namespace

NvidiaMonitor::NvidiaMonitor(const MonitorFilter &filter)
	: filter_(filter), processes_("processes", {"opens", "closes", "mmaps", "ioctls", "polls"})
{
}

std::span<const ProbeSpec> NvidiaMonitor::probes()
{
	return specs;
}

bool NvidiaMonitor::take(const MonitorEvent &event, EventDetails *details)
{
	if (event.probe == probe_isr) {
		interrupts_.add(&Interrupts::isr);
		return true;
	}
	if (event.probe == probe_xid) {
		Errors &errors =
			errors_[{std::string(event.text(xid_device)), event.number(xid_code)}];

		errors.count++;
		errors.last = event.text(xid_message);
		if (details)
			*details = {{"dev", event.text(xid_device)},
				    {"xid", event.number(xid_code)},
				    {"msg", errors.last}};
		return true;
	}
	if (!filter_.wants_task(event.pid))
		return false;
	processes_.add(filter_, event.pid, event.probe);
	if (details && event.probe == probe_ioctl && event.has(0))
		details->emplace_back("cmd", fmt::format("{:#x}", event.number(0)));
	return true;
}

std::vector<MonitorTable> NvidiaMonitor::tables(double, bool all) const
{
	MonitorTable xids = {"xids", {"dev", "xid", "count", "last"}, {}};

	for (const auto &[of, errors] : errors_)
		xids.rows.push_back({of.first, of.second, errors.count, errors.last});
	return {processes_.table(all), {"interrupts", {"isr"}, {{interrupts_.of(all).isr}}}, xids};
}

void NvidiaMonitor::next_interval()
{
	processes_.next_interval();
	interrupts_.now = {};
}

NvidiaSchedMonitor::NvidiaSchedMonitor(const MonitorFilter &filter)
	: filter_(filter), processes_("processes", {"tsgs", "scheduled", "refused", "tokens", "destroyed"})
{
}

std::span<const ProbeSpec> NvidiaSchedMonitor::probes()
{
	return sched_specs;
}

bool NvidiaSchedMonitor::take(const MonitorEvent &event, EventDetails *details)
{
	static constexpr SchedColumn columns[] = {column_tsgs, column_scheduled, column_scheduled,
						  column_tokens, column_destroyed};
	const ProbeSpec &spec = sched_specs[event.probe];

	if (!filter_.wants_task(event.pid))
		return false;
	processes_.add(filter_, event.pid, columns[event.probe]);
	if (columns[event.probe] == column_scheduled && event.has(field_allowed) &&
	    !event.number(field_allowed))
		processes_.add(filter_, event.pid, column_refused);
	for (size_t i = 0; details && i < spec.fields.size(); i++)
		details->emplace_back(spec.fields[i],
				      event.has(i) ? event.number(i) : MonitorCell());
	return true;
}

} // namespace grtrace
