// SPDX-License-Identifier: GPL-2.0
//
// PictureRows: the jobs that are drawn one by one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "words/jobs/job_label.h"
#include "words/tracker/job.h"

namespace grtrace {

// The steps of a job, in order.
enum class PictureStep : uint8_t {
	submit,
	blocked,
	pick,
	commit,
	start,
	end,
	complete,
};
constexpr size_t nr_picture_steps = 7;

// The facts about a job that a picture needs.
struct PictureRow {
	enum Flag : uint16_t {
		start_inferred = 1,
		time_inferred = 2,
		failed = 4,
		preempted = 8,
		cut = 16,
		touched = 32, // records were lost
		slow_queue = 64,
		slow_exec = 128,
	};

	PictureRow(const Job &job, JobLabel label, uint32_t task);

	uint64_t ctx;
	uint64_t seqno; // widened
	std::array<uint64_t, nr_picture_steps> times; // Job::none: not recorded
	uint64_t wait_ns;
	uint32_t waits;
	uint32_t ring;
	uint32_t task; // number in PictureTasks
	uint32_t weight;
	int32_t error;
	uint32_t guilty_pid; // 0: no ERROR names a task
	uint16_t flags;
	JobLabel label;
	uint8_t lane = 0; // lane within its ring

	uint64_t time(PictureStep step) const { return times[static_cast<size_t>(step)]; }
	// Returns whether any of its times is known; perhaps only a dependency was
	// recorded.
	bool has_time() const;
	// The drawn interval: the job's execution, or the nearest known times if a record
	// is missing.
	uint64_t from() const;
	uint64_t to() const;
	// Returns when it left the ring or was over otherwise; Job::none if that was not
	// recorded.
	uint64_t out() const
	{
		return time(PictureStep::end) != Job::none ? time(PictureStep::end) :
							     time(PictureStep::complete);
	}
};

// Keeps at most `limit` rows: when there would be more, the less interesting half is
// dropped, and later rows have to be more interesting. Jobs that took long, failed or did
// not end are interesting. Needs some 140 MiB.
class PictureRows {
public:
	static constexpr size_t limit = 1 << 20;
	static constexpr uint8_t lanes_max = 32;

	explicit PictureRows(size_t most = limit) : most_(most) {}

	void add(const PictureRow &row);
	// Sorts by ring, lane and from(). Jobs that are on a ring at the same time get
	// different lanes, up to lanes_max.
	void arrange();

	const std::vector<PictureRow> &all() const { return rows_; }
	// Return the number of jobs without a row, and the longest time that any of
	// these jobs took.
	uint64_t dropped() const { return dropped_; }
	uint64_t dropped_ns() const { return dropped_ns_; }

private:
	void thin();
	void drop(const PictureRow &row);

	std::vector<PictureRow> rows_;
	size_t most_;
	bool thinned_ = false;
	uint64_t bar_ns_ = 0; // shorter jobs are dropped
	uint64_t bar_hash_ = 0; // bar among jobs of exactly bar_ns_
	uint64_t dropped_ = 0;
	uint64_t dropped_ns_ = 0;
};

} // namespace grtrace
