// SPDX-License-Identifier: GPL-2.0
#include "read/stream/note_text.h"

#include "unit/from_text.h"

namespace grtrace {

// The text of the last event.
static std::string text_of(const std::string &text)
{
	return read_text("cpu none\ninfo start=1000\nmeta event 20 warp W\ncpu 0\n" + text, "%m")
		->lines.back();
}

TEST(NoteText, a_message_cannot_drive_a_terminal)
{
	EXPECT_EQ(text_of("message frame 7\n"), "frame 7");
	EXPECT_EQ(text_of("message a\x1b[2Jb\n"), "a?[2Jb");
}

TEST(NoteText, a_loss_has_its_reasons_only_where_they_are_several)
{
	EXPECT_EQ(text_of("lost events=3 notes=1 first=2000 last=3000\n"),
		  "4 records lost here (3 events, 1 notes), from 0.000001000 to 0.000002000");
	EXPECT_EQ(text_of("lost events=3 limited=1 pressure=2 first=1000 last=1000\n"),
		  "3 records lost here (3 events, 0 notes), from 0.000000000 to 0.000000000 "
		  "(0: buffer full; 1: rate limit; 2: backpressure)");
}

TEST(NoteText, notes_of_the_tables_say_what_they_describe)
{
	EXPECT_EQ(
		text_of("ring id=4294967280 name=userq flags=10 timeout=2000\n"),
		"ring 4294967280 is userq of card0 (mock), unknown, shared+user, timeout 2000 ms");
	EXPECT_EQ(text_of("ring id=3 class=3 device=card1 driver=mock name=sdma0\n"),
		  "ring 3 is sdma0 of card1 (mock), copy");
	EXPECT_EQ(text_of("task pid=7 tgid=6 comm=game\n"), "task 7 is game of process 6");
	EXPECT_EQ(text_of("task pid=7 tgid=6 comm=game cgroup=18446744073709551615\n"),
		  "task 7 is game of process 6, cgroup 18446744073709551615");
	EXPECT_EQ(text_of("sample n=4 previous=1 reason=1 fill=80\n"),
		  "from here 1 job of 4 is recorded, before it was every job: the channel fills "
		  "up (80 % full)");
}

// The details of the last event.
static std::string detail_of(const std::string &text)
{
	return read_text("cpu 0\n" + text, "%y")->lines.back();
}

TEST(NoteText, an_error_says_who_is_to_blame)
{
	EXPECT_EQ(detail_of("error ctx=5 seqno=1 guilty=1234 comm=game.exe text=gfx_timeout\n"),
		  " by game.exe:1234 \"gfx_timeout\"");
	EXPECT_EQ(detail_of("error guilty=4294967295\n"), " by ?:4294967295");
	EXPECT_EQ(detail_of("error comm=game\n"), " by game");
	EXPECT_EQ(detail_of("error text=dead\n"), " \"dead\"");
	EXPECT_EQ(detail_of("error kind=1 code=-5\n"), "");
}

TEST(NoteText, an_error_cannot_drive_a_terminal_and_needs_no_nul)
{
	EXPECT_EQ(detail_of("error guilty=7 comm=0123456789\x1b[2J\x07\x7f text=\x1b]0;" +
			    std::string(59, 'x') + "\x1b\n"),
		  " by 0123456789?[2J??:7 \"?]0;" + std::string(59, 'x') + "?\"");
	EXPECT_EQ(detail_of("error comm=\xff\xfe text=a\xc3\n"),
		  " by \xef\xbf\xbd\xef\xbf\xbd \"a\xef\xbf\xbd\"");
}

TEST(NoteText, a_wait_ends_with_a_result)
{
	EXPECT_EQ(detail_of("wait_exit pid=7 ctx=5 seqno=1 arg=-62\n"), " -ETIME");
	EXPECT_EQ(detail_of("wait_exit pid=7 ctx=5 seqno=1 arg=-512\n"), " -ERESTARTSYS");
	EXPECT_EQ(detail_of("wait_exit pid=7 ctx=5 seqno=1 arg=-999\n"), " -999");
	EXPECT_EQ(detail_of("wait_exit pid=7 ctx=5 seqno=1\n"), "");
	EXPECT_EQ(detail_of("complete ctx=5 seqno=1 arg=-62\n"), "");
}

TEST(NoteText, a_queue_is_off_or_on_for_a_reason)
{
	EXPECT_EQ(text_of("queue_state ctx=5 state=0 reason=3 client=7\n"),
		  "off evicted, client 7");
	EXPECT_EQ(text_of("queue_state ctx=5 state=1 reason=4\n"), "on restored");
	EXPECT_EQ(text_of("queue_state ctx=5 state=9 reason=99\n"), "? ?");
}

TEST(NoteText, a_context_of_fences_has_a_driver)
{
	EXPECT_EQ(text_of("fence_name ctx=9001 driver=nvidia timeline=nvidia.prime:ce43\n"),
		  "context 9001 has fences of nvidia (nvidia.prime:ce43)");
	EXPECT_EQ(text_of("fence_name ctx=9001 driver=a\x1b[2J timeline=b\x1b[c\n"),
		  "context 9001 has fences of a?[2J (b?[c)");
}

TEST(NoteText, an_ioctl_has_its_number)
{
	EXPECT_EQ(text_of("ioctl pid=7 cmd=0xc0406442 driver=a\x1b[2J\n"),
		  "a?[2J ioctl 0xc0406442");
}

TEST(NoteText, what_is_not_known_is_called_as_the_metadata_does)
{
	EXPECT_EQ(text_of("unknown type=20 size=48\n"),
		  "warp, of type 20, which this program does not know, 48 bytes");
	EXPECT_EQ(text_of("unknown type=21 size=48\n"), "record of unknown type 21, 48 bytes");
}

} // namespace grtrace
