// SPDX-License-Identifier: GPL-2.0
#include "job_groups.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "duration.h"

namespace grtrace {

static void sum(uint64_t duration, uint64_t weight, uint64_t &total,
		uint64_t &number)
{
	if (duration == Job::none)
		return;
	total += duration * weight;
	number += weight;
}

void JobGroups::add(JobGroup &group, const Job &job, JobLabel label)
{
	uint64_t wait = job.gpu_wait();
	uint64_t total = job.total();

	group.jobs += job.weight;
	if (!job.over() && !job.cut)
		group.incomplete += job.weight;
	group.labels[static_cast<size_t>(label)] += job.weight;
	sum(job.queue(), job.weight, group.queue, group.nr_queue);
	sum(job.exec(), job.weight, group.exec, group.nr_exec);
	sum(total, job.weight, group.total, group.nr_total);
	if (wait != Job::none)
		group.wait += wait * job.weight;
	if (total != Job::none)
		group.max_total = std::max(group.max_total, total);
}

static uint64_t average(uint64_t total, uint64_t number)
{
	return number ? total / number : Job::none;
}

void JobGroups::print(fmt::memory_buffer &out)
{
	std::vector<std::pair<uint64_t, const JobGroup *>> order;
	auto it = std::back_inserter(out);

	groups_.for_each([&](uint64_t id, JobGroup &group) {
		order.emplace_back(id, &group);
	});
	std::sort(order.begin(), order.end(), [](const auto &a, const auto &b) {
		if (a.second->exec != b.second->exec)
			return a.second->exec > b.second->exec;
		return a.first < b.first;
	});

	fmt::format_to(it,
		       "\n{:>10} {:<24} {:>9} {:>7} {:>7} {:>11} {:>11} "
		       "{:>11} {:>11} {:>11} {:>11}\n",
		       id_title_, name_title_, "JOBS", "FAILED", "OPEN",
		       "QUEUE avg", "EXEC avg", "EXEC sum", "WAIT sum",
		       "TOTAL avg", "TOTAL max");
	for (const auto &[id, group] : order) {
		size_t failed = static_cast<size_t>(JobLabel::failed);

		fmt::format_to(
			it,
			"{:>10} {:<24} {:>9} {:>7} {:>7} {} {} {} {} {} "
			"{}\n",
			id, group->name, group->jobs, group->labels[failed],
			group->incomplete,
			duration_text(average(group->queue, group->nr_queue)),
			duration_text(average(group->exec, group->nr_exec)),
			duration_text(group->exec), duration_text(group->wait),
			duration_text(average(group->total, group->nr_total)),
			duration_text(group->max_total));
	}
}

} // namespace grtrace
