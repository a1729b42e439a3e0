// SPDX-License-Identifier: GPL-2.0
//
// RingStrips: when each ring was busy, as a line of marks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "words/activity/activity.h"
#include "words/data/spans.h"
#include "words/jobs/job_section.h"

namespace grtrace {

// How busy something was in each of at most `limit` equal parts of time; when time
// runs out of them, each two become one.
class BusyStrip {
public:
	static constexpr size_t limit = 256;

	// Roughly in the order in which they end; overlaps count once.
	void add(uint64_t from, uint64_t to);
	// ns between two times, where a part counts as evenly busy.
	double busy(double from, double to) const;

private:
	void halve();
	uint64_t width() const { return 1ull << shift_; }

	std::vector<uint64_t> parts_; // ns
	unsigned int shift_ = 10;
	uint64_t until_ = 0;
};

// Draws what Activity found, so that both have the same figures; Activity may have
// more than the interval. Memory grows with rings, by 2 KiB each.
class RingStrips : public ReportSection, BusySink {
public:
	// The activity reports to this from now on; both must live as long as this.
	RingStrips(Activity &activity, const LossSpans &losses)
		: activity_(activity), losses_(losses)
	{
		activity.report_to(*this);
	}

	// Times outside are left out.
	void clip(uint64_t from, uint64_t to)
	{
		start_ = from;
		end_ = to;
	}
	void begin(uint64_t ts) override { start_ = std::max(start_, ts); }
	JobWatcher *watcher_of_executions() override { return this; }
	void executed(const Job &job) override;
	void print(fmt::memory_buffer &) override {}

	// So many columns from the first event on, a mark in each.
	std::string draw(uint32_t ring, uint64_t length, size_t columns, bool utf8) const;
	// How long the ring ran a job; no value if no record says when one began.
	std::optional<uint64_t> busy_ns(uint32_t ring) const;
	// It may have been more, as records were lost.
	bool is_least() const { return !losses_.empty(); }
	// Jobs were seen there.
	bool is_used(uint32_t ring) const { return ring < rings_.size() && rings_[ring].used; }
	size_t size() const { return rings_.size(); }

private:
	struct Strip {
		BusyStrip busy;
		uint64_t sum = 0; // ns
		bool used = false;
	};

	void busy(uint32_t ring, uint64_t from, uint64_t to) override;
	Strip &strip_of(uint32_t ring);

	const Activity &activity_;
	const LossSpans &losses_;
	uint64_t start_ = 0;
	uint64_t end_ = UINT64_MAX;
	std::vector<Strip> rings_; // by id
};

} // namespace grtrace
