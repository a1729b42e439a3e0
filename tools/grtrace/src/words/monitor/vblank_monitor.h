// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/monitor.h"

#include <deque>
#include <map>
#include <optional>

namespace grtrace {

// Counts vertical blanks of CRTCs, how long programs wait for them, and how late they are
// notified. The events name no device, so CRTCs of the same number share a row. Memory
// grows with CRTCs, processes and vblanks that are waited for.
class VblankMonitor : public Monitor {
public:
	explicit VblankMonitor(const MonitorFilter &filter) : filter_(filter) {}

	bool take(const MonitorEvent &event, EventDetails *details) override;
	static std::span<const ProbeSpec> probes();

private:
	struct Counts {
		uint64_t vblanks = 0;
		uint64_t missed = 0; // numbers that never came
		uint64_t resets = 0; // the count began again
		uint64_t periods = 0; // refresh periods, including missed ones
		uint64_t period_ns = 0; // sum of these
		uint64_t queued = 0;
		uint64_t delivered = 0;
		uint64_t late = 0; // by more than late_ns
		uint64_t precise = 0; // vblanks with a time from the scanout
		Histogram latency; // from vblank to delivery
		Histogram wait; // from queueing to delivery
	};
	struct Vblank {
		uint32_t seq;
		uint64_t ts;
	};
	struct Delivery {
		uint32_t wanted;
		uint32_t seq; // the count at that time
		uint64_t ts;
		uint32_t pid; // the process that waits
	};
	struct Waiter { // a process: its queued, delivered and late events, and their times
		std::string name;
		Tally<Counts> counts;
	};
	struct Crtc : Tally<Counts> {
		bool seen = false;
		uint32_t seq = 0;
		uint64_t ts = 0;
		std::deque<Vblank> recent;
		// The kernel delivers an event before it reports the vblank.
		std::vector<Delivery> ahead;

		// Returns the vblank that was waited for, or the vblank that was
		// delivered instead; nullptr if neither is known.
		const Vblank *vblank_of(const Delivery &delivery) const;
	};
	struct Wait {
		uint64_t since;
		uint32_t pid;
	};
	struct Wanted { // the key of a wait
		uint64_t file;
		uint32_t crtc;
		uint32_t seq;

		auto operator<=>(const Wanted &) const = default;
	};

	bool vblank(const MonitorEvent &event, EventDetails *details);
	bool queue(const MonitorEvent &event, EventDetails *details);
	bool deliver(const MonitorEvent &event, EventDetails *details);
	Tally<Counts> &waiter(uint32_t pid);
	// Counts a delivery, and returns how late it was, if that is known.
	std::optional<uint64_t> add_latency(Crtc &crtc, const Delivery &delivery);
	std::vector<MonitorTable> tables(double seconds, bool all) const override;
	void next_interval() override;

	const MonitorFilter &filter_;
	std::map<uint32_t, Crtc> crtcs_;
	std::map<uint32_t, Waiter> waiters_; // by process
	std::multimap<Wanted, Wait> waiting_;
};

} // namespace grtrace
