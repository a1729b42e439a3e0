// SPDX-License-Identifier: GPL-2.0
#include "words/tracker/fence_index.h"

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace grtrace {

TEST(FenceIndex, finds_what_was_inserted)
{
	FenceIndex index;

	EXPECT_EQ(index.find(5, 1), nullptr);
	index.insert(5, 1, 7, FenceRole::hardware);
	ASSERT_NE(index.find(5, 1), nullptr);
	EXPECT_EQ(index.find(5, 1)->job(), 7u);
	EXPECT_EQ(index.find(5, 1)->role(), FenceRole::hardware);
	EXPECT_EQ(index.find(5, 2), nullptr);
	EXPECT_EQ(index.find(6, 1), nullptr);
	// Ids that differ only above 32 bits are two.
	EXPECT_EQ(index.find(5 + (1ull << 32), 1), nullptr);
}

TEST(FenceIndex, of_several_the_first_that_is_taken)
{
	FenceIndex index;

	index.insert(5, 1, 10);
	index.insert(5, 1, 11);
	index.insert(5, 1, 12, FenceRole::out);
	EXPECT_EQ(index.find(5, 1)->job(), 10u);
	EXPECT_EQ(index.find(5, 1, [](uint32_t job) { return job > 10; })->job(), 11u);
	EXPECT_EQ(index.find(5, 1, [](uint32_t job) { return job > 12; }), nullptr);
	index.erase(5, 1, 12); // not as the key
	index.erase(5, 1, 10);
	EXPECT_EQ(index.find(5, 1)->job(), 11u);
	index.erase(5, 1, 11);
	EXPECT_EQ(index.find(5, 1)->job(), 12u);
	index.erase(5, 1, 12, FenceRole::out);
	EXPECT_EQ(index.find(5, 1), nullptr);
}

TEST(FenceIndex, finds_the_newest_of_equal_ones)
{
	FenceIndex index;

	EXPECT_EQ(index.find_newest(5, 7), nullptr);
	index.insert(5, 7, 1);
	EXPECT_EQ(index.find_newest(5, 7)->job(), 1u);
	index.insert(5, 7, 2);
	index.insert(5, 7, 3);
	EXPECT_EQ(index.find_newest(5, 7)->job(), 3u);
	index.erase(5, 7, 1);
	EXPECT_EQ(index.find_newest(5, 7)->job(), 3u);
	index.insert(5, 7, 4);
	EXPECT_EQ(index.find_newest(5, 7)->job(), 4u);
	index.erase(5, 7, 4);
	EXPECT_EQ(index.find_newest(5, 7)->job(), 3u);
}

// The second one stays the first, though the place of the one before it is free
// again, and though the table grows meanwhile.
TEST(FenceIndex, of_equal_ones_the_older)
{
	FenceIndex index;

	index.insert(5, 1, 10);
	index.insert(5, 1, 11);
	index.erase(5, 1, 10);
	index.insert(5, 1, 12);
	EXPECT_EQ(index.find(5, 1)->job(), 11u);
	for (uint32_t i = 0; i < 5000; i++)
		index.insert(1000 + i, i * 7, i);
	EXPECT_EQ(index.find(5, 1)->job(), 11u);
	EXPECT_EQ(index.find(5, 1, [](uint32_t job) { return job != 11; })->job(), 12u);
	index.erase(5, 1, 11);
	EXPECT_EQ(index.find(5, 1)->job(), 12u);
}

// Many equal ones, against lists, while others of other contexts come and go.
TEST(FenceIndex, equal_ones_in_order)
{
	FenceIndex index;
	std::map<std::tuple<uint64_t, uint32_t>, std::vector<uint32_t>> known;
	uint64_t state = 7;

	for (uint32_t step = 0; step < 100000; step++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		const uint64_t ctx = (state >> 40 & 1023) * 0x10001;
		const uint32_t seqno = state >> 58 & 3;
		std::vector<uint32_t> &jobs = known[{ctx, seqno}];

		if (jobs.size() < 3 && state >> 33 & 1) {
			index.insert(ctx, seqno, step);
			jobs.push_back(step);
		} else if (!jobs.empty()) {
			const size_t at = (state >> 34) % jobs.size();

			index.erase(ctx, seqno, jobs[at]);
			jobs.erase(jobs.begin() + static_cast<long>(at));
		}

		const FenceIndex::Entry *first = index.find(ctx, seqno);
		ASSERT_EQ(first != nullptr, !jobs.empty());
		if (first) {
			ASSERT_EQ(first->job(), jobs[0]);
		}
		for (uint32_t job : jobs)
			ASSERT_NE(index.find(ctx, seqno, [=](uint32_t one) { return one == job; }),
				  nullptr);
	}
}

// Against a set, while it grows and shrinks.
TEST(FenceIndex, whatever_comes_and_goes)
{
	FenceIndex index;
	std::set<std::tuple<uint64_t, uint32_t>> known;
	uint64_t state = 1;

	for (int step = 0; step < 200000; step++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		const uint64_t ctx = state >> 60;
		const uint32_t seqno = state >> 50 & (step < 100000 ? 1023 : 63);
		const uint32_t job = static_cast<uint32_t>(ctx) << 10 | seqno;

		if (known.insert({ctx, seqno}).second) {
			index.insert(ctx, seqno, job);
		} else if (state >> 40 & 1) {
			known.erase({ctx, seqno});
			index.erase(ctx, seqno, job);
		}
		ASSERT_EQ(index.find(ctx, seqno) != nullptr, known.count({ctx, seqno}) == 1);
	}
	for (uint64_t ctx = 0; ctx < 16; ctx++) {
		for (uint32_t seqno = 0; seqno < 1024; seqno++) {
			const FenceIndex::Entry *entry = index.find(ctx, seqno);

			ASSERT_EQ(entry != nullptr, known.count({ctx, seqno}) == 1);
			if (entry) {
				EXPECT_EQ(entry->job(), ctx << 10 | seqno);
			}
		}
	}
}

} // namespace grtrace
