// SPDX-License-Identifier: GPL-2.0
//
// JobHistogram: a number that each job has, drawn in powers of two.
#pragma once

#include <array>
#include <cstdint>

#include "capture.h"
#include "loss_spans.h"
#include "report_section.h"
#include "terminal.h"

namespace grtrace {

// What is counted, and in which unit.
struct HistogramKind {
	const char *word; // of --hist
	const char *title;
	const char *unit;
	uint64_t scale; // one unit, in what value() tells
	// Job::none: nobody told.
	uint64_t (*value)(const Job &job, const Session &session);
};

// nullptr: there is none of that name.
const HistogramKind *find_histogram(std::string_view word);

// A bucket has what is below its bound and not in the one before, as the
// kernel's histograms have it.
class JobHistogram : public ReportSection {
public:
	// All of them must outlive it.
	JobHistogram(const HistogramKind &kind, Capture &capture,
		     const Terminal &terminal, const LossSpans &losses)
		: kind_(kind), capture_(capture), terminal_(terminal),
		  losses_(losses)
	{
	}

	void job(const Job &job, JobLabel label) override;
	void print(fmt::memory_buffer &out) override;

private:
	static constexpr size_t rows_min = 12;

	const HistogramKind &kind_;
	Capture &capture_;
	const Terminal &terminal_;
	const LossSpans &losses_;
	// [0] is below 1 unit, [n] is 2^(n-1) to 2^n.
	std::array<uint64_t, 65> counts_ = {};
	uint64_t not_told_ = 0;
};

} // namespace grtrace
