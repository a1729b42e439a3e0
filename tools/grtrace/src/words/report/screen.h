// SPDX-License-Identifier: GPL-2.0
//
// Screen: the answer first, on one screen of a terminal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "words/findings/finding_text.h"
#include "words/findings/findings.h"
#include "words/report/ring_strips.h"
#include "words/terminal/terminal.h"

namespace grtrace {

// The sums of the report.
struct ScreenCounts {
	uint64_t jobs = 0;
	uint64_t failed = 0;
	uint64_t begin = 0; // times of the first and the last event
	uint64_t end = 0;
	bool interval = false; // of which only what lies in it counts
	bool chosen = false; // only some jobs count
	uint64_t damaged_times = 0; // records
};

// There are at most 12 lines before the first finding, and no line has more than 80
// columns, however wide the terminal is: it is read, not searched. On a narrower
// terminal, lines fit its width, except for commands and names.
class Screen {
public:
	static constexpr size_t width = 80;

	// name: the capture as the user named it, for the commands to type next.
	// whole: all findings, however many lines they take. All must outlive it.
	Screen(const Capture &capture, const Findings &findings, const RingStrips &strips,
	       const Terminal &terminal)
		: capture_(capture), findings_(findings), strips_(strips), terminal_(terminal),
		  width_(std::min<size_t>(terminal.width, width)),
		  name_width_(width_ < narrow ? 8 : 14), strip_width_(width_ - name_width_ - 22),
		  text_(findings, capture)
	{
	}

	void print(fmt::memory_buffer &out, const ScreenCounts &counts, const std::string &name,
		   bool whole);

private:
	static constexpr size_t lines_most = 31; // of which a finding may take 5
	static constexpr size_t before_most = 12; // before the first finding
	static constexpr size_t marks_width = 8;
	static constexpr size_t title_width = 22;
	// Below that nothing is next to a text.
	static constexpr size_t narrow = 60;

	void line(const std::string &text = {});
	void paragraph(const std::string &text, size_t indent);
	void print_head(const ScreenCounts &counts);
	std::string axis(const ScreenCounts &counts) const;
	void print_rings(const ScreenCounts &counts);
	std::vector<uint32_t> rings_shown(size_t most) const;
	std::string marks(uint32_t ring) const;
	void print_ring(uint32_t ring, const ScreenCounts &counts);
	void print_findings(const ScreenCounts &counts, bool whole);
	std::string none(const std::string &waited, const ScreenCounts &counts) const;
	void print_finding(size_t number);
	void print_rest();
	void print_unknown();
	void print_coverage();
	void print_next(const std::string &name);

	const Capture &capture_;
	const Findings &findings_;
	const RingStrips &strips_;
	const Terminal &terminal_;
	const size_t width_; // of the lines
	const size_t name_width_;
	const size_t strip_width_;
	FindingText text_;
	std::vector<std::string> lines_;
};

// A text as lines of at most so many columns, broken at spaces.
std::vector<std::string> lines_of(const std::string &text, size_t columns);

} // namespace grtrace
