// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/monitor.h"

#include <map>
#include <unordered_map>

namespace grtrace {

// Jobs of the DRM scheduler, by the fence that completes them: ctx and seqno,
// or its address where a kernel before 6.17 has no more. Memory grows with
// rings and jobs in flight.
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
		uint64_t max_queue = 0;
		uint64_t max_hw = 0;
		Histogram wait; // queue to run
		Histogram busy; // run to done
		Histogram stall; // blocked to run
	};
	struct Ring : Tally<Counts> {
		uint64_t queue = 0; // jobs there now
		uint64_t hw = 0;
	};
	struct Job {
		Ring *ring;
		uint64_t queued_ts;
		uint64_t run_ts = 0;
		uint64_t blocked_ts = 0;
		std::string old_id; // "": it has none
	};
	using Name = std::pair<std::string, std::string>; // device, ring
	using Jobs = std::unordered_map<Key, Job, KeyHash>;

	bool queue(const MonitorEvent &event, EventDetails *details);
	bool run(const MonitorEvent &event, EventDetails *details);
	bool done(const MonitorEvent &event, EventDetails *details);
	bool depend(const MonitorEvent &event, EventDetails *details);
	Jobs::iterator find(const MonitorEvent &event);
	Key key_of(const MonitorEvent &event) const;
	void tell_job(const MonitorEvent &event, const Job &job, EventDetails *details) const;
	void forget(Jobs::iterator job);
	std::vector<MonitorTable> tables(double seconds, bool all) const override;
	void next_interval() override;

	const MonitorFilter &filter_;
	std::map<Name, Ring> rings_;
	Jobs jobs_;
	std::unordered_map<std::string, Key> old_ids_;
	uint64_t forgotten_ = 0;
};

} // namespace grtrace
