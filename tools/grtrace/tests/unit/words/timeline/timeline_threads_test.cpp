// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_threads.h"

#include <sstream>

#include "unit/from_text.h"
#include "words/timeline/timeline_drawing.h"
#include "words/timeline/timeline_gantt.h"

namespace grtrace {

namespace {

// The picture of 40 columns.
struct Drawn {
	explicit Drawn(const std::string &events, TimelineChoice choice = {})
	{
		Terminal terminal(TerminalFacts(), ColourWhen::never, 40 + TimelineGantt::margin);
		Diagnostics diagnostics([](const std::string &) {});
		Capture capture(diagnostics);
		fmt::memory_buffer out;
		const Event *event;

		capture.open_memory(bytes_of("info start=1000\ncpu 0\n"
					     "task pid=7 tgid=7 comm=one ts=1000\n"
					     "task pid=8 tgid=7 comm=two ts=1000\n" +
						     events,
					     false),
				    true);
		TimelineDrawing drawing(choice, 0, capture);
		drawing.add(std::make_unique<TimelineGantt>(terminal, choice, 0, capture,
							    drawing.kinds()));
		while (capture.next(event) == Next::event)
			drawing.feed(*event);
		drawing.finish();
		drawing.print(out);
		text = fmt::to_string(out);
	}

	// The n-th row of that name, behind it.
	std::string row(const std::string &name, size_t n = 0) const
	{
		std::istringstream in(text);

		for (std::string line; std::getline(in, line);)
			if (line.starts_with(name) && !n--)
				return line.substr(name.size());
		return "none";
	}
	bool has(const std::string &part) const { return text.find(part) != text.npos; }

	std::string text;
};

// The interval is 40 ns: from 1000 to 1040.
const char begin[] = "irq ring=1 ts=1000\n";
const char end[] = "irq ring=1 ts=1040\n";

} // namespace

TEST(TimelineThreads, draws_ioctls_and_waits_of_each_thread)
{
	Drawn drawn(std::string(begin) +
		    "wait_enter pid=8 ctx=5 seqno=1 ts=1010\n"
		    "ioctl pid=7 cmd=0xc0106442 driver=virtio_gpu ts=1015 "
		    "duration=10\n"
		    "ioctl pid=7 cmd=0x40086409 driver=virtio_gpu ts=1020 "
		    "duration=3 result=-22\n"
		    "wait_exit pid=8 ctx=5 seqno=1 ts=1030\n" +
		    end);

	EXPECT_EQ(drawn.row(" ioctl "), ".....1111111111..222....................");
	EXPECT_EQ(drawn.row(" error "), "                   !");
	EXPECT_EQ(drawn.row("  wait "), "          WWWWWWWWWWWWWWWWWWWW");
	EXPECT_TRUE(drawn.has("\none 7  2 ioctls 32.5 %, 1 failed\n")) << drawn.text;
	EXPECT_TRUE(drawn.has("\ntwo 8 of 7  1 wait 50.0 %\n")) << drawn.text;
	EXPECT_TRUE(drawn.has("1  virtio_gpu EXECBUFFER"));
	EXPECT_TRUE(drawn.has("2  GEM_CLOSE") || drawn.has("2  virtio_gpu GEM_CLOSE"));
}

// 10 ns a column.
TEST(TimelineThreads, shows_however_short_it_was)
{
	Drawn drawn(std::string(begin) + "ioctl pid=7 cmd=0xc0106442 driver=virtio_gpu ts=1015 "
					 "duration=0\n"
					 "wait_enter pid=7 ctx=5 seqno=1 ts=1100\n"
					 "wait_exit pid=7 ctx=5 seqno=1 ts=1104\n"
					 "irq ring=1 ts=1400\n");

	EXPECT_EQ(drawn.row(" ioctl ").substr(0, 3), ".1.");
	EXPECT_EQ(drawn.row("  wait "), "          w");
}

TEST(TimelineThreads, draws_a_wait_without_an_end_up_to_the_end)
{
	Drawn drawn(std::string(begin) + "wait_enter pid=7 ctx=5 seqno=1 ts=1036\n" + end);

	EXPECT_EQ(drawn.row("  wait "), "                                    WWWW");
}

TEST(TimelineThreads, draws_what_is_in_the_interval)
{
	TimelineChoice choice;

	ASSERT_TRUE(choice.time.set_interval("0.00000002:0.00000006").ok());
	Drawn drawn(std::string(begin) + "ioctl pid=7 cmd=0xc0106442 driver=virtio_gpu "
					 "ts=1015 duration=10\n"
					 "ioctl pid=8 cmd=0xc0106442 driver=virtio_gpu "
					 "ts=1030 duration=20\n"
					 "ioctl pid=8 cmd=0xc0106442 driver=virtio_gpu "
					 "ts=1070 duration=20\n"
					 "irq ring=1 ts=1080\n",
		    choice);

	EXPECT_FALSE(drawn.has("one 7"));
	EXPECT_EQ(drawn.row(" ioctl "), "1111111111....................1111111111");
}

TEST(TimelineThreads, has_nine_digits_and_one_for_all_others)
{
	std::string text = begin;

	// The first took longest.
	for (int i = 0; i < 11; i++)
		text += fmt::format("ioctl pid=7 cmd={} driver=mock ts={} "
				    "duration={}\n",
				    0xc0106440 + i, 1020 + i, 13 - i);
	Drawn drawn(text + end);

	EXPECT_EQ(drawn.row(" ioctl ").substr(28, 2), "**");
	EXPECT_TRUE(drawn.has("\n1  mock 0x40 "));
	EXPECT_TRUE(drawn.has("\n9  mock 0x48 "));
	EXPECT_FALSE(drawn.has("mock 0x49 "));
	EXPECT_TRUE(drawn.has("*: in another one"));
}

TEST(TimelineThreads, draws_those_that_were_longest_in_the_kernel)
{
	std::string text = begin;

	for (int i = 0; i < 20; i++)
		text += fmt::format("ioctl pid={} cmd=0xc0106442 driver=mock "
				    "ts=1030 duration={}\n",
				    100 + i, i < 4 ? 1 : 2);
	Drawn drawn(text + end);

	EXPECT_FALSE(drawn.has("? 103 "));
	EXPECT_TRUE(drawn.has("\n? 104  1 ioctl 5.0 %\n"));
	EXPECT_TRUE(drawn.has("\n? 119  1 ioctl 5.0 %\n"));
	EXPECT_TRUE(drawn.has("\n4 more threads: choose with --pid"));
}

TEST(TimelineThreads, tells_where_records_were_lost)
{
	Drawn drawn(std::string(begin) +
		    "ioctl pid=7 cmd=0xc0106442 driver=virtio_gpu ts=1015 "
		    "duration=10\n"
		    "lost events=1 first=1014 last=1020\n" +
		    end);

	EXPECT_EQ(drawn.row(" ioctl "), ".....1111111111//////...................");
}

TEST(TimelineThreads, leaves_out_threads_that_it_has_no_room_for)
{
	std::string text = begin;

	// Three rows of 40 * 16 slices of 16 bytes each.
	constexpr size_t fit = TimelineThreads::memory_max / (40 * 16 * 16 * 3);
	for (size_t i = 0; i < fit + 100; i++)
		text += fmt::format("wait_enter pid={0} ctx=5 seqno=1 ts=1001\n"
				    "wait_exit pid={0} ctx=5 seqno=1 ts=1003\n",
				    100 + i);
	Drawn drawn(text + end);

	EXPECT_TRUE(drawn.has("\nNo room for ")) << drawn.text;
}

// 300 ns a column.
TEST(TimelineGantt, counts_messages_in_each_column)
{
	std::string text = begin;

	for (int i = 1; i <= 12; i++)
		text += fmt::format("message vblank crtc=0 seq={}\n", i);
	Drawn drawn("message too early\n" + text + "irq ring=1 ts=13000\nmessage too late\n");
	const std::string row = drawn.row("vblank ");

	EXPECT_EQ(std::count(row.begin(), row.end(), '1'), 12);
	EXPECT_EQ(row.find_first_not_of(" 1"), row.npos) << drawn.text;
	EXPECT_EQ(drawn.row("  note "), "none");
	EXPECT_TRUE(drawn.has("how many messages"));
}

// By the event, however the tool that recorded it writes that. Captures of older
// recorders also have notes of other events.
TEST(TimelineGantt, counts_other_messages_as_notes)
{
	Drawn drawn(std::string(begin) + "message vblank crtc=0 seq=1\n"
					 "message drm_vblank_event: crtc=0\n"
					 "message drm:drm_vblank_event: crtc=0\n"
					 "message gpu_mem_total gpu_id=0 size=4096\n"
					 "message power:gpu_frequency: state=1\n"
					 "message :\n"
					 "message vblanks are nice\n"
					 "irq ring=1 ts=9000\n");
	auto sum = [&](const char *name) {
		int count = 0;

		for (char c : drawn.row(name))
			count += isdigit(c) ? c - '0' : 0;
		return count;
	};

	EXPECT_EQ(sum("vblank "), 3) << drawn.text;
	EXPECT_EQ(sum("  note "), 4) << drawn.text;
}

} // namespace grtrace
