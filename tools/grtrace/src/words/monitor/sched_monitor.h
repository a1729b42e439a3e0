// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/monitor.h"

#include <map>
#include <unordered_map>

namespace grtrace {

// Counts jobs of the DRM scheduler, found by the fence that completes them: by its ctx and
// seqno, or by its address on a kernel before 6.17. Memory grows with rings, entities and
// jobs in flight.
class SchedMonitor : public Monitor {
public:
	explicit SchedMonitor(const MonitorFilter &filter) : filter_(filter) {}

	bool take(const MonitorEvent &event, EventDetails *details) override;
	static std::span<const ProbeSpec> probes();

private:
	struct Key {
		uint64_t ctx;
		uint64_t seqno;

		bool operator==(const Key &) const = default;
	};
	struct KeyHash {
		size_t operator()(const Key &key) const
		{
			return key.ctx * 0x9e3779b97f4a7c15 + key.seqno;
		}
	};
	struct Counts {
		uint64_t queued = 0;
		uint64_t run = 0;
		uint64_t done = 0;
		uint64_t deps = 0;
		uint64_t waits = 0; // waits for fences that delayed a job
		uint64_t max_queue = 0;
		uint64_t max_hw = 0;
		// The kernel's count when a job is queued or run, including jobs from
		// before the start.
		uint64_t max_entity_queue = 0;
		uint64_t max_credits = 0;
		Histogram wait; // from queueing to running
		Histogram busy; // from running to done
		Histogram stall; // from blocked to running
	};
	struct Ring : Tally<Counts> {
		uint64_t queue = 0; // jobs in the queue now
		uint64_t hw = 0;
	};
	using Name = std::pair<std::string, std::string>; // device, ring
	// Smaller than a Histogram, because there may be thousands of them.
	struct Times {
		uint64_t count = 0;
		uint64_t sum = 0;
		uint64_t max = 0;

		void add(uint64_t ns);
		MonitorCell us(uint64_t ns) const;
		MonitorCell average() const { return us(count ? sum / count : 0); }
	};
	struct Entity { // a program's queue: consecutive jobs of one ring
		const Name *ring;
		MonitorCell client; // the DRM client, if the event has it
		uint32_t pid;
		std::string comm;
		uint64_t jobs = 0;
		uint64_t done = 0;
		uint64_t max_queued = 0;
		Times wait; // the same as for a ring
		Times busy;
		Times stall;
	};
	struct Job {
		Ring *ring;
		const Name *name;
		Entity *entity; // nullptr: there are too many entities
		uint64_t queued_ts;
		uint64_t run_ts = 0;
		uint64_t blocked_ts = 0;
		Key blocked_by = {}; // the fence that it is waiting for
		uint64_t blocked_by_ts = 0;
		std::string old_id; // "": there is none
	};
	// A delayed ring, and the ring that delayed it; nullptr if the delay was not
	// caused by a job of a known ring.
	using Pair = std::pair<const Name *, const Name *>;
	using Jobs = std::unordered_map<Key, Job, KeyHash>;

	bool queue(const MonitorEvent &event, EventDetails *details);
	bool run(const MonitorEvent &event, EventDetails *details);
	bool done(const MonitorEvent &event, EventDetails *details);
	bool depend(const MonitorEvent &event, EventDetails *details);
	Jobs::iterator find(const MonitorEvent &event);
	Key key_of(const MonitorEvent &event) const;
	Entity *entity_of(const MonitorEvent &event, const Name *ring);
	void take_depths(const MonitorEvent &event, Ring &ring, Entity *entity,
			 EventDetails *details);
	void end_block(Job &job, uint64_t ts);
	const Name *ring_of(uint64_t ctx) const;
	static MonitorCell part_of(const Name *name, std::string Name::*part);
	void tell_job(const MonitorEvent &event, const Job &job, EventDetails *details) const;
	void forget(Jobs::iterator job);
	std::vector<MonitorTable> tables(double seconds, bool all) const override;
	MonitorTable entities() const;
	MonitorTable blocks() const;
	void next_interval() override;

	const MonitorFilter &filter_;
	std::map<Name, Ring> rings_;
	Jobs jobs_;
	std::unordered_map<uint64_t, Entity> entities_; // by fence context, or address
	std::map<Pair, Times> blocked_;
	uint64_t entities_left_out_ = 0;
	std::unordered_map<std::string, Key> old_ids_;
	uint64_t forgotten_ = 0;
};

} // namespace grtrace
