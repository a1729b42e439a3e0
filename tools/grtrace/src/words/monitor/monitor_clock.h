// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/live/capture_start.h"

#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>

namespace grtrace {

// Measures how long a monitor has run, and when its next table is due.
class MonitorClock {
public:
	using Now = std::function<uint64_t()>; // ns

	static uint64_t monotonic() { return clock_now(CLOCK_MONOTONIC); }

	explicit MonitorClock(uint64_t interval_ms, Now now = monotonic)
		: interval_ns_(interval_ms * 1'000'000), now_(std::move(now))
	{
	}

	void start() { start_ = last_ = now_(); }
	uint64_t started() const { return start_; }
	double seconds() const { return static_cast<double>(now_() - start_) / 1e9; }

	// Returns the seconds since the last table if another one is due, and begins the
	// next interval.
	std::optional<double> take_interval()
	{
		const uint64_t now = now_();
		const uint64_t took = now - last_;

		if (took < interval_ns_)
			return {};
		last_ = now;
		return static_cast<double>(took) / 1e9;
	}

private:
	const uint64_t interval_ns_;
	const Now now_;
	uint64_t start_ = 0;
	uint64_t last_ = 0; // time of the last table
};

} // namespace grtrace
