// SPDX-License-Identifier: GPL-2.0
//
// The output of grparse -d can be read again, and is the same.
#include "unit/from_text.h"

#include "words/packets/stream_writer.h"

namespace grtrace {

static constexpr const char *format = "%c %s %T.%t %a %p %x:%S %f %R %m";

static constexpr const char *text = "cpu none\ninfo start=1000 cpus=2\nmeta source mock 1 2\n"
				    "ring id=1 class=1 name=gfx\n"
				    "cpu 0\n"
				    "task pid=7 tgid=7 comm=a ts=2000\n"
				    "submit pid=7 ctx=0x100000005 ring=1 seqno=1\n"
				    "lost events=4 first=1 last=2\n"
				    "cpu 1\n"
				    "commit ctx=0x100000005 ring=1 seqno=1 fence=0x200000001:3\n"
				    "message hello\n"
				    "cpu 0\n"
				    "complete ctx=0x100000005 ring=1 seqno=1 ts=+5000000000\n";

// Copies a capture; leaves events of type `without` out.
static Bytes copy(const std::vector<Bytes> &streams, uint16_t without = 0)
{
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	BinaryWriter writer(capture.session());
	fmt::memory_buffer out;
	const Event *event;

	capture.open_memory(streams, true);
	while (capture.next(event) == Next::event) {
		if (event->type == without)
			writer.skip(*event);
		else
			writer.write(out, *event);
	}
	writer.finish(out);
	return Bytes(out.begin(), out.end());
}

TEST(BinaryWriter, reads_back_the_same)
{
	std::vector<Bytes> streams = bytes_of(text, false);
	Reading before(streams, true, format);
	Reading after({copy(streams)}, false, format);

	EXPECT_EQ(before.lines, after.lines);
	EXPECT_EQ(after.sentences, Lines{});
	EXPECT_TRUE(after.capture.session().stopped);
	for (const CpuStats &cpu : after.capture.stats().cpus)
		EXPECT_TRUE(cpu.stopped);
	EXPECT_EQ(before.capture.stats().lost(), after.capture.stats().lost());
	EXPECT_EQ(after.capture.session().sources.size(), 1u);
	EXPECT_EQ(after.capture.session().rings.find(1).name, "gfx");
}

// The number of its packet is above those of all records before it.
TEST(BinaryWriter, a_loss_that_begins_a_packet)
{
	const std::vector<Bytes> streams =
		bytes_of("cpu 0\n"
			 "submit pid=7 ctx=5 ring=1 seqno=1 ts=2000\n"
			 "submit pid=7 ctx=5 ring=1 seqno=2\n"
			 "lost events=4 first=+6000000000 last=+6000000001\n"
			 "submit pid=7 ctx=5 ring=1 seqno=3 ts=+7000000000\n",
			 false);
	Reading before(streams, true, format);
	Reading after({copy(streams)}, false, format);

	EXPECT_EQ(before.lines, after.lines);
	EXPECT_EQ(after.sentences, Lines{});
	EXPECT_EQ(after.capture.stats().damaged_bytes, 0u);
}

TEST(BinaryWriter, what_is_left_out_is_not_lost)
{
	Reading after({copy(bytes_of(text, false), GRTRACE_SUBMIT)}, false, format);

	EXPECT_EQ(after.lines.size(), 5u);
	EXPECT_EQ(after.capture.stats().missing, 0u);
	EXPECT_EQ(after.capture.unseen(), 0u);
	EXPECT_EQ(after.capture.stats().lost(), 4u);
	EXPECT_EQ(after.sentences, Lines{});
}

TEST(BinaryWriter, keeps_weights_clock_and_snapshot)
{
	std::vector<Bytes> streams =
		bytes_of("cpu none\ninfo start=1 clock=7\nmeta snapshot error 77\n"
			 "meta host a%20b\nmeta tag k v\n"
			 "cpu 0\nsubmit ctx=1 seqno=1\nsampling 4\n"
			 "submit ctx=1 seqno=4\nerror ctx=1 seqno=4\n"
			 "sample n=4 previous=1\ncomplete ctx=1 seqno=4\n"
			 "lost events=5 limited=4 pressure=1\n",
			 false);
	const char *weights = "%a %b %x:%S";
	Reading before(streams, true, weights);
	Reading after({copy(streams)}, false, weights);

	EXPECT_EQ(before.lines, after.lines);
	EXPECT_EQ(after.lines[4], "C 4 1:4");
	EXPECT_EQ(after.sentences, Lines{});
	EXPECT_EQ(after.capture.stats().lost_limited, 4u);
	EXPECT_EQ(after.capture.session().clock, uint32_t(GRTRACE_CLOCK_BOOTTIME));
	EXPECT_EQ(after.capture.session().snapshot_reason, "error");
	EXPECT_EQ(after.capture.session().snapshot_ts, 77u);
	EXPECT_EQ(after.capture.session().host, (HostFacts{"a b", {{"k", "v"}}}));
}

} // namespace grtrace
