// SPDX-License-Identifier: GPL-2.0
//
// PictureRows: jobs to be drawn one by one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "read/jobs/job.h"
#include "words/jobs/job_label.h"

namespace grtrace {

// The steps of a job in the order of its life.
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

// The part of a job that a picture needs.
struct PictureRow {
	enum Flag : uint16_t {
		start_inferred = 1,
		time_inferred = 2,
		failed = 4,
		preempted = 8,
		cut = 16,
		touched = 32, // by a loss
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
	uint32_t task; // PictureTasks
	uint32_t weight;
	int32_t error;
	uint16_t flags;
	JobLabel label;
	uint8_t lane = 0; // of its ring

	uint64_t time(PictureStep step) const { return times[static_cast<size_t>(step)]; }
	// Perhaps only one of its dependencies was recorded.
	bool has_time() const;
	// The drawn interval: its execution, or the nearest known times if a
	// record is missing.
	uint64_t from() const;
	uint64_t to() const;
	// When it left the ring or was over otherwise; Job::none: not recorded.
	uint64_t out() const
	{
		return time(PictureStep::end) != Job::none ? time(PictureStep::end) :
							     time(PictureStep::complete);
	}
};

// At most `limit` rows: when there would be more, the less interesting half is
// dropped, and so are later rows of less interest. Jobs that took long, failed
// or did not end are of interest. Some 130 MiB.
class PictureRows {
public:
	static constexpr size_t limit = 1 << 20;
	static constexpr uint8_t lanes_max = 32;

	explicit PictureRows(size_t most = limit) : most_(most) {}

	void add(const PictureRow &row);
	// Sorts by ring, lane and from(). Jobs that are on a ring at once are
	// on lanes of their own, as far as lanes_max goes.
	void arrange();

	const std::vector<PictureRow> &all() const { return rows_; }
	// Jobs that are not among them, and what the longest of those took.
	uint64_t dropped() const { return dropped_; }
	uint64_t dropped_ns() const { return dropped_ns_; }

private:
	void thin();
	void drop(const PictureRow &row);

	std::vector<PictureRow> rows_;
	size_t most_;
	bool thinned_ = false;
	uint64_t bar_ns_ = 0; // less than this is of no interest
	uint64_t bar_hash_ = 0; // among those of bar_ns_
	uint64_t dropped_ = 0;
	uint64_t dropped_ns_ = 0;
};

} // namespace grtrace
