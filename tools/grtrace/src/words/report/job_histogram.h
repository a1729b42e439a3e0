// SPDX-License-Identifier: GPL-2.0
//
// JobHistogram: a number that each job has, drawn in powers of two.
#pragma once

#include <cstdint>
#include <string_view>

#include "read/capture/capture.h"
#include "words/data/spans.h"
#include "words/jobs/job_section.h"
#include "words/terminal/octave_histogram.h"
#include "words/terminal/terminal.h"

namespace grtrace {

// The value that is counted, and its unit.
struct HistogramKind {
	const char *word; // of --hist
	const char *title;
	const char *unit;
	uint64_t scale; // one unit, in terms of value()
	// Job::none: not recorded.
	uint64_t (*value)(const Job &job, const Session &session);
};

// nullptr: there is none of that name.
const HistogramKind *find_histogram(std::string_view word);

class JobHistogram : public ReportSection {
public:
	// All of them must outlive it.
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
