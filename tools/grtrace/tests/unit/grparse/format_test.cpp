// SPDX-License-Identifier: GPL-2.0
//
// The -f language, and the lines it makes.
#include "unit/from_text.h"

#include "grparse/format.h"
#include "grparse/text_printer.h"

namespace grtrace {

static std::string error_of(const char *source)
{
	return Format().compile(source).sentence();
}

static std::string line_of(const char *format, const char *record)
{
	std::string text = "cpu none\n"
			   "info start=1000000000 real=1700000000000000000\n"
			   "ring id=3 class=3 device=card1 driver=mock "
			   "name=sdma0\n"
			   "cpu 2\ntask pid=70 tgid=69 comm=glxgears "
			   "ts=1000000000\n";

	auto r = read_text(text + record + "\n", format);
	return r->lines.back();
}

static constexpr const char *submit = "submit pid=70 ctx=5 ring=3 seqno=9 arg=4 ts=3000000042";

TEST(Format, default_header_is_blkparses)
{
	EXPECT_EQ(line_of("%D %2c %8s %5T.%9t %5p %2a %3d ", submit),
		  "  0,3    2        1     2.000000042    70  Q   X ");
}

TEST(Format, every_field)
{
	EXPECT_EQ(line_of("%a|%c|%C|%d|%D|%e|%f|%g|%k|%l", submit),
		  "Q|2|glxgears|X|  0,3  |0|-|1|-|s");
	EXPECT_EQ(line_of("%m|%M|%n|%N|%p|%P|%r|%R|%s|%S", submit), "|0|4|40|70|69|sdma0|3|1|9");
	EXPECT_EQ(line_of("%t|%T|%v|%V|%x", submit), "000000042|2|card1|mock|5");
}

TEST(Format, absolute_time_is_local)
{
	setenv("TZ", "UTC", 1);
	tzset();
	EXPECT_EQ(line_of("%z", submit), "22:13:22.000000");
}

TEST(Format, width_and_minus)
{
	EXPECT_EQ(line_of("[%4S][%-4S][%1x][%12C][%-12C]", submit),
		  "[   9][9   ][5][    glxgears][glxgears    ]");
}

TEST(Format, escapes)
{
	EXPECT_EQ(line_of("a\\tb\\n\\\\%%", submit), "a\tb\n\\%");
	EXPECT_NE(error_of("\\x"), "");
	EXPECT_NE(error_of("a\\"), "");
	EXPECT_NE(error_of("%"), "");
	EXPECT_NE(error_of("%-12"), "");
	EXPECT_EQ(error_of("%999S"), "format \"%999S\": a field can be at most 255 wide");
}

TEST(Format, an_unknown_letter_stands_for_itself)
{
	EXPECT_EQ(line_of("%j%S", submit), "j9");
}

TEST(Format, times_before_the_start_are_negative)
{
	EXPECT_EQ(line_of("%T.%t", "submit ring=3 ts=500000000"), "-0.500000000");
}

TEST(Format, what_is_not_known_has_a_mark)
{
	EXPECT_EQ(line_of("%D %d %r %C %P", "submit pid=1 ring=77"), "  -,77  - ? ? -");
}

TEST(Format, notes_speak_in_words)
{
	EXPECT_EQ(line_of("%a %m", "message frame 1"), "m frame 1");
	EXPECT_EQ(line_of("%a %m", "task pid=8 tgid=7 comm=Xorg"),
		  "mT task 8 is Xorg of process 7");
	EXPECT_EQ(line_of("%a %m", "ring id=4 class=1 name=gfx"),
		  "mR ring 4 is gfx of card0 (mock), render");
	EXPECT_EQ(line_of("%a %m", "lost events=2 notes=1 first=1000000000 "
				   "last=1500000000"),
		  "mL 3 records lost here (2 events, 1 notes), from "
		  "0.000000000 to 0.500000000");
}

// Room for a line is made for usual fields; a longer text asks for more.
TEST(Format, long_texts_and_wide_fields)
{
	std::string text(1000, 'x');

	EXPECT_EQ(line_of("%m|%m|%255a|%-255a|", ("message " + text).c_str()),
		  text + "|" + text + "|" + std::string(254, ' ') + "m|m" + std::string(254, ' ') +
			  "|");
}

// A capture may try to speak to the terminal.
TEST(Format, control_characters_do_not_pass)
{
	EXPECT_EQ(line_of("%m", "message a\033[2Jb"), "a?[2Jb");
	EXPECT_EQ(line_of("%C", "task pid=9 comm=\033[2J\nsubmit pid=9"), "?[2J");
}

TEST(TextPrinter, format_of_one_action)
{
	TextPrinter printer;

	EXPECT_TRUE(printer.set_format_of("C,%a\\n").ok());
	EXPECT_TRUE(printer.set_format_of("DP,%a, %f\\n").ok());
	EXPECT_TRUE(printer.set_format_of("m,%m\\n").ok());
	EXPECT_FALSE(printer.set_format_of("C").ok());
	EXPECT_FALSE(printer.set_format_of("Z,%a").ok());
	EXPECT_FALSE(printer.set_format_of("C,\\q").ok());
}

TEST(Format, slow_events_are_marked)
{
	auto r = read_text("cpu 0\n"
			   "start ctx=5 ring=1 seqno=1 flags=0x10\n"
			   "end ctx=5 ring=1 seqno=1 flags=0x20\n"
			   "complete ctx=5 ring=1 seqno=1 flags=0x30\n"
			   "complete ctx=5 ring=1 seqno=2\n",
			   "%a%w|%b");

	EXPECT_EQ(r->lines, (Lines{"B [slow queue]|1", "E [slow exec]|1",
				   "C [slow queue] [slow exec]|1", "C|1"}));
}

TEST(Format, what_an_event_stands_for)
{
	auto r = read_text("cpu 0\nsampling 16\nsubmit ctx=5 seqno=1\n"
			   "message x\n",
			   "%a %b");

	EXPECT_EQ(r->lines, (Lines{"Q 16", "m 1"}));
}

// The header of the defaults is printed without a format, and is the same.
TEST(Format, defaults_begin_with_the_header)
{
	const char *text = "cpu none\ninfo start=1000000000\n"
			   "ring id=3 class=3 device=card1 name=sdma0\n"
			   "cpu 2\n"
			   "submit pid=7 ctx=5 ring=3 seqno=9 ts=3000000042\n"
			   "pick pid=1234567 ctx=5 ring=3 seqno=9 ts=+999999999\n"
			   "commit ctx=5 ring=12345 seqno=9 fence=4:1\n"
			   "fence ctx=5 seqno=9 gseq=1000000000 ts=+999999999\n"
			   "error ctx=5 ring=3 seqno=9 kind=1 code=-110\n"
			   "message what it was\n"
			   "unknown type=20 size=48\n"
			   "lost events=3\n"
			   "cpu 123\n"
			   "complete ctx=5 ring=3 seqno=9 ts=5400000001\n"
			   "submit ctx=5 seqno=18446744073709551615 "
			   "ts=123456789012345\n";
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	TextPrinter defaults, language;
	const Event *event;
	unsigned int lines = 0;

	ASSERT_TRUE(language.set_format("%D %2c %8s %5T.%9t %5p %2a %3d ").ok());
	capture.open_memory(bytes_of(text, false), true);
	for (; capture.next(event) == Next::event; lines++) {
		fmt::memory_buffer line, header;

		defaults.print(line, *event, capture.session());
		language.print(header, *event, capture.session());
		EXPECT_EQ(fmt::to_string(line).substr(0, header.size()), fmt::to_string(header));
	}
	EXPECT_EQ(lines, 10u);
}

TEST(Format, numbers_of_every_length)
{
	uint64_t number = 1;

	for (int digits = 1; digits <= 10; digits++, number *= 10) {
		for (uint64_t value : {number - 1, number}) {
			std::string record = fmt::format("submit pid={} ctx=5 ring=3 "
							 "seqno=9 ts=3000000042",
							 value & UINT32_MAX);

			EXPECT_EQ(line_of("%p", record.c_str()),
				  fmt::format("{}", value & UINT32_MAX));
			EXPECT_EQ(line_of("[%12p]", record.c_str()),
				  fmt::format("[{:>12}]", value & UINT32_MAX));
		}
	}
	EXPECT_EQ(line_of("[%40S][%-20p]", submit), fmt::format("[{:>40}][{:<20}]", 9, 70));
	EXPECT_EQ(line_of("%12t|%-12t", submit), "   000000042|000000042   ");
}

} // namespace grtrace
