// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/process_table.h"

namespace grtrace {

// Counts i915's GEM objects by process: objects that it creates, binds and faults, objects
// that it has to make room for, and its objects that are not destroyed. Memory grows with
// processes and objects.
class I915Monitor : public Monitor {
public:
	explicit I915Monitor(const MonitorFilter &filter);

	bool take(const MonitorEvent &event, EventDetails *details) override;
	static std::span<const ProbeSpec> probes();

private:
	struct Object {
		uint32_t pid; // its creator
		uint64_t size;
	};
	void create(const MonitorEvent &event);
	bool destroy(const MonitorEvent &event, EventDetails *details);
	void bind(const MonitorEvent &event, EventDetails *details);
	void fault(const MonitorEvent &event, EventDetails *details);
	void shrink(const MonitorEvent &event, EventDetails *details);
	void evict(const MonitorEvent &event, EventDetails *details);
	std::vector<MonitorTable> tables(double seconds, bool all) const override;
	void next_interval() override;
	MonitorTable left() const;

	const MonitorFilter &filter_;
	ProcessTable processes_;
	std::unordered_map<uint64_t, Object> objects_; // by address
	ProcessTable pressure_; // processes that have to make room
};

} // namespace grtrace
