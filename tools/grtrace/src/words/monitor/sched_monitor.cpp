// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/sched_monitor.h"

#include <algorithm>

namespace grtrace {

namespace {

enum Probe : size_t {
	queue_new,
	run_new,
	done_new,
	dep_new,
	blocked_new,
	queue_old,
	run_old,
	done_old,
	wait_old,
};

// The same places in all of them, as far as they have the field.
enum Field : size_t {
	field_ctx,
	field_seqno,
	field_ring,
	field_device,
	field_id,
	field_fence_ctx,
	field_fence_seqno,
};

const std::vector<const char *> job_fields = {"fence_context", "fence_seqno", "name", "dev"};
const std::vector<const char *> dep_fields = {"fence_context", "fence_seqno", "", "", "",
					      "ctx",           "seqno"};
const std::vector<const char *> old_fields = {"fence", "", "name", "", "id"};
const std::vector<const char *> old_wait_fields = {"", "", "name", "", "id", "ctx", "seqno"};

const ProbeSpec specs[] = {
	{"gpu_scheduler", "drm_sched_job_queue", job_fields, "jobs", "drm_sched_job"},
	{"gpu_scheduler", "drm_sched_job_run", job_fields, "when jobs leave their queue",
	 "drm_run_job"},
	{"gpu_scheduler",
	 "drm_sched_job_done",
	 {"fence_context", "fence_seqno"},
	 "when jobs are done",
	 "drm_sched_process_job"},
	{"gpu_scheduler", "drm_sched_job_add_dep", dep_fields,
	 "how many dependencies jobs have (from 6.17 on)"},
	{"gpu_scheduler", "drm_sched_job_unschedulable", dep_fields,
	 "jobs that a dependency holds up", "drm_sched_job_wait_dep"},
	{"gpu_scheduler", "drm_sched_job", old_fields, "jobs", "drm_sched_job_queue"},
	{"gpu_scheduler", "drm_run_job", old_fields, "when jobs leave their queue",
	 "drm_sched_job_run"},
	{"gpu_scheduler",
	 "drm_sched_process_job",
	 {"fence"},
	 "when jobs are done",
	 "drm_sched_job_done"},
	{"gpu_scheduler", "drm_sched_job_wait_dep", old_wait_fields,
	 "jobs that a dependency holds up", "drm_sched_job_unschedulable"},
};

// A job that was killed is never done for an old kernel.
constexpr size_t most_jobs = 65536;

std::string old_id(const MonitorEvent &event)
{
	if (!event.has(field_id))
		return {};
	return fmt::format("{} {}", event.number(field_id), event.text(field_ring));
}

} // namespace

std::span<const ProbeSpec> SchedMonitor::probes()
{
	return specs;
}

SchedMonitor::Key SchedMonitor::key_of(const MonitorEvent &event) const
{
	return {event.number(field_ctx), event.number(field_seqno)};
}

SchedMonitor::Jobs::iterator SchedMonitor::find(const MonitorEvent &event)
{
	if (event.probe != wait_old)
		return jobs_.find(key_of(event));
	const auto found = old_ids_.find(old_id(event));
	return found == old_ids_.end() ? jobs_.end() : jobs_.find(found->second);
}

void SchedMonitor::tell_job(const MonitorEvent &event, const Job &job, EventDetails *details) const
{
	if (!details)
		return;
	for (const auto &[name, ring] : rings_)
		if (&ring == job.ring) {
			details->emplace_back("dev",
					      name.first.empty() ? MonitorCell() : name.first);
			details->emplace_back("ring", name.second);
		}
	if (event.probe == wait_old)
		details->emplace_back("id", event.number(field_id));
	else if (event.probe >= queue_old)
		details->emplace_back("fence", fmt::format("{:#x}", event.number(field_ctx)));
	else
		details->emplace_back("fence", fmt::format("{}:{}", event.number(field_ctx),
							   event.number(field_seqno)));
}

void SchedMonitor::forget(Jobs::iterator job)
{
	Ring &ring = *job->second.ring;

	if (job->second.run_ts)
		ring.hw--;
	else
		ring.queue--;
	if (!job->second.old_id.empty())
		old_ids_.erase(job->second.old_id);
	jobs_.erase(job);
}

bool SchedMonitor::queue(const MonitorEvent &event, EventDetails *details)
{
	const std::string_view name = event.text(field_ring);

	if (!filter_.wants_ring(name) || !filter_.wants_task(event.pid))
		return false;
	const auto known = jobs_.find(key_of(event));
	// Its memory is another job's now, or there are too many.
	if (known != jobs_.end()) {
		forget(known);
		forgotten_++;
	} else if (jobs_.size() >= most_jobs) {
		forget(jobs_.begin());
		forgotten_++;
	}
	Ring &ring = rings_[{std::string(event.text(field_device)), std::string(name)}];
	Job job = {&ring, event.ts, 0, 0, old_id(event)};
	if (!job.old_id.empty())
		old_ids_[job.old_id] = key_of(event);
	ring.add(&Counts::queued);
	ring.raise(&Counts::max_queue, ++ring.queue);
	tell_job(event, job, details);
	jobs_.emplace(key_of(event), std::move(job));
	return true;
}

bool SchedMonitor::run(const MonitorEvent &event, EventDetails *details)
{
	const auto found = find(event);

	if (found == jobs_.end() || found->second.run_ts)
		return false;
	Job &job = found->second;
	Ring &ring = *job.ring;
	const uint64_t wait = event.ts - std::min(event.ts, job.queued_ts);

	job.run_ts = event.ts;
	ring.queue--;
	ring.raise(&Counts::max_hw, ++ring.hw);
	ring.add(&Counts::run);
	ring.add(&Counts::wait, wait);
	if (job.blocked_ts)
		ring.add(&Counts::stall, event.ts - job.blocked_ts);
	tell_job(event, job, details);
	if (details)
		details->emplace_back("wait_us", wait / 1000.0);
	return true;
}

bool SchedMonitor::done(const MonitorEvent &event, EventDetails *details)
{
	const auto found = find(event);

	if (found == jobs_.end())
		return false;
	const Job &job = found->second;
	Ring &ring = *job.ring;

	ring.add(&Counts::done);
	tell_job(event, job, details);
	if (job.run_ts) {
		const uint64_t busy = event.ts - std::min(event.ts, job.run_ts);

		ring.add(&Counts::busy, busy);
		if (details)
			details->emplace_back("run_us", busy / 1000.0);
	}
	forget(found);
	return true;
}

bool SchedMonitor::depend(const MonitorEvent &event, EventDetails *details)
{
	const auto found = find(event);

	if (found == jobs_.end())
		return false;
	Job &job = found->second;

	if (event.probe == dep_new)
		job.ring->add(&Counts::deps);
	else if (!job.blocked_ts)
		job.blocked_ts = event.ts;
	tell_job(event, job, details);
	if (details)
		details->emplace_back("on", fmt::format("{}:{}", event.number(field_fence_ctx),
							event.number(field_fence_seqno)));
	return true;
}

bool SchedMonitor::take(const MonitorEvent &event, EventDetails *details)
{
	switch (event.probe) {
	case queue_new:
	case queue_old:
		return queue(event, details);
	case run_new:
	case run_old:
		return run(event, details);
	case done_new:
	case done_old:
		return done(event, details);
	default:
		return depend(event, details);
	}
}

std::vector<MonitorTable> SchedMonitor::tables(double seconds, bool all) const
{
	MonitorTable table = {"rings",
			      {"dev", "ring", "jobs", "jobs_s", "done", "queue", "queue_max", "hw",
			       "hw_max", "deps", "wait_avg_us", "wait_p99_us", "run_avg_us",
			       "run_p99_us", "run_max_us", "stalls", "stall_avg_us"},
			      {}};

	for (const auto &[name, ring] : rings_) {
		const Counts &counts = ring.of(all);

		table.rows.push_back({
			name.first.empty() ? MonitorCell() : name.first,
			name.second,
			counts.queued,
			seconds > 0 ? counts.queued / seconds : 0,
			counts.done,
			ring.queue,
			counts.max_queue,
			ring.hw,
			counts.max_hw,
			counts.deps,
			MonitorCell::us(counts.wait, counts.wait.average()),
			MonitorCell::us(counts.wait, counts.wait.percentile(990)),
			MonitorCell::us(counts.busy, counts.busy.average()),
			MonitorCell::us(counts.busy, counts.busy.percentile(990)),
			MonitorCell::us(counts.busy, counts.busy.max()),
			counts.stall.count(),
			MonitorCell::us(counts.stall, counts.stall.average()),
		});
	}
	if (all && forgotten_)
		return {table, {"notes", {"jobs_never_done"}, {{forgotten_}}}};
	return {table};
}

void SchedMonitor::next_interval()
{
	for (auto &[name, ring] : rings_) {
		ring.now = {};
		ring.now.max_queue = ring.queue;
		ring.now.max_hw = ring.hw;
	}
}

} // namespace grtrace
