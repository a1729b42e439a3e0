// SPDX-License-Identifier: GPL-2.0
//
// JobHistogram: a duration of all jobs, drawn in powers of two.
#pragma once

#include <cstdint>

#include "histogram.h"
#include "report_section.h"

namespace grtrace {

class JobHistogram : public ReportSection {
public:
	// A duration of a job, Job::none where it is not known.
	using Duration = uint64_t (Job::*)() const;

	// what must be a literal.
	JobHistogram(Duration duration, const char *what)
		: duration_(duration), what_(what)
	{
	}

	void job(const Job &job, JobLabel label) override;
	void print(fmt::memory_buffer &out) override;

private:
	Duration duration_;
	const char *what_;
	Histogram histogram_;
};

} // namespace grtrace
