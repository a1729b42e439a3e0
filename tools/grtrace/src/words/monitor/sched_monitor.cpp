// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/sched_monitor.h"

#include <algorithm>
#include <tuple>

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

// The place of a field is the same in all events that have it.
enum Field : size_t {
	field_ctx,
	field_seqno,
	field_ring,
	field_device,
	field_id,
	field_fence_ctx,
	field_fence_seqno,
	field_queued,
	field_credits,
	field_client,
	field_entity,
};

const std::vector<const char *> job_fields = {
	"fence_context", "fence_seqno",  "name",     "dev", "", "", "",
	"job_count",     "hw_job_count", "client_id"};
const std::vector<const char *> dep_fields = {"fence_context", "fence_seqno", "", "", "",
					      "ctx",           "seqno"};
const std::vector<const char *> old_fields = {"fence", "",          "name",         "", "id",    "",
					      "",      "job_count", "hw_job_count", "", "entity"};
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

// Old kernels never report a killed job as done.
constexpr size_t most_jobs = 65536;
constexpr size_t most_entities = 65536;
constexpr size_t shown_entities = 20;

std::string old_id(const MonitorEvent &event)
{
	if (!event.has(field_id))
		return {};
	return fmt::format("{} {}", event.number(field_id), event.text(field_ring));
}

} // namespace

void SchedMonitor::Times::add(uint64_t ns)
{
	count++;
	sum += ns;
	max = std::max(max, ns);
}

MonitorCell SchedMonitor::Times::us(uint64_t ns) const
{
	return count ? MonitorCell(static_cast<double>(ns) / 1000) : MonitorCell();
}

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

// From 6.17 on an entity is identified by the context of its jobs' fences, before that by
// its address.
SchedMonitor::Entity *SchedMonitor::entity_of(const MonitorEvent &event, const Name *ring)
{
	const uint64_t id = event.number(event.has(field_entity) ? field_entity : field_ctx);
	const auto known = entities_.find(id);

	if (known != entities_.end())
		return &known->second;
	if (entities_.size() >= most_entities) {
		entities_left_out_++;
		return nullptr;
	}
	Entity &entity = entities_[id];
	entity.ring = ring;
	if (event.has(field_client))
		entity.client = event.number(field_client);
	entity.pid = filter_.process_of(event.pid);
	entity.comm = filter_.process_name(event.pid);
	return &entity;
}

void SchedMonitor::take_depths(const MonitorEvent &event, Ring &ring, Entity *entity,
			       EventDetails *details)
{
	const uint64_t queued = event.number(field_queued), credits = event.number(field_credits);

	ring.raise(&Counts::max_entity_queue, queued);
	ring.raise(&Counts::max_credits, credits);
	if (entity)
		entity->max_queued = std::max(entity->max_queued, queued);
	if (details && event.has(field_queued))
		details->emplace_back("queued", queued);
	if (details && event.has(field_credits))
		details->emplace_back("hw", credits);
}

bool SchedMonitor::queue(const MonitorEvent &event, EventDetails *details)
{
	const std::string_view name = event.text(field_ring);

	if (!filter_.wants_ring(name) || !filter_.wants_task(event.pid))
		return false;
	const auto known = jobs_.find(key_of(event));
	// The address now belongs to another job, or there are too many jobs.
	if (known != jobs_.end()) {
		forget(known);
		forgotten_++;
	} else if (jobs_.size() >= most_jobs) {
		forget(jobs_.begin());
		forgotten_++;
	}
	auto &[ring_name, ring] =
		*rings_.try_emplace({std::string(event.text(field_device)), std::string(name)})
			 .first;
	Job job = {.ring = &ring,
		   .name = &ring_name,
		   .entity = entity_of(event, &ring_name),
		   .queued_ts = event.ts,
		   .old_id = old_id(event)};
	if (!job.old_id.empty())
		old_ids_[job.old_id] = key_of(event);
	ring.add(&Counts::queued);
	ring.raise(&Counts::max_queue, ++ring.queue);
	if (job.entity)
		job.entity->jobs++;
	tell_job(event, job, details);
	take_depths(event, ring, job.entity, details);
	jobs_.emplace(key_of(event), std::move(job));
	return true;
}

// Returns the ring whose jobs have fences of this context: an entity has one for
// "scheduled", and the next one for "finished".
const SchedMonitor::Name *SchedMonitor::ring_of(uint64_t ctx) const
{
	for (const uint64_t id : {ctx, ctx + 1})
		if (const auto found = entities_.find(id); found != entities_.end())
			return found->second.ring;
	return nullptr;
}

void SchedMonitor::end_block(Job &job, uint64_t ts)
{
	if (!job.blocked_by_ts)
		return;
	const uint64_t took = ts - std::min(ts, job.blocked_by_ts);

	blocked_[{job.name, ring_of(job.blocked_by.ctx)}].add(took);
	if (job.entity)
		job.entity->stall.add(took);
	job.blocked_by_ts = 0;
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
	end_block(job, event.ts);
	if (job.entity)
		job.entity->wait.add(wait);
	tell_job(event, job, details);
	take_depths(event, ring, job.entity, details);
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
	if (job.entity)
		job.entity->done++;
	tell_job(event, job, details);
	if (job.run_ts) {
		const uint64_t busy = event.ts - std::min(event.ts, job.run_ts);

		ring.add(&Counts::busy, busy);
		if (job.entity)
			job.entity->busy.add(busy);
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
	const Key on = {event.number(field_fence_ctx), event.number(field_fence_seqno)};

	if (event.probe == dep_new) {
		job.ring->add(&Counts::deps);
	} else if (!job.run_ts && !(job.blocked_by_ts && job.blocked_by == on)) {
		end_block(job, event.ts);
		job.blocked_by = on;
		job.blocked_by_ts = event.ts;
		job.ring->add(&Counts::waits);
	}
	if (event.probe != dep_new && !job.blocked_ts)
		job.blocked_ts = event.ts;
	tell_job(event, job, details);
	if (details)
		details->emplace_back("on", fmt::format("{}:{}", on.ctx, on.seqno));
	if (const Name *by = details ? ring_of(on.ctx) : nullptr)
		details->emplace_back("by", by->second);
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

MonitorCell SchedMonitor::part_of(const Name *name, std::string Name::*part)
{
	return !name || (name->*part).empty() ? MonitorCell() : MonitorCell(name->*part);
}

// The entities that kept their rings busy longest.
MonitorTable SchedMonitor::entities() const
{
	MonitorTable table = {"entities",
			      {"dev", "ring", "entity", "client", "pid", "comm", "jobs", "done",
			       "queued_max", "wait_avg_us", "wait_max_us", "run_avg_us",
			       "run_sum_us", "stalls", "stall_avg_us"},
			      {}};
	std::vector<std::pair<uint64_t, const Entity *>> sorted;

	for (const auto &[id, entity] : entities_)
		sorted.emplace_back(id, &entity);
	std::sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) {
		return std::tie(b.second->busy.sum, a.first) <
		       std::tie(a.second->busy.sum, b.first);
	});
	sorted.resize(std::min(sorted.size(), shown_entities));
	for (const auto &[id, entity] : sorted)
		table.rows.push_back({
			part_of(entity->ring, &Name::first),
			part_of(entity->ring, &Name::second),
			// An address is easier to recognize in hexadecimal.
			id >> 48 ? MonitorCell(fmt::format("{:#x}", id)) : MonitorCell(id),
			entity->client,
			entity->pid,
			entity->comm,
			entity->jobs,
			entity->done,
			entity->max_queued,
			entity->wait.average(),
			entity->wait.us(entity->wait.max),
			entity->busy.average(),
			entity->busy.us(entity->busy.sum),
			entity->stall.count,
			entity->stall.average(),
		});
	return table;
}

MonitorTable SchedMonitor::blocks() const
{
	MonitorTable table = {"blocked",
			      {"dev", "ring", "by_dev", "by_ring", "blocks", "blocked_avg_us",
			       "blocked_max_us", "blocked_sum_us"},
			      {}};

	for (const auto &[pair, times] : blocked_)
		table.rows.push_back({
			part_of(pair.first, &Name::first),
			part_of(pair.first, &Name::second),
			part_of(pair.second, &Name::first),
			part_of(pair.second, &Name::second),
			times.count,
			times.average(),
			times.us(times.max),
			times.us(times.sum),
		});
	return table;
}

std::vector<MonitorTable> SchedMonitor::tables(double seconds, bool all) const
{
	MonitorTable table = {
		"rings",
		{"dev",         "ring",         "jobs",       "jobs_s",           "done",
		 "queue",       "queue_max",    "hw",         "hw_max",           "deps",
		 "wait_avg_us", "wait_p99_us",  "run_avg_us", "run_p99_us",       "run_max_us",
		 "stalls",      "stall_avg_us", "waits",      "entity_queue_max", "credits_max"},
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
			counts.waits,
			counts.max_entity_queue,
			counts.max_credits,
		});
	}
	if (!all)
		return {table};
	std::vector<MonitorTable> tables = {table, entities(), blocks()};
	if (forgotten_ || entities_left_out_)
		tables.push_back({"notes",
				  {"jobs_never_done", "jobs_of_entities_left_out"},
				  {{forgotten_, entities_left_out_}}});
	return tables;
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
