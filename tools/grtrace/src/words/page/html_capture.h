// SPDX-License-Identifier: GPL-2.0
//
// HtmlCapture: one capture on its way into a page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/data/id_map.h"
#include "words/delays/delays.h"
#include "words/page/picture.h"

namespace grtrace {

// A level of a ring's series: buckets of 2^shift ns.
struct HtmlLevel {
	unsigned int shift;
	double begin; // of the first bucket, ns since the picture's from()
	size_t size;
};

// A ring of a capture, with where its parts are in the page.
struct HtmlRing {
	uint32_t id;
	const PictureRing *ring;
	std::vector<HtmlLevel> levels; // the finest first
	std::vector<uint32_t> lanes; // rows of each
};

// Contexts become indexes here, because a page counts in doubles and their ids
// have 64 bits. Picture and delays must outlive it.
struct HtmlCapture {
	// Each level is this much coarser than the one before.
	static constexpr unsigned int level_step = 3;
	// A level with as few buckets is the last one.
	static constexpr size_t few_buckets = 256;

	// delays may be nullptr.
	HtmlCapture(const Picture &picture, const Delays *delays, std::string closing);

	// Index of the context in contexts.
	uint32_t context(uint64_t id) { return *index_.find(id); }

	const Picture &picture;
	const Delays *delays;
	std::string closing; // the end of the report
	std::vector<uint64_t> contexts;
	std::vector<HtmlRing> rings;
	double offset = 0; // of from() in the page's time

private:
	void add_context(uint64_t id);
	void add_rings();

	IdMap<uint32_t> index_;
};

// Places captures that overlap in real time by it, and lets them all begin at 0
// if they do not. Says which.
bool align_by_wall_clock(std::vector<HtmlCapture> &captures);

} // namespace grtrace
