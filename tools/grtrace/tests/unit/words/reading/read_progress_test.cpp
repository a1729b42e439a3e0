// SPDX-License-Identifier: GPL-2.0
#include "words/reading/read_progress.h"

#include <gtest/gtest.h>

#include <vector>

namespace grtrace {

namespace {

constexpr uint64_t mib = 1 << 20;

struct Watched {
	void after(uint64_t ms, uint64_t bytes)
	{
		now += ms * 1000000;
		progress.read(bytes);
	}

	uint64_t now = 5000000000;
	uint64_t looks = 0; // at the clock
	std::vector<std::string> shown;
	ReadProgress progress{[this] {
				      looks++;
				      return now;
			      },
			      [this](std::string_view text) { shown.emplace_back(text); }};
};

using Lines = std::vector<std::string>;

} // namespace

TEST(ReadProgress, ShortWorkSaysNothing)
{
	Watched w;

	w.progress.expect(100 * mib);
	w.after(500, 50 * mib);
	w.after(499, 50 * mib);
	w.progress.clear();
	EXPECT_EQ(w.shown, Lines());
}

TEST(ReadProgress, TellsShareAndRate)
{
	Watched w;

	w.progress.expect(150 * mib);
	w.progress.expect(50 * mib);
	w.after(1000, 50 * mib);
	w.after(1000, 50 * mib);
	EXPECT_EQ(w.shown, (Lines{"\r25 % of 200 MiB read, 50 MiB/s\x1b[K",
				  "\r50 % of 200 MiB read, 50 MiB/s\x1b[K"}));
}

TEST(ReadProgress, WritesNoMoreThanFiveTimesASecond)
{
	Watched w;

	w.progress.expect(1000 * mib);
	for (int i = 0; i < 3000; i++)
		w.after(1, 64 * 1024);
	EXPECT_EQ(w.shown.size(), 11u); // from 1.0 to 3.0 s
	EXPECT_EQ(w.looks, 3001u); // once for each block
}

TEST(ReadProgress, IsClearedOnce)
{
	Watched w;

	w.progress.expect(10 * mib);
	w.after(2000, mib);
	w.progress.clear();
	w.progress.clear();
	EXPECT_EQ(w.shown, (Lines{"\r10 % of 10 MiB read, 0 MiB/s\x1b[K", "\r\x1b[K"}));
	// It comes again if the work continues.
	w.after(1000, mib);
	EXPECT_EQ(w.shown.size(), 3u);
}

TEST(ReadProgress, OfAPipeNobodyKnowsTheEnd)
{
	Watched w;

	w.progress.expect(100 * mib);
	w.progress.expect_pipe();
	w.after(2000, 60 * mib);
	EXPECT_EQ(w.shown, (Lines{"\r60 MiB read, 30 MiB/s\x1b[K"}));
}

TEST(ReadProgress, AFileThatGrewIsReadWhole)
{
	Watched w;

	w.progress.expect(10 * mib);
	w.after(2000, 60 * mib);
	EXPECT_EQ(w.shown, (Lines{"\r100 % of 10 MiB read, 30 MiB/s\x1b[K"}));
}

} // namespace grtrace
