// SPDX-License-Identifier: GPL-2.0
#include "words/report/group_table.h"

#include <algorithm>

#include "format/vocabulary.h"
#include "lib/text/duration.h"
#include "lib/text/print_to.h"
#include "words/columns/csv_line.h"
#include "words/data/average.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

static void sum(uint64_t duration, uint64_t weight, uint64_t &total, uint64_t &number)
{
	const bool known = duration != Job::none;

	// Rings differ in this, so a branch would be mispredicted.
	total += known ? duration * weight : 0;
	number += known ? weight : 0;
}

// Job::none is greater than all times.
inline void JobGroup::note(uint64_t ts)
{
	first_ts = std::min(first_ts, ts);
	last_ts = std::max(last_ts, ts == Job::none ? 0 : ts);
}

void JobGroup::add(const Job &job, JobLabel label)
{
	// These are separate calls: a list would be loaded in pairs, which has to wait for
	// stores that were just made.
	note(job.submit_ts);
	note(job.blocked_ts);
	note(job.pick_ts);
	note(job.commit_ts);
	note(job.start_ts);
	note(job.end_ts);
	note(job.complete_ts);
	jobs += job.weight;
	if (!job.over() && !job.cut)
		incomplete += job.weight;
	labels[static_cast<size_t>(label)] += job.weight;
	sum(job.queue(), job.weight, queue, nr_queue);
	sum(job.exec(), job.weight, exec, nr_exec);
	sum(job.total(), job.weight, total, nr_total);
	if (uint64_t waited = job.gpu_wait(); waited != Job::none)
		wait += waited * job.weight;
	if (job.total() != Job::none)
		max_total = std::max(max_total, job.total());
	if (stages)
		stages->add(job);
}

bool GroupTable::id_of(const Job &job, uint64_t &id) const
{
	const Session &session = capture_.session();

	switch (by_) {
	case GroupBy::ring:
		id = job.ring;
		return true;
	case GroupBy::device:
		id = session.rings.find(job.ring).device;
		return true;
	case GroupBy::engine:
		id = session.rings.find(job.ring).engine_class;
		return true;
	case GroupBy::context:
		id = job.ctx;
		return true;
	case GroupBy::process:
		break;
	}
	if (job.submit_ts == Job::none)
		return false;
	const Task *task = capture_.session().tasks.find(job.pid);
	id = task ? task->tgid : job.pid;
	return true;
}

std::string GroupTable::name_of(const Job &job) const
{
	const Session &session = capture_.session();

	if (by_ == GroupBy::device) {
		const Ring &ring = session.rings.find(job.ring);
		return ring.known ? ring.device_name : "?";
	}
	if (by_ == GroupBy::engine)
		return session.class_name(session.rings.find(job.ring).engine_class);
	if (by_ != GroupBy::process)
		return ring_title(session, job.ring);
	const Task *leader = capture_.session().tasks.leader(job.pid);
	return std::string(leader ? leader->name() : "");
}

inline JobGroup &GroupTable::group(const Job &job, uint64_t id)
{
	JobGroup *known = groups_.find(id);

	return known && !known->name.empty() ? *known : name_group(job, id);
}

// The record that names the process may come late, or may be about another of its threads.
JobGroup &GroupTable::name_group(const Job &job, uint64_t id)
{
	JobGroup &group = groups_.get(id);

	group.name = name_of(job);
	group.ring = job.ring;
	if (!group.stages && groups_.size() <= stages_limit)
		group.stages = std::make_unique<Stages>();
	return group;
}

void GroupTable::job(const Job &job, JobLabel label)
{
	uint64_t id;

	if (!id_of(job, id))
		return;
	JobGroup &found = group(job, id);
	found.add(job, label);
	// It does not matter which of them came first.
	if (by_ == GroupBy::context && found.ring != job.ring)
		found.name = "several rings";
}

void GroupTable::waited(const Job &job, uint32_t, uint64_t from, uint64_t to)
{
	uint64_t id;

	// A task that began to wait after COMPLETE did not wait.
	if (!job.complete() || from > job.complete_ts || !id_of(job, id))
		return;
	JobGroup &found = group(job, id);
	if (found.stages)
		found.stages->add_wake(Job::between(job.complete_ts, to), job.weight);
}

bool GroupTable::is_touched(const JobGroup &group) const
{
	return losses_.touch(group.first_ts, group.last_ts);
}

void GroupTable::print_table(fmt::memory_buffer &out, const std::vector<Line> &lines) const
{
	static const char *const titles[][2] = {{"RING", "NAME"},
						{"DEVICE", "NAME"},
						{"CLASS", "NAME"},
						{"CTX", "RING"},
						{"PID", "COMM"}};
	const auto &title = titles[static_cast<size_t>(by_)];
	size_t width = 24;

	for (const Line &line : lines)
		width = std::max(width, line.second->name.size());
	print_to(out,
		 "\n{:>10} {:<{}} {:>9} {:>7} {:>7} {:>11} {:>11} "
		 "{:>11} {:>11} {:>11} {:>11}\n",
		 title[0], title[1], width, "JOBS", "FAILED", "OPEN", "QUEUE avg", "EXEC avg",
		 "EXEC sum", "WAIT sum", "TOTAL avg", "TOTAL max");
	for (const auto &[id, group] : lines) {
		size_t failed = static_cast<size_t>(JobLabel::failed);

		print_to(out,
			 "{:>10} {:<{}} {:>9} {:>7} {:>7} {} {} {} {} {} "
			 "{}{}\n",
			 by_ == GroupBy::device && id == UINT32_MAX ? "-" : fmt::to_string(id),
			 group->name, width, group->jobs, group->labels[failed], group->incomplete,
			 duration_text(average_of(group->queue, group->nr_queue)),
			 duration_text(average_of(group->exec, group->nr_exec)),
			 duration_text(sum_of(group->exec, group->nr_exec)),
			 duration_text(group->wait),
			 duration_text(average_of(group->total, group->nr_total)),
			 duration_text(sum_of(group->max_total, group->nr_total)),
			 is_touched(*group) ? " *" : "");
	}
}

std::string GroupTable::stages_title(const Line &line) const
{
	const Session &session = capture_.session();
	const auto &[id, group] = line;

	switch (by_) {
	case GroupBy::ring:
		return fmt::format(
			"Stages of {} ({})", group->name,
			session.class_name(
				session.rings.find(static_cast<uint32_t>(id)).engine_class));
	case GroupBy::device:
		return fmt::format("Stages of device {}", group->name);
	case GroupBy::engine:
		return fmt::format("Stages of engine class {}", group->name);
	case GroupBy::context:
		return fmt::format("Stages of context {}", id);
	case GroupBy::process:
		break;
	}
	return fmt::format("Stages of {} ({})", group->name, id);
}

void GroupTable::print_stages(fmt::memory_buffer &out, const std::vector<Line> &lines) const
{
	size_t without = 0;

	for (const Line &line : lines) {
		if (line.second->stages)
			line.second->stages->print(out, stages_title(line),
						   is_touched(*line.second));
		else
			without++;
	}
	if (without)
		print_to(out, "\n{} more have no stages here: only the first {} do\n", without,
			 stages_limit);
}

// Any record may name its leader; until then the name is that of one of its threads.
void GroupTable::name_process(uint32_t tgid, JobGroup &group)
{
	const Task *leader = capture_.session().tasks.find(tgid);

	if (leader && leader->tgid == tgid)
		group.name = leader->name();
	else if (group.name.empty())
		group.name = "?";
}

std::vector<GroupTable::Line> GroupTable::lines()
{
	std::vector<Line> lines;

	groups_.for_each([&](uint64_t id, JobGroup &group) {
		if (by_ == GroupBy::process)
			name_process(static_cast<uint32_t>(id), group);
		lines.emplace_back(id, &group);
	});
	std::sort(lines.begin(), lines.end(), [](const Line &a, const Line &b) {
		if (a.second->exec != b.second->exec)
			return a.second->exec > b.second->exec;
		return a.first < b.first;
	});
	return lines;
}

void GroupTable::print(fmt::memory_buffer &out)
{
	std::vector<Line> lines = this->lines();

	print_table(out, lines);
	std::sort(lines.begin(), lines.end(),
		  [](const Line &a, const Line &b) { return a.first < b.first; });
	print_stages(out, lines);
}

void GroupTable::print_csv_header(fmt::memory_buffer &out)
{
	static constexpr std::string_view names =
		"by,id,name,jobs,failed,open,queue_avg,exec_avg,exec_sum,wait_sum,"
		"total_avg,total_max,touched\n";

	out.append(names.data(), names.data() + names.size());
}

static void put_duration(CsvLine &line, uint64_t duration)
{
	if (duration == Job::none)
		line.na();
	else
		line.number(duration);
}

void GroupTable::print_csv(fmt::memory_buffer &out)
{
	static constexpr std::string_view names[] = {"ring", "device", "engine", "ctx", "process"};

	for (const auto &[id, group] : lines()) {
		CsvLine line(out);

		line.text(names[static_cast<size_t>(by_)]);
		if (by_ == GroupBy::device && id == UINT32_MAX)
			line.na();
		else
			line.number(id);
		line.text(group->name);
		line.number(group->jobs);
		line.number(group->labels[static_cast<size_t>(JobLabel::failed)]);
		line.number(group->incomplete);
		put_duration(line, average_of(group->queue, group->nr_queue));
		put_duration(line, average_of(group->exec, group->nr_exec));
		put_duration(line, sum_of(group->exec, group->nr_exec));
		line.number(group->wait);
		put_duration(line, average_of(group->total, group->nr_total));
		put_duration(line, sum_of(group->max_total, group->nr_total));
		line.number(int(is_touched(*group)));
		line.end();
	}
}

} // namespace grtrace
