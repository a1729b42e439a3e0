// SPDX-License-Identifier: GPL-2.0
//
// Screen: prints the most important results on one screen of a terminal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "words/findings/finding_text.h"
#include "words/findings/findings.h"
#include "words/report/failed_jobs.h"
#include "words/report/ring_strips.h"
#include "words/terminal/terminal.h"

namespace grtrace {

// The job that was on its ring for the longest time.
struct LongestJob {
	void add(const Job &job)
	{
		if (job.exec() == Job::none || job.exec() <= ns)
			return;
		name = {job.ctx, job.seqno, job.ring};
		start = job.start_ts;
		ns = job.exec();
	}

	JobName name;
	uint64_t start = 0;
	uint64_t ns = 0;
};

// The sums of the report.
struct ScreenCounts {
	uint64_t jobs = 0;
	const FailedJobs &failed;
	uint64_t inferred = 0; // jobs whose START was inferred
	bool out_of_order = false; // a ring of such jobs did not work in order
	uint64_t begin = 0; // time of the first event; end: of the last one
	uint64_t end = 0;
	bool interval = false; // only the chosen interval counts
	bool chosen = false; // only some jobs count
	uint64_t damaged_times = 0; // number of records
	LongestJob longest;
};

// The input of suggested commands, in words for a shell that each begin with a space.
struct ScreenInput {
	std::optional<std::string> name; // nothing: it cannot be read again
	std::string choice; // options that choose what is read
};

// There are at most 12 lines before the first finding, and no line has more than 80
// columns, however wide the terminal is, because the screen is meant to be read as a whole.
// On a narrower terminal, lines fit its width, except for commands and names.
class Screen {
public:
	static constexpr size_t width = 80;

	// whole: show all findings, regardless of how many lines they take. All arguments
	// must outlive it.
	Screen(const Capture &capture, const Findings &findings, const RingStrips &strips,
	       const Terminal &terminal)
		: capture_(capture), findings_(findings), strips_(strips), terminal_(terminal),
		  width_(std::min<size_t>(terminal.width, width)),
		  name_width_(width_ < narrow ? 8 : 14), strip_width_(strip_beside(name_width_)),
		  text_(findings, capture)
	{
	}

	void print(fmt::memory_buffer &out, const ScreenCounts &counts, const ScreenInput &input,
		   bool whole);

private:
	static constexpr size_t lines_most = 31; // a finding may take 5 of them
	static constexpr size_t before_most = 12; // before the first finding
	static constexpr size_t marks_width = 8;
	static constexpr size_t title_width = 22;
	// On a narrower terminal nothing is printed beside a text.
	static constexpr size_t narrow = 60;
	static constexpr size_t beside_strip = 22; // columns of a ring's line
	static constexpr size_t strip_least = 4;
	static constexpr size_t strip_good = 24; // that a long name should leave

	void line(const std::string &text = {});
	void paragraph(const std::string &text, size_t indent);
	void print_head(const ScreenCounts &counts);
	std::string axis(const ScreenCounts &counts) const;
	void print_rings(const ScreenCounts &counts);
	std::vector<uint32_t> rings_shown(size_t most) const;
	std::vector<std::string> fit_names(const std::vector<uint32_t> &rings);
	size_t strip_beside(size_t name) const;
	std::string marks(uint32_t ring) const;
	void print_ring(uint32_t ring, const std::string &name, const ScreenCounts &counts);
	void print_findings(const ScreenCounts &counts, bool whole);
	std::string short_of() const;
	std::string none(const std::string &waited, const ScreenCounts &counts) const;
	bool tells_longest(const ScreenCounts &counts) const;
	static std::string fit_place(const std::string &place);
	void print_finding(size_t number);
	bool has_failures(const FailedJobs &failed) const;
	void print_rest(const ScreenCounts &counts);
	void print_unknown();
	void print_inferred(const ScreenCounts &counts);
	std::string shared_rings(bool out_of_order) const;
	void print_mixed();
	void print_coverage(const ScreenCounts &counts);
	std::vector<std::string> next_of_finding(const std::string &name) const;
	void print_next(const ScreenCounts &counts, const ScreenInput &input, bool whole);

	const Capture &capture_;
	const Findings &findings_;
	const RingStrips &strips_;
	const Terminal &terminal_;
	const size_t width_; // of the lines
	size_t name_width_;
	size_t strip_width_;
	FindingText text_;
	std::vector<std::string> lines_;
	size_t shown_ = 0; // number of findings
};

// Breaks a text at spaces into lines of at most that many columns.
std::vector<std::string> lines_of(const std::string &text, size_t columns);

} // namespace grtrace
