// SPDX-License-Identifier: GPL-2.0
//
// The default lines, by action; the language of formats is format_test's.
#include "grparse/text_printer.h"

#include "unit/from_text.h"

namespace grtrace {

namespace {

// The last line of a capture.
std::string line_of(TextPrinter &printer, const std::string &record, uint64_t elapsed = no_time)
{
	auto bytes = bytes_of("cpu none\ninfo start=1000000000\n"
			      "ring id=1 class=1 device=card0 driver=mock name=gfx\n"
			      "cpu 2\ntask pid=7 tgid=7 comm=game ts=1000000000\n" +
				      record + "\n",
			      false);
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	std::string line;
	const Event *event;

	capture.open_memory(bytes, true);
	while (capture.next(event) == Next::event) {
		fmt::memory_buffer out;

		printer.print(out, *event, capture.session(), elapsed);
		line = fmt::to_string(out);
	}
	return line;
}

// Behind the header that all have.
std::string tail_of(const std::string &record)
{
	TextPrinter printer;

	return line_of(printer, record).substr(49);
}

} // namespace

TEST(TextPrinter, a_line_begins_as_blkparses)
{
	TextPrinter printer;

	EXPECT_EQ(line_of(printer, "submit pid=7 ctx=5 ring=1 seqno=9 arg=4 ts=3000000042"),
		  "  0,1    2        1     2.000000042     7  Q   G gfx 5:9 [game]\n");
	EXPECT_EQ(line_of(printer, "submit pid=7 ctx=5 ring=9 seqno=9 arg=4 ts=500000000"),
		  "  -,9    2        1    -0.500000000     7  Q   - ? 5:9 [game]\n");
}

TEST(TextPrinter, each_action_has_its_own_end)
{
	EXPECT_EQ(tail_of("submit pid=7 ctx=5 ring=1 seqno=9 arg=4 fence=6:1"),
		  "gfx 5:9 -> 6:1 [game]\n");
	EXPECT_EQ(tail_of("pick ctx=5 ring=1 seqno=9 arg=4"), "gfx 5:9 + 4\n");
	EXPECT_EQ(tail_of("blocked ctx=5 ring=1 seqno=9 fence=6:1"), "gfx 5:9 <- 6:1\n");
	EXPECT_EQ(tail_of("commit ctx=5 ring=1 seqno=9 fence=6:1"), "gfx 5:9 -> 6:1\n");
	EXPECT_EQ(tail_of("queue_state pid=7 ctx=5 ring=1 state=0 reason=3 client=12"),
		  "gfx 5:0 off evicted, client 12 [game]\n");
	EXPECT_EQ(tail_of("fence_name pid=7 ctx=9 driver=nvidia timeline=prime"),
		  "context 9 has fences of nvidia (prime)\n");
	EXPECT_EQ(tail_of("complete ctx=5 ring=1 seqno=9 arg=-5"), "gfx 5:9 [-5]\n");
	EXPECT_EQ(tail_of("error ctx=5 ring=1 seqno=9 kind=2 code=-110"), "gfx 5:9 hang -110\n");
	EXPECT_EQ(tail_of("wait_enter pid=7 ctx=5 seqno=9"), "5:9 [game]\n");
	EXPECT_EQ(tail_of("message hello"), "hello\n");
}

TEST(TextPrinter, t_puts_the_time_of_the_step_before_the_marks)
{
	TextPrinter printer;

	printer.track_times();
	const std::string slow =
		fmt::format("end ctx=5 ring=1 seqno=9 flags={}", GRTRACE_SLOW_EXEC);
	EXPECT_EQ(line_of(printer, slow, 12345).substr(49), "gfx 5:9 (12.345) [slow exec]\n");
	EXPECT_EQ(line_of(printer, slow).substr(49), "gfx 5:9 [slow exec]\n");
}

TEST(TextPrinter, a_switch_away_before_the_end_is_marked)
{
	EXPECT_EQ(tail_of("ctx_switch ctx=6 ring=1 seqno=1 fence=5:9 arg=1"),
		  "gfx 5:9 => 6:1 [preempted]\n");
	EXPECT_EQ(tail_of("ctx_switch ctx=6 ring=1 seqno=1 fence=5:9 arg=2"), "gfx 5:9 => 6:1\n");
}

TEST(TextPrinter, F_is_for_one_action_by_its_letter_as_written)
{
	TextPrinter printer;

	ASSERT_TRUE(printer.set_format_of("Q,%x\\n").ok());
	EXPECT_EQ(line_of(printer, "submit ctx=5 seqno=9"), "5\n");
	// Also where it has a line of its own.
	EXPECT_EQ(line_of(printer, "submit ctx=5 seqno=9 fence=6:1"), "5\n");
	EXPECT_NE(line_of(printer, "pick ctx=5 seqno=9"), "5\n");
	EXPECT_FALSE(printer.set_format_of("q,%x").ok());
	EXPECT_FALSE(printer.set_format_of("Q").ok());
}

} // namespace grtrace
