// SPDX-License-Identifier: GPL-2.0
//
// TimelineList: what happened, one line after the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "words/calls/call_kinds.h"
#include "read/capture/capture.h"
#include "lib/terminal/terminal.h"
#include "words/timeline/timeline_view.h"

namespace grtrace {

// Ioctls, waits and jobs by the time when they began, and what has no duration
// at its own: errors, messages, changes of sampling, losses. Keeps the first N
// of them that have a part in the interval.
class TimelineList : public TimelineView {
public:
	// All of them must outlive the view.
	TimelineList(size_t limit, const Terminal &terminal,
		     TimelineChoice &choice, Capture &capture,
		     const CallKinds &kinds)
		: limit_(limit), terminal_(terminal), choice_(choice),
		  capture_(capture), kinds_(kinds)
	{
	}

	void event(const Event &event) override;
	void missing(const Gap &gap) override;
	void called(const Call &call, std::span<const JobKey> jobs) override;
	void wait_over(const Wait &wait) override;
	void submitted(const Job &job, const Call *call,
		       uint64_t waiter_ts) override;
	void print(fmt::memory_buffer &out) override;

private:
	static constexpr uint32_t nobody = UINT32_MAX;

	struct Row {
		uint64_t ts;
		uint64_t took; // none: it has no duration, or none is known
		uint64_t number; // in the order in which they were told
		uint32_t pid; // nobody: no task's
		std::string comm;
		std::string text;
		Colour colour;
	};

	static bool earlier(const Row &a, const Row &b);
	bool in_interval(uint64_t from, uint64_t to) const;
	// Counts it, and tells if it is to be kept.
	bool wants(uint64_t ts);
	void keep(uint64_t ts, uint64_t took, uint32_t pid, std::string text,
		  Colour colour);
	std::string seconds(uint64_t ts) const;
	std::string job_name(const JobKey &key) const;
	void error(const Event &event);
	void put_row(Paint &paint, const Row &row) const;

	size_t limit_;
	const Terminal &terminal_;
	TimelineChoice &choice_;
	Capture &capture_;
	const CallKinds &kinds_;
	std::vector<Row> rows_; // a heap, the latest in front
	uint64_t total_ = 0; // in the interval
};

} // namespace grtrace
