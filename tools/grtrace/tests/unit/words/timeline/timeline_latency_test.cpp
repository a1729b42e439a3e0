// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_latency.h"

#include "unit/from_text.h"
#include "words/timeline/timeline_drawing.h"

namespace grtrace {

namespace {

std::string printed(const std::string &text, bool always)
{
	Terminal terminal(TerminalFacts(), ColourWhen::never, 80);
	Diagnostics diagnostics([](const std::string &) {});
	Capture capture(diagnostics);
	TimelineChoice choice;
	fmt::memory_buffer out;
	const Event *event;

	capture.open_memory(bytes_of("info start=1000\ncpu 0\n" + text, false), true);
	TimelineDrawing drawing(choice, 0, capture);
	drawing.add(std::make_unique<TimelineLatency>(always, terminal, capture, drawing.kinds()));
	while (capture.next(event) == Next::event)
		drawing.feed(*event);
	drawing.finish();
	drawing.print(out);
	return fmt::to_string(out);
}

// The line that begins with this, one space for many.
std::string line_of(const std::string &text, const std::string &name)
{
	const size_t at = text.find("\n  " + name + " ");
	std::string line;

	if (at == text.npos)
		return "none";
	for (char c : text.substr(at + 3, text.find('\n', at + 1) - at - 3))
		if (c != ' ' || (!line.empty() && line.back() != ' '))
			line += c;
	return line;
}

const char one_job[] = "submit pid=7 ctx=5 ring=1 seqno=1 ts=2100\n"
		       "ioctl pid=7 cmd=0xc0106442 driver=virtio_gpu ts=2300 duration=300\n"
		       "pick ctx=5 ring=1 seqno=1 ts=2400\n"
		       "wait_enter pid=7 ctx=5 seqno=1 ts=2450\n"
		       "end ctx=5 ring=1 seqno=1 ts=2500\n"
		       "complete ctx=5 ring=1 seqno=1 ts=2500 arg=65426\n" // -110
		       "wait_exit pid=7 ctx=5 seqno=1 ts=2600\n";

} // namespace

TEST(TimelineLatency, measures_each_way)
{
	const std::string text = printed(one_job, true);
	auto six = [](const std::string &head, const std::string &value) {
		std::string line = head;

		for (int i = 0; i < 6; i++)
			line += " " + value;
		return line;
	};

	EXPECT_EQ(line_of(text, "virtio_gpu EXECBUFFER"),
		  six("virtio_gpu EXECBUFFER 1 0", "300 ns"));
	EXPECT_EQ(line_of(text, "SUBMIT to COMPLETE"), six("SUBMIT to COMPLETE 1 1", "400 ns"));
	EXPECT_EQ(line_of(text, "run to COMPLETE"), six("run to COMPLETE 1 1", "100 ns"));
	EXPECT_EQ(line_of(text, "entry to COMPLETE"), six("entry to COMPLETE 1 1", "500 ns"));
	EXPECT_EQ(line_of(text, "entry to waiter back"), six("entry to waiter back 1 1", "600 ns"));
	// The sum of one line is that line.
	EXPECT_EQ(line_of(text, "all"), "none");
	EXPECT_EQ(text.find("have no ioctl"), text.npos);
	EXPECT_EQ(text.find('*'), text.npos);
}

TEST(TimelineLatency, says_nothing_of_a_capture_without_ioctls_unless_asked)
{
	const std::string text = "submit pid=7 ctx=5 ring=1 seqno=1 ts=2100\n"
				 "complete ctx=5 ring=1 seqno=1 ts=2500\n";

	EXPECT_EQ(printed(text, false), "");
	EXPECT_EQ(line_of(printed(text, true), "all"), "all 0 0 NA NA NA NA NA NA");
	EXPECT_EQ(line_of(printed(text, true), "entry to COMPLETE"),
		  "entry to COMPLETE 0 0 NA NA NA NA NA NA");
	EXPECT_NE(printed(text, true).find("\n1 of 1 jobs have no ioctl"), std::string::npos);
	EXPECT_EQ(printed(one_job, false), "\n" + printed(one_job, true));
}

// Only lines in whose time something was lost.
TEST(TimelineLatency, marks_figures_that_a_loss_touches)
{
	const std::string text =
		printed(std::string("ioctl pid=7 cmd=0xc04064a0 driver=mock ts=1500 "
				    "duration=10\n"
				    "lost events=1 first=1600 last=1700\n") +
				"ioctl pid=7 cmd=0xc04064a0 driver=other ts=1800 "
				"duration=10\n"
				"ioctl pid=7 cmd=0xc04064a0 driver=mock ts=1900 "
				"duration=20\n",
			true);

	EXPECT_EQ(line_of(text, "mock MODE_GETRESOURCES").back(), '*');
	EXPECT_NE(line_of(text, "other MODE_GETRESOURCES").back(), '*');
	EXPECT_EQ(line_of(text, "all").back(), '*');
	EXPECT_NE(text.find("\n*: records were lost in this time\n"), std::string::npos);
	EXPECT_NE(text.find("Histogram: ioctl, from entry to return *\n"), std::string::npos);
}

// Sampled jobs stand for others, ioctls do not.
TEST(TimelineLatency, counts_what_jobs_stand_for)
{
	const std::string text = printed(std::string("sampling 4\npacket\n") + one_job, true);

	EXPECT_EQ(line_of(text, "virtio_gpu EXECBUFFER").substr(0, 26),
		  "virtio_gpu EXECBUFFER 1 0 ");
	EXPECT_EQ(line_of(text, "entry to COMPLETE").substr(0, 22), "entry to COMPLETE 4 4 ");
}

} // namespace grtrace
