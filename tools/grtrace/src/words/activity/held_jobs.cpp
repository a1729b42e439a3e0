// SPDX-License-Identifier: GPL-2.0
#include "words/activity/held_jobs.h"

#include <algorithm>

namespace grtrace {

// Kernels count both from small numbers up, so no two queues have the same key. If two had
// it, the later one would hold no jobs.
uint64_t HeldJobs::key_of(uint64_t ctx, uint32_t ring)
{
	return ctx ^ uint64_t(ring) << 40;
}

void HeldJobs::drop_empty()
{
	numbers_.clear();
	free_.clear();
	for (uint32_t number = 0; number < queues_.size(); number++) {
		const Queue &queue = queues_[number];

		if (queue.empty())
			free_.push_back(number);
		else
			numbers_.get(key_of(queue.ctx, queue.ring)) = number;
	}
	drop_at_ = std::max(few, 2 * numbers_.size());
}

uint32_t HeldJobs::new_queue(uint64_t key)
{
	uint32_t number = static_cast<uint32_t>(queues_.size());

	if (numbers_.size() >= drop_at_)
		drop_empty();
	if (free_.empty()) {
		queues_.emplace_back();
	} else {
		number = free_.back();
		free_.pop_back();
	}
	numbers_.get(key) = number;
	return number;
}

// Returns the job's queue, or nil.
uint32_t HeldJobs::enter(const Job &job)
{
	const uint64_t key = key_of(job.ctx, job.ring);
	const uint32_t *known = numbers_.find(key);
	uint32_t number = known ? *known : new_queue(key);
	Queue &queue = queues_[number];

	if (queue.ctx != job.ctx || queue.ring != job.ring) {
		if (queue.empty())
			queue = {job.ctx, job.ring};
		else
			number = nil;
	}
	if (job.slot >= queue_of_.size())
		queue_of_.resize(job.slot + 1);
	queue_of_[job.slot] = number;
	return number;
}

HeldJobs::Step HeldJobs::move_in_queue(const Job &job, JobPhase from)
{
	const uint32_t number = in_queue(from) ? queue_of_[job.slot] : enter(job);
	Step step;

	if (number == nil)
		return step;

	Queue &queue = queues_[number];
	const bool held = queue.blocked;

	if (from == JobPhase::queued)
		queue.queued -= job.weight;
	else if (from == JobPhase::blocked)
		queue.blocked--;
	if (job.phase == JobPhase::blocked)
		queue.blocked++;

	const bool holds = queue.blocked;

	if (holds && !held)
		step.caught = queue.queued;
	else if (held && !holds)
		step.freed = queue.queued;
	if (job.phase == JobPhase::queued)
		queue.queued += job.weight;
	step.was_held = held && from == JobPhase::queued;
	step.is_held = holds && job.phase == JobPhase::queued;
	return step;
}

void HeldJobs::forget()
{
	queues_.clear();
	numbers_.clear();
	free_.clear();
	drop_at_ = few;
}

} // namespace grtrace
