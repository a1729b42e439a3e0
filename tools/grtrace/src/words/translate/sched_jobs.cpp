// SPDX-License-Identifier: GPL-2.0
#include "words/translate/sched_jobs.h"

#include <algorithm>

namespace grtrace {

namespace {

constexpr size_t max_armed = 64; // a task's, pushed or not
constexpr size_t max_tasks = 4096;
constexpr size_t max_open = 65536;
constexpr size_t max_entities = 65536;
// Jobs of a context: that are kept after they were done, and at most.
constexpr size_t max_done = 64;
constexpr size_t max_jobs = 4096;

// Compares numbers that wrap at 32 bits.
bool is_before(uint32_t a, uint32_t b)
{
	return static_cast<int32_t>(a - b) < 0;
}

} // namespace

SchedJobs::Context *SchedJobs::context(uint64_t ctx) const
{
	// Mostly it is that of the event before.
	if (last_ && last_->low == uint32_t(ctx))
		return last_;
	const auto found = contexts_.find(uint32_t(ctx));
	if (found == contexts_.end())
		return nullptr;
	last_ = const_cast<Context *>(&found->second);
	return last_;
}

SchedJobs::Job &SchedJobs::submit(const FenceId &key, uint32_t ring)
{
	Context *known = context(key.ctx);
	Context &context = known ? *known : contexts_[uint32_t(key.ctx)];

	while (context.jobs.size() >= max_done &&
	       (context.jobs.front().done || context.jobs.size() >= max_jobs)) {
		forget(context, context.jobs.front());
		context.jobs.pop_front();
	}
	context.low = uint32_t(key.ctx);
	context.ctx = key.ctx;
	context.ring = ring;
	context.jobs.push_back({key.seqno, ring, false, false, false, losses_, 0, 0, 0, 0});
	return context.jobs.back();
}

SchedJobs::Job *SchedJobs::find(const FenceId &key)
{
	Context *known = context(key.ctx);

	if (!known)
		return nullptr;
	for (Job &job : known->jobs) {
		if (job.seqno == key.seqno)
			return &job;
	}
	return nullptr;
}

uint32_t SchedJobs::ring_of(const FenceId &key) const
{
	const Context *known = context(key.ctx);

	if (!known)
		return 0;
	for (const Job &job : known->jobs) {
		if (job.seqno == key.seqno)
			return job.ring;
	}
	return known->ring;
}

uint64_t SchedJobs::whole(uint64_t ctx) const
{
	const Context *known = context(ctx);

	return known ? known->ctx : ctx;
}

void SchedJobs::forget(const Context &context, const Job &job)
{
	const FenceId key = {context.ctx, job.seqno};
	const auto address = addresses_.find(job.address);

	// The address may belong to another job by now.
	if (address != addresses_.end() && address->second == key)
		spare_address_ = addresses_.extract(address);
	const auto number = numbers_.find({job.id, job.ring});
	if (number != numbers_.end() && number->second == key)
		spare_number_ = numbers_.extract(number);
}

// Jobs of a context end in order, so the events that ended the older ones were lost.
void SchedJobs::end(const FenceId &key)
{
	Context *known = context(key.ctx);

	while (known && !known->jobs.empty() && !is_before(key.seqno, known->jobs.front().seqno)) {
		forget(*known, known->jobs.front());
		known->jobs.pop_front();
	}
}

template <typename Map>
void SchedJobs::store(Map &map, typename Map::node_type &spare, const typename Map::key_type &at,
		      const FenceId &key)
{
	if (spare.empty()) {
		map[at] = key;
		return;
	}
	spare.key() = at;
	spare.mapped() = key;
	auto [place, is_new, rest] = map.insert(std::move(spare));
	if (is_new)
		return;
	place->second = key;
	spare = std::move(rest);
}

void SchedJobs::name(Job &job, const FenceId &key, uint64_t address, uint64_t id)
{
	job.address = address;
	job.id = id;
	store(addresses_, spare_address_, address, key);
	store(numbers_, spare_number_, {id, job.ring}, key);
}

bool SchedJobs::by_address(uint64_t address, FenceId *key) const
{
	const auto found = addresses_.find(address);

	if (found == addresses_.end())
		return false;
	*key = found->second;
	return true;
}

bool SchedJobs::by_number(uint32_t ring, uint64_t id, FenceId *key) const
{
	const auto found = numbers_.find({id, ring});

	if (found == numbers_.end())
		return false;
	*key = found->second;
	return true;
}

std::vector<ArmedJobs::Armed> &ArmedJobs::of(uint32_t pid)
{
	if (tasks_.size() >= max_tasks && !tasks_.count(pid))
		tasks_.clear();
	std::vector<Armed> &armed = tasks_[pid];
	if (armed.size() >= max_armed)
		armed.erase(armed.begin());
	return armed;
}

// A task makes the scheduled fence first, then the finished one, in the next context.
void ArmedJobs::made(uint32_t pid, std::string_view ring, const FenceId &fence)
{
	std::vector<Armed> &armed = of(pid);

	if (!armed.empty() && !armed.back().is_whole &&
	    armed.back().fence == FenceId{fence.ctx - 1, fence.seqno}) {
		armed.back().fence = fence;
		armed.back().is_whole = true;
		return;
	}
	armed.push_back({fence, false, std::string(ring)});
}

void ArmedJobs::armed(uint32_t pid, std::string_view ring, const FenceId &key)
{
	std::vector<Armed> &armed = of(pid);

	if (std::none_of(armed.begin(), armed.end(),
			 [&key](const Armed &one) { return one.fence == key; }))
		armed.push_back({key, true, std::string(ring)});
}

// Several jobs may be armed before one is pushed, but each for another entity and ring. So
// the job that was armed last is meant, and earlier ones that would also fit were given up.
// The entity's context distinguishes rings of the same name.
bool ArmedJobs::push(uint32_t pid, std::string_view ring, uint64_t entity, FenceId *key)
{
	const auto task = tasks_.find(pid);

	if (task == tasks_.end())
		return false;
	std::vector<Armed> &armed = task->second;
	const auto known = entities_.find(entity);
	const auto fits = [ring](const Armed &one) { return one.is_whole && one.ring == ring; };
	auto found = armed.rend();
	if (known != entities_.end())
		found = std::find_if(armed.rbegin(), armed.rend(), [&](const Armed &one) {
			return fits(one) && one.fence.ctx == known->second;
		});
	if (found == armed.rend())
		found = std::find_if(armed.rbegin(), armed.rend(), fits);
	if (found == armed.rend())
		return false;
	*key = found->fence;
	if (entities_.size() >= max_entities)
		entities_.clear();
	entities_[entity] = key->ctx;
	std::erase_if(armed, [&](const Armed &one) {
		return one.fence.ctx == key->ctx || one.fence.ctx + 1 == key->ctx;
	});
	if (armed.empty())
		tasks_.erase(task);
	return true;
}

void OpenFences::open(const FenceId &fence)
{
	const FenceId key = low(fence);

	if (!open_.emplace(key, true).second)
		return;
	order_.push_back(key);
	while (order_.size() > max_open) {
		open_.erase(order_.front());
		order_.pop_front();
	}
}

} // namespace grtrace
