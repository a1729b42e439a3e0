// SPDX-License-Identifier: GPL-2.0
//
// Stages: the time between the steps of jobs, computed like btt's.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "words/data/histogram.h"
#include "words/tracker/job.h"

namespace grtrace {

// There is one distribution per stage:
//
//	Q2I	SUBMIT to PICK: dependencies, credits, the scheduler
//	I2D	PICK to COMMIT: run_job()
//	RESET   first COMMIT to the last one, if a reset handed it over again
//	D2B	COMMIT to START: the hardware's own queue
//	B2E	START to END: execution
//	E2C	END to COMPLETE: notifying the waiters
//	Q2C	SUBMIT to COMPLETE: all of it
//	C2W     COMPLETE to SYNC_WAIT_EXIT: waking a task that waited, once per
//	        wait
//
// A job has values for six or seven stages, and the next job probably for others. So jobs
// are kept, a cache line each, until there are several to add together.
class Stages {
public:
	enum Stage { q2i, i2d, reset, d2b, b2e, e2c, q2c, c2w, nr_stages };

	// Returns the time of a job at a stage, none if it is not known. It is also none
	// for C2W, which belongs to a wait and not to the job.
	static uint64_t of(const Job &job, Stage stage);

	void add(const Job &job)
	{
		fill(rows_[nr_rows_++], job);
		if (nr_rows_ == rows_.size())
			settle();
	}
	// Adds a time of C2W; none is ignored.
	void add_wake(uint64_t duration, uint32_t weight);
	const Histogram &stage(Stage stage) const
	{
		settle();
		return stages_[stage];
	}

	// Prints btt's columns, then percentiles. touched: whether records were lost, so
	// that each line gets a mark.
	void print(fmt::memory_buffer &out, const std::string &title, bool touched) const;
	static const char *name(Stage stage);

private:
	// The stages of a job, with none for unknown ones.
	struct alignas(64) Row {
		std::array<uint64_t, c2w> stages;
		uint32_t weight;
	};

	void fill(Row &row, const Job &job) const;
	void settle() const;

	// Rows that wait already count: every function that reads adds them first.
	mutable std::array<Histogram, nr_stages> stages_;
	mutable std::array<Row, 16> rows_;
	mutable size_t nr_rows_ = 0;
};

} // namespace grtrace
