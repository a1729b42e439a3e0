// SPDX-License-Identifier: GPL-2.0
//
// HtmlCapture: one capture that goes into a page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/data/id_map.h"
#include "words/delays/delays.h"
#include "words/page/picture.h"

namespace grtrace {

// A level of a ring's series, with buckets of 2^shift ns.
struct HtmlLevel {
	unsigned int shift;
	double begin; // start of the first bucket, ns since the picture's from()
	size_t size;
};

// A ring of a capture, with the places of its parts in the page.
struct HtmlRing {
	uint32_t id;
	const PictureRing *ring;
	std::vector<HtmlLevel> levels; // the finest first
	std::vector<uint32_t> lanes; // number of rows in each lane
};

// A finding of the report, as words. Times are those of the session's clock.
struct HtmlFinding {
	std::string title;
	std::string place; // in time
	std::string text;
	std::string job; // the one to select, ctx:seqno; empty if there is none
	uint64_t from;
	uint64_t to;
};

// Contexts are replaced by indexes, because a page counts in doubles and context ids have
// 64 bits. The picture and the delays must outlive the object.
struct HtmlCapture {
	// The buckets of each level are 2^level_step times as wide as the buckets of the
	// level before.
	static constexpr unsigned int level_step = 3;
	// The level with this many buckets or fewer is the last one.
	static constexpr size_t few_buckets = 256;

	// delays may be nullptr.
	HtmlCapture(const Picture &picture, const Delays *delays, std::string closing);

	// Returns the index of the context in contexts.
	uint32_t context(uint64_t id) { return *index_.find(id); }

	const Picture &picture;
	const Delays *delays;
	std::string closing; // the end of the report
	std::vector<HtmlFinding> findings; // the longest first
	std::vector<uint64_t> contexts;
	std::vector<HtmlRing> rings;
	double offset = 0; // of the picture's from() in the page's time

private:
	void add_context(uint64_t id);
	void add_rings();

	IdMap<uint32_t> index_;
};

// Places captures that overlap in real time by the wall clock and returns true; otherwise
// lets them all begin at 0 and returns false.
bool align_by_wall_clock(std::vector<HtmlCapture> &captures);

} // namespace grtrace
