// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace grtrace {

// The key of a job or a fence.
struct FenceId {
	uint64_t ctx = 0;
	uint32_t seqno = 0;

	bool operator==(const FenceId &) const = default;
};

struct FenceIdHash {
	size_t operator()(const FenceId &id) const
	{
		return (id.ctx * 0x9e3779b97f4a7c15ull) ^ (uint64_t(id.seqno) << 17);
	}
};

// Jobs in flight, found by the finished fence that is their key: keeps the facts about a
// job that only one of its events reports. Memory grows with contexts and jobs in flight.
// If the event that ends a job was lost, or is not recorded, the job is removed when the next
// job of its context ends, or some later ones are submitted.
class SchedJobs {
public:
	struct Job {
		uint32_t seqno;
		uint32_t ring;
		bool picked;
		bool committed; // by drm_sched_job_hw_fence
		bool done; // the scheduler has said so
		uint32_t losses; // losses before it
		uint64_t address; // address of the fence, or 0
		uint64_t id; // number on its ring, or 0
		uint64_t run_ts; // when the device's counter was at run_ticks
		uint64_t run_ticks;
	};

	Job &submit(const FenceId &key, uint32_t ring);

	// Returns nullptr if the job was not seen. Fence events only have the low half of a
	// context.
	Job *find(const FenceId &key);

	// Returns the ring of the context's jobs; 0 if no job of it was seen.
	uint32_t ring_of(const FenceId &key) const;
	bool knows(uint64_t ctx) const { return context(ctx); }

	// Returns the whole context for the low half that an event has.
	uint64_t whole(uint64_t ctx) const;

	void end(const FenceId &key);

	// Events were lost, perhaps those of any job in flight.
	void lose() { losses_++; }
	bool may_have_lost(const Job &job) const { return job.losses != losses_; }

	// For kernels that identify jobs by an address, or by a ring and a number.
	void name(Job &job, const FenceId &key, uint64_t address, uint64_t id);
	bool by_address(uint64_t address, FenceId *key) const;
	bool by_number(uint32_t ring, uint64_t id, FenceId *key) const;

private:
	struct Context {
		uint64_t ctx;
		uint32_t low; // half of ctx
		uint32_t ring; // ring of the last job
		std::deque<Job> jobs;
	};

	Context *context(uint64_t ctx) const; // nullptr: no job of it was seen
	void forget(const Context &context, const Job &job);

	uint32_t losses_ = 0; // number of losses so far
	std::unordered_map<uint32_t, Context> contexts_; // none is ever removed
	mutable Context *last_ = nullptr; // that was found
	using Addresses = std::unordered_map<uint64_t, FenceId>;
	using Numbers = std::unordered_map<FenceId, FenceId, FenceIdHash>;

	template <typename Map>
	static void store(Map &map, typename Map::node_type &spare,
			  const typename Map::key_type &at, const FenceId &key);

	Addresses addresses_;
	Numbers numbers_;
	// The memory of the last job that ended is that of the next one that begins.
	Addresses::node_type spare_address_;
	Numbers::node_type spare_number_;
};

// Finds the keys of jobs whose events have none. It relies on the order in which a task
// first makes the job's two fences and then pushes the job. Memory: a few fences of
// each task between these two steps, up to this number of tasks.
class ArmedJobs {
public:
	// A task has made a fence for a ring.
	void made(uint32_t pid, std::string_view ring, const FenceId &fence);

	// A task has made both fences of a job.
	void armed(uint32_t pid, std::string_view ring, const FenceId &key);

	// Finds the key of the job that a task pushes; returns false if it was not seen.
	bool push(uint32_t pid, std::string_view ring, uint64_t entity, FenceId *key);

private:
	struct Armed {
		FenceId fence;
		bool is_whole; // both fences were made; this is the second
		std::string ring;
	};

	std::vector<Armed> &of(uint32_t pid);

	std::unordered_map<uint32_t, std::vector<Armed>> tasks_;
	std::unordered_map<uint64_t, uint64_t> entities_; // their contexts
};

// The newest fences that are known to be unsignalled.
class OpenFences {
public:
	void open(const FenceId &fence);
	void close(const FenceId &fence) { open_.erase(low(fence)); }
	bool is_open(const FenceId &fence) const { return open_.count(low(fence)) != 0; }

private:
	static FenceId low(const FenceId &fence) { return {uint32_t(fence.ctx), fence.seqno}; }

	std::unordered_map<FenceId, bool, FenceIdHash> open_;
	std::deque<FenceId> order_;
};

} // namespace grtrace
