// SPDX-License-Identifier: GPL-2.0
//
// Stages: btt's arithmetic, from one step of a job to the next.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "read/jobs/job.h"
#include "words/data/histogram.h"

namespace grtrace {

// One distribution per stage:
//
//	Q2I	SUBMIT to PICK: dependencies, credits, the scheduler
//	I2D	PICK to COMMIT: run_job()
//	RESET	first COMMIT to the last one, where a reset handed it over again
//	D2B	COMMIT to START: the hardware's own queue
//	B2E	START to END: execution
//	E2C	END to COMPLETE: notifying the waiters
//	Q2C	SUBMIT to COMPLETE: all of it
//	C2W	COMPLETE to SYNC_WAIT_EXIT: waking a task that waited, once a
//		wait
//
// A job touches six or seven of them, and the next job most likely others. So jobs
// wait, a cache line each, until there are several, and are added together.
class Stages {
public:
	enum Stage { q2i, i2d, reset, d2b, b2e, e2c, q2c, c2w, nr_stages };

	// How long a job was at a stage, none where that is not known; C2W is
	// none, as it is not the job's.
	static uint64_t of(const Job &job, Stage stage);

	void add(const Job &job)
	{
		fill(rows_[nr_rows_++], job);
		if (nr_rows_ == rows_.size())
			settle();
	}
	// C2W, none is left out.
	void add_wake(uint64_t duration, uint32_t weight);
	const Histogram &stage(Stage stage) const
	{
		settle();
		return stages_[stage];
	}

	// btt's columns, and behind them percentiles; touched: by loss, each
	// line gets a mark.
	void print(fmt::memory_buffer &out, const std::string &title, bool touched) const;
	static const char *name(Stage stage);

private:
	// A job's stages, with none where one is not known.
	struct alignas(64) Row {
		std::array<uint64_t, c2w> stages;
		uint32_t weight;
	};

	void fill(Row &row, const Job &job) const;
	void settle() const;

	// Rows are part of the histograms; where they are is not visible.
	mutable std::array<Histogram, nr_stages> stages_;
	mutable std::array<Row, 16> rows_;
	mutable size_t nr_rows_ = 0;
};

} // namespace grtrace
