// SPDX-License-Identifier: GPL-2.0
//
// Activity: how busy rings and devices were, and why they were not.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture.h"
#include "held_jobs.h"
#include "loss_spans.h"
#include "report_section.h"
#include "ring_activity.h"

namespace grtrace {

// Memory grows with rings, by some 4 KiB each, and with the jobs in flight.
class Activity : public ReportSection {
public:
	// Shows the `gaps` idle gaps that held jobs up longest. Both references must outlive it.
	Activity(size_t gaps, Capture &capture, const LossSpans &losses)
		: nr_gaps_(gaps), capture_(capture), losses_(losses)
	{
	}

	void begin(uint64_t ts) override { start_ = ts; }
	JobWatcher *watcher_of_moves() override { return this; }
	void moved(const Job &job, JobPhase from, uint64_t ts) override;
	void lost(uint64_t from, uint64_t to) override;
	void finish(uint64_t ts) override;
	void print(fmt::memory_buffer &out) override;

	// By ring id; nullptr for a ring without jobs.
	using Rings = std::vector<std::unique_ptr<RingActivity>>;
	const Rings &rings() const { return rings_; }

private:
	struct Device {
		uint32_t busy_rings = 0;
		uint64_t now = 0;
		uint64_t since = 0;
		uint64_t busy_ns = 0;
		bool used = false;
	};
	// A gap on the list of the longest.
	struct Listed {
		IdleGap gap;
		uint32_t ring;
		std::string ended_by; // empty: the end of the capture
	};

	uint32_t tgid_of(uint32_t pid);
	bool meets_other(const Job &job);
	RingActivity &new_ring(uint32_t id);
	Device &device_of(uint32_t ring)
	{
		const uint32_t id =
			capture_.session().rings.find(ring).device;

		return id < devices_.size() ? devices_[id] : new_device(id);
	}
	Device &new_device(uint32_t id);
	void note_device(uint32_t ring, bool was_busy, const RingActivity &now);
	static bool is_worse(const Listed &a, const Listed &b);
	void note_gaps(uint32_t ring, const RingActivity &now, const Job *job);
	std::string name_of(const Job &job);

	size_t title_width() const;
	void print_rings(fmt::memory_buffer &out) const;
	void print_devices(fmt::memory_buffer &out) const;
	void print_depths(fmt::memory_buffer &out) const;
	void print_gaps(fmt::memory_buffer &out);
	void print_gap(fmt::memory_buffer &out, const Listed &listed) const;

	size_t nr_gaps_;
	Capture &capture_;
	const LossSpans &losses_;
	uint64_t start_ = 0;
	uint64_t end_ = 0;
	bool moved_ = false; // since the last loss
	bool ever_lost_ = false;
	Rings rings_;
	std::vector<Device> devices_; // the last one is "not known"
	std::vector<Listed> gaps_; // a heap, the least bad in front
	// By slot: was it another process's job that blocked the job last?
	std::vector<bool> by_other_;
	HeldJobs held_;
};

} // namespace grtrace
