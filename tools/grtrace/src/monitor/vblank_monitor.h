// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "monitor/monitor.h"

#include <map>

namespace grtrace {

// Vertical blanks of CRTCs, and how long programs wait for theirs. The events
// name no device: CRTCs of the same number are one row. Memory grows with CRTCs
// and with vblanks that are waited for.
class VblankMonitor : public Monitor {
public:
	explicit VblankMonitor(const MonitorFilter &filter) : filter_(filter) {}

	bool take(const MonitorEvent &event, EventDetails *details) override;
	std::vector<MonitorTable> interval(double seconds) override;
	std::vector<MonitorTable> summary(double seconds) const override;

	static std::span<const ProbeSpec> probes();

private:
	struct Counts {
		uint64_t vblanks = 0;
		uint64_t missed = 0; // numbers that never came
		uint64_t resets = 0; // it began anew
		uint64_t periods = 0; // of the refresh, missed ones too
		uint64_t period_ns = 0; // all together
		uint64_t queued = 0;
		uint64_t delivered = 0;
		Histogram latency; // queued to delivered
	};
	struct Crtc {
		bool seen = false;
		uint32_t seq = 0;
		uint64_t ts = 0;
		Counts now;
		Counts all;
	};
	struct Wanted { // who waits for what
		uint64_t file;
		uint32_t crtc;
		uint32_t seq;

		auto operator<=>(const Wanted &) const = default;
	};

	bool vblank(const MonitorEvent &event, EventDetails *details);
	bool queue(const MonitorEvent &event, EventDetails *details);
	bool deliver(const MonitorEvent &event, EventDetails *details);
	MonitorTable table(double seconds, bool all) const;

	const MonitorFilter &filter_;
	std::map<uint32_t, Crtc> crtcs_;
	std::multimap<Wanted, uint64_t> waiting_; // since
};

} // namespace grtrace
