// SPDX-License-Identifier: GPL-2.0
//
// RingStrips: a line of marks that shows when a ring was busy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "read/stream/ring_map.h"
#include "words/activity/activity.h"
#include "words/data/spans.h"
#include "words/jobs/job_section.h"

namespace grtrace {

// The busy time in each of at most `limit` equal parts of time; when the parts are used up,
// each pair of neighbours is joined.
class BusyStrip {
public:
	static constexpr size_t limit = 256;

	// Takes spans roughly in the order of their ends; overlaps count once.
	void add(uint64_t from, uint64_t to);
	// Returns the busy ns between two times; each part counts as evenly busy.
	double busy(double from, double to) const;

private:
	void halve();
	uint64_t width() const { return 1ull << shift_; }

	std::vector<uint64_t> parts_; // ns
	unsigned int shift_ = 10;
	uint64_t until_ = 0;
};

// Draws the busy times of Activity, so that both have the same figures; Activity may cover
// more than the interval. Memory grows with rings, by 2 KiB each.
class RingStrips : public ReportSection, BusySink {
public:
	// The activity reports to this object; both arguments must outlive it.
	RingStrips(Activity &activity, const LossSpans &losses)
		: activity_(activity), losses_(losses)
	{
		activity.report_to(*this);
	}

	// Ignores times outside of the interval.
	void clip(uint64_t from, uint64_t to)
	{
		start_ = from;
		end_ = to;
	}
	void begin(uint64_t ts) override { start_ = std::max(start_, ts); }
	JobWatcher *watcher_of_executions() override { return this; }
	void executed(const Job &job) override;
	void print(fmt::memory_buffer &) override {}

	// Draws the length from the first event on in that many columns, with a mark in
	// each column.
	std::string draw(uint32_t ring, uint64_t length, size_t columns, bool utf8) const;
	// Returns for how long the ring ran jobs; no value if no record says when a job
	// began.
	std::optional<uint64_t> busy_ns(uint32_t ring) const;
	// Returns whether busy_ns() is a lower limit, because records were lost.
	bool is_least() const { return !losses_.empty(); }
	// Returns whether there were jobs on the ring.
	bool is_used(uint32_t ring) const
	{
		const Strip *strip = rings_.find(ring);

		return strip && strip->used;
	}
	// Calls what(id) for each ring on which there were jobs, by id.
	template <class F> void each_used(F what) const
	{
		rings_.each([&](uint32_t id, const Strip &strip) {
			if (strip.used)
				what(id);
		});
	}

private:
	struct Strip {
		BusyStrip busy;
		uint64_t sum = 0; // ns
		bool used = false;
	};

	void busy(uint32_t ring, uint64_t from, uint64_t to) override;

	const Activity &activity_;
	const LossSpans &losses_;
	uint64_t start_ = 0;
	uint64_t end_ = UINT64_MAX;
	RingMap<Strip> rings_;
};

} // namespace grtrace
