// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_list.h"

#include <sstream>

#include "unit/from_text.h"
#include "words/timeline/timeline_drawing.h"

namespace grtrace {

namespace {

// The lines below the heading, with one space for many.
Lines listed(const std::string &text, TimelineChoice choice = {},
	     size_t limit = 100)
{
	Terminal terminal(TerminalFacts(), ColourWhen::never, 80);
	Diagnostics diagnostics([](const std::string &) {});
	Capture capture(diagnostics);
	fmt::memory_buffer out;
	const Event *event;

	capture.open_memory(
		bytes_of("info start=1000\n"
			 "ring id=1 class=1 device=card0 driver=mock name=gfx\n"
			 "cpu 0\n"
			 "task pid=7 tgid=7 comm=one ts=1000\n" +
				 text,
			 false),
		true);
	TimelineDrawing drawing(choice, 0, capture);
	drawing.add(std::make_unique<TimelineList>(limit, terminal, choice,
						   capture, drawing.kinds()));
	while (capture.next(event) == Next::event) {
		drawing.lose(capture.take_gaps());
		drawing.feed(*event);
	}
	drawing.lose(capture.take_gaps());
	drawing.finish();
	drawing.print(out);

	std::istringstream in(fmt::to_string(out));
	Lines lines;
	for (std::string line; std::getline(in, line);) {
		lines.emplace_back();
		for (char c : line)
			if (c != ' ' || (!lines.back().empty() &&
					 lines.back().back() != ' '))
				lines.back() += c;
	}
	EXPECT_NE(lines[0].find("ioctls, waits, jobs and events"),
		  std::string::npos);
	lines.erase(lines.begin(), lines.begin() + 2);
	return lines;
}

const char one_job[] =
	"submit pid=7 ctx=5 ring=1 seqno=1 ts=2100\n"
	"ioctl pid=7 cmd=0xc0106442 driver=virtio_gpu ts=2300 duration=300 "
	"handles=1\n"
	"start ctx=5 ring=1 seqno=1 ts=2400\n"
	"wait_enter pid=7 ctx=5 seqno=1 ts=2450\n"
	"end ctx=5 ring=1 seqno=1 ts=2500\n"
	"complete ctx=5 ring=1 seqno=1 ts=2510\n"
	"wait_exit pid=7 ctx=5 seqno=1 ts=2600\n";

} // namespace

TEST(TimelineList, tells_of_a_job_from_its_ioctl_to_its_waiter)
{
	EXPECT_EQ(listed(one_job),
		  Lines({"0.000001000 300 ns 7 one ioctl virtio_gpu "
			 "EXECBUFFER = 0, 1 handle, submitted 5:1 gfx",
			 "0.000001100 410 ns 7 one job 5:1 gfx, in virtio_gpu "
			 "EXECBUFFER, queued 300 ns, ran 100 ns, END to "
			 "COMPLETE 10 ns, from entry to COMPLETE 510 ns, until "
			 "the waiter is back 600 ns",
			 "0.000001450 150 ns 7 one wait for job 5:1 gfx"}));
}

TEST(TimelineList, names_the_first_jobs_of_an_ioctl)
{
	std::string text;

	for (int i = 1; i <= 5; i++)
		text += fmt::format(
			"submit pid=7 ctx=5 ring=1 seqno={} ts={}\n", i,
			2100 + i);
	const Lines lines = listed(text + "ioctl pid=7 cmd=0xc0106442 "
					  "driver=virtio_gpu ts=2300 "
					  "duration=300 result=-12\n");
	EXPECT_EQ(lines[0], "0.000001000 300 ns 7 one ioctl virtio_gpu "
			    "EXECBUFFER = -12, submitted 5:1 gfx, "
			    "5:2 gfx, 5:3 gfx and 2 more");
	EXPECT_EQ(lines[5], "0.000001105 NA 7 one job 5:5 gfx, in virtio_gpu "
			    "EXECBUFFER, no end of it seen");
}

TEST(TimelineList, tells_of_what_has_no_duration)
{
	EXPECT_EQ(listed("message hello\n"
			 "submit pid=7 ctx=5 ring=1 seqno=1 ts=2100\n"
			 "error ctx=5 ring=1 seqno=1 kind=1 code=-110 ts=2200\n"
			 "error kind=2 code=-5 ts=2300\n"
			 "lost events=3 first=2400 last=2450\n"
			 "complete ctx=5 ring=1 seqno=1 ts=2500 arg=65426\n"
			 "wait_enter pid=8 ctx=9 seqno=1 ts=2600\n"),
		  Lines({"0.000001000 NA NA NA note hello",
			 "0.000001100 400 ns 7 one job 5:1 gfx, failed -110",
			 "0.000001200 NA NA NA error timeout -110 of 5:1 gfx",
			 "0.000001300 NA NA NA error hang -5",
			 "0.000001400 50 ns NA NA lost 3 records of CPU 0",
			 "0.000001600 NA 8 ? wait for fence 9:1, no end of it "
			 "seen"}));
}

TEST(TimelineList, tells_of_records_that_are_missing)
{
	const Lines lines =
		listed("submit pid=7 ctx=5 ring=1 seqno=1 ts=2000\n"
		       "overwritten 7\n"
		       "packet\n"
		       "submit pid=7 ctx=5 ring=1 seqno=2 ts=3000\n");

	EXPECT_EQ(lines[1], "0.000001001 0 ns NA NA lost 7 records of CPU "
			    "0, missing in the capture");
}

TEST(TimelineList, keeps_the_first_of_what_is_chosen)
{
	TimelineChoice later, other;

	EXPECT_EQ(listed(one_job, {}, 1).size(), 1u);
	EXPECT_EQ(listed(one_job, {}, 1)[0].substr(0, 24),
		  "0.000001000 300 ns 7 one");
	ASSERT_TRUE(later.time.set_interval("0.0000016:1").ok());
	EXPECT_EQ(listed(one_job, later),
		  Lines({"0.000001450 150 ns 7 one wait for job 5:1 gfx"}));
	ASSERT_TRUE(other.jobs.add_pids("8").ok());
	EXPECT_EQ(listed(one_job, other), Lines());
}

} // namespace grtrace
