// SPDX-License-Identifier: GPL-2.0
#include "words/ioctl/ioctl_call.h"

#include "unit/from_text.h"

namespace grtrace {

TEST(IoctlCall, the_fields_and_the_sentence)
{
	Reading r(bytes_of("cpu 0\nioctl pid=7 cmd=0xc0406442 minor=128 "
			   "driver=virtio_gpu duration=12345 result=-12 "
			   "handles=1 cgroup=77 ts=5000\n",
			   false),
		  true, "%a %p %R %x");

	EXPECT_EQ(r.lines, (std::vector<std::string>{"IO 7 0 0"}));

	Diagnostics diagnostics([](const std::string &) {});
	Capture capture(diagnostics);
	const Event *event;

	capture.open_memory(r.bytes, true);
	ASSERT_EQ(capture.next(event), Next::event);
	const IoctlCall call(*event);
	EXPECT_EQ(call.duration, 12345u);
	EXPECT_EQ(call.result, -12);
	EXPECT_EQ(call.cgroup, 77u);
	EXPECT_EQ(call.cmd, 0xc0406442u);
	EXPECT_EQ(call.minor, 128u);
	EXPECT_EQ(call.driver, "virtio_gpu");
	EXPECT_EQ(event->weight, 1u);
	EXPECT_EQ(note_or_ioctl_text(*event, capture.session()),
		  "virtio_gpu EXECBUFFER = -12, 12.345 us, 1 handle");
}

// A record that claims to be an IOCTL and is shorter is damage, not read beyond.
TEST(IoctlCall, a_short_one_is_damage)
{
	Reading r(bytes_of("cpu 0\nunknown type=48 size=88 ts=1000\n"
			   "packet\nioctl pid=7 cmd=0x6400 ts=2000\n",
			   false),
		  true, "%a");

	EXPECT_EQ(r.lines, std::vector<std::string>{"IO"});
	ASSERT_EQ(r.sentences.size(), 1u);
	EXPECT_NE(r.sentences[0].find("too short"), std::string::npos);
}

TEST(IoctlCall, names_of_the_capture_do_no_harm_to_a_terminal)
{
	std::string text;
	Reading r(bytes_of("cpu 0\nioctl pid=7 cmd=0x6400 driver=a\x1b[2J ts=1\n", false), true,
		  "%m",
		  [&](const Event &event, const std::vector<Gap> &) { text = ioctl_text(event); });

	EXPECT_EQ(text.substr(0, 13), "a?[2J VERSION");
}

} // namespace grtrace
