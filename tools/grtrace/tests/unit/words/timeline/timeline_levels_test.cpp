// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_levels.h"

#include <gtest/gtest.h>

#include <sstream>

namespace grtrace {

namespace {

using Lines = std::vector<std::string>;

// 40 columns, of 10 ns each once 400 ns have gone by.
struct Levels {
	Levels() : terminal(TerminalFacts(), ColourWhen::never, 47)
	{
		grid.begin(1000);
	}

	void tell(const char *line, uint64_t ts, bool is_before = false)
	{
		const std::optional<NoteCounter> counter = note_counter(line);

		ASSERT_TRUE(counter) << line;
		levels.tell(*counter, ts, is_before);
	}
	void reach(uint64_t ts, bool ended = false)
	{
		grid.reach(ts);
		levels.settle(ended);
	}
	Lines drawn()
	{
		fmt::memory_buffer out;
		Paint paint(out, false);
		std::istringstream in;
		Lines lines;

		levels.print(paint);
		in.str(fmt::to_string(out));
		for (std::string line; std::getline(in, line);)
			lines.push_back(line);
		return lines;
	}

	Terminal terminal;
	TimelineGrid grid{40};
	LossSpans losses;
	TimelineLevels levels{terminal, grid, losses};
};

constexpr char mhz_900[] = "gpu_frequency gpu_id=1 state=900000";
constexpr char mhz_300[] = "gpu_frequency gpu_id=1 state=300000";

std::string repeat(const char *text, size_t times)
{
	std::string all;

	while (times--)
		all += text;
	return all;
}

} // namespace

TEST(TimelineLevels, HoldUntilTheyAreToldAgain)
{
	Levels w;

	w.reach(1100);
	w.tell(mhz_900, 1100); // the grid has yet to get there
	w.reach(1200);
	w.tell(mhz_300, 1200);
	w.reach(1640, true);
	EXPECT_EQ(w.drawn(),
		  (Lines{"", "gpu_frequency gpu_id=1  300 MHz to 900 MHz",
			 " level " + repeat(" ", 6) + repeat("9", 7) +
				 repeat("3", 27)}));
}

// The greatest, not the average and not the last one.
TEST(TimelineLevels, APeakInAColumnIsSeen)
{
	Levels w;

	for (uint64_t i = 0; i < 640; i++) {
		w.reach(1000 + i + 1);
		w.tell(i == 170 ? mhz_900 : mhz_300, 1000 + i);
	}
	EXPECT_EQ(w.drawn().at(2),
		  " level " + repeat("3", 10) + "9" + repeat("3", 29));
}

TEST(TimelineLevels, BeginWithWhatWasToldBefore)
{
	Levels w;

	w.tell(mhz_300, 10, true);
	w.tell(mhz_900, 20, true);
	w.reach(1640, true);
	EXPECT_EQ(w.drawn(), (Lines{"", "gpu_frequency gpu_id=1  900 MHz",
				    " level " + repeat("9", 40)}));
}

TEST(TimelineLevels, AtTheVeryEndIsTheLastColumns)
{
	Levels w;

	w.tell(mhz_300, 10, true);
	w.reach(1640);
	w.tell(mhz_900, 1640);
	w.tell(mhz_900, 1641); // nobody draws that
	w.reach(1640, true);
	EXPECT_EQ(w.drawn().at(2), " level " + repeat("3", 39) + "9");
}

// Only what is told after it is known again.
TEST(TimelineLevels, MayHaveChangedWhereRecordsAreMissing)
{
	Levels w;

	w.tell(mhz_900, 10, true);
	w.losses.add(1160, 1191);
	w.reach(1640);
	w.tell(mhz_900, 1185);
	w.reach(1640, true);
	EXPECT_EQ(w.drawn().at(2),
		  " level " + repeat("9", 10) + "/" + repeat("9", 29));
}

TEST(TimelineLevels, AreOfAllProcessesAndNotOfEach)
{
	Levels w;

	w.reach(1640);
	w.tell("gpu_mem_total gpu_id=0 pid=0 size=3221225472", 1000);
	w.tell("gpu_mem_total gpu_id=0 pid=77 size=1024", 1000);
	w.reach(1640, true);
	EXPECT_EQ(w.drawn(), (Lines{"", "gpu_mem_total gpu_id=0 pid=0  3.0 GiB",
				    " level " + repeat("9", 40)}));
}

TEST(TimelineLevels, NoneIsNothing)
{
	Levels w;

	w.reach(1640);
	w.tell("gpu_mem_total gpu_id=0 pid=77 size=1024", 1000);
	EXPECT_TRUE(w.levels.empty());
	EXPECT_EQ(w.drawn(), Lines());
}

TEST(TimelineLevels, TooManyAreCounted)
{
	Levels w;

	w.reach(1640);
	for (int i = 0; i < 6; i++)
		w.tell(fmt::format("gpu_frequency gpu_id={} state=0", i)
			       .c_str(),
		       1000);
	EXPECT_EQ(w.drawn().size(), 4 * 3 + 1u);
	EXPECT_EQ(w.drawn().back(), "2 more: grtrace export has them");
	EXPECT_EQ(w.drawn().at(2), " level " + repeat("0", 40));
	for (int i = 0; i < 100000; i++)
		w.tell(fmt::format("gpu_frequency gpu_id={} state=0", i)
			       .c_str(),
		       1000);
	EXPECT_EQ(w.drawn().back(), "at least 4 more: grtrace export has them");
}

TEST(TimelineLevels, HaveUnits)
{
	EXPECT_EQ(level_text(0, true), "0 B");
	EXPECT_EQ(level_text(1536, true), "1.5 KiB");
	EXPECT_EQ(level_text(1300000000, false), "1.3 GHz");
	EXPECT_EQ(level_text(UINT64_MAX, true), "16777216 TiB");
}

} // namespace grtrace
