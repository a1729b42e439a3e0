// SPDX-License-Identifier: GPL-2.0
#include "unit/words/tracefs/tracefs_kernel.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

// events/ftrace/print/format; the text has no size there.
std::string print_format(const char *text)
{
	return trace_format("print", 5, {{"unsigned long", "ip", 8, 8}, {"char", text, 16, 0}});
}

std::vector<uint8_t> print_event(uint32_t pid, std::string_view text)
{
	std::vector<uint8_t> data(16);

	data[0] = 5;
	memcpy(&data[4], &pid, sizeof(pid));
	data.insert(data.end(), text.begin(), text.end());
	return data;
}

} // namespace

TEST(TracefsMarkers, BecomeMessages)
{
	using namespace std::literals;

	FakeKernel kernel;

	ASSERT_TRUE(kernel.found.parse_markers(print_format("buf[]")));
	kernel.take({1000, 2, print_event(70, "B|70|frame 1\n\0\0\0"sv)});
	kernel.take({2000, 2, print_event(70, "E|70")});
	const std::vector<uint8_t> whole = print_event(70, "");
	kernel.take({3000, 2, whole});
	// Cut off before its text.
	kernel.take({4000, 2, std::span(whole).first(12)});
	EXPECT_EQ(
		kernel.sink.lines,
		(std::vector<std::string>{"2 m mark kind=begin pid=70 name=frame 1",
					  "2 m mark kind=end pid=70", "2 m mark kind=text name="}));
}

TEST(TracefsMarkers, OfAnUnknownFormAreLeftOut)
{
	FakeKernel kernel;

	EXPECT_FALSE(kernel.found.parse_markers(print_format("bytes[]")));
	kernel.take({1000, 2, print_event(70, "B|70|frame 1\n")});
	EXPECT_TRUE(kernel.sink.lines.empty());
}

} // namespace grtrace
