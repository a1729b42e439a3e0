// SPDX-License-Identifier: GPL-2.0
//
// JobHistogram: draws the distribution of one value of each job in powers of two.
#pragma once

#include <cstdint>
#include <string_view>

#include "read/capture/capture.h"
#include "words/data/spans.h"
#include "words/jobs/job_section.h"
#include "words/terminal/octave_histogram.h"
#include "words/terminal/terminal.h"

namespace grtrace {

// A value that can be drawn, and its unit.
struct HistogramKind {
	const char *word; // argument of --hist
	const char *title;
	const char *unit;
	uint64_t scale; // one unit, as a number of value()
	// Returns Job::none if the value was not recorded.
	uint64_t (*value)(const Job &job, const Session &session);
};

// Returns nullptr if there is no value of that name.
const HistogramKind *find_histogram(std::string_view word);

class JobHistogram : public ReportSection {
public:
	// All arguments must outlive it.
	JobHistogram(const HistogramKind &kind, Capture &capture, const Terminal &terminal,
		     const LossSpans &losses)
		: kind_(kind), capture_(capture), terminal_(terminal), losses_(losses)
	{
	}

	void job(const Job &job, JobLabel label) override;
	void print(fmt::memory_buffer &out) override;

private:
	const HistogramKind &kind_;
	Capture &capture_;
	const Terminal &terminal_;
	const LossSpans &losses_;
	OctaveHistogram counts_;
};

} // namespace grtrace
