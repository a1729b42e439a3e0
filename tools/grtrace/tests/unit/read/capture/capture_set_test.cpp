// SPDX-License-Identifier: GPL-2.0
#include "read/capture/capture_set.h"

#include <cstdio>
#include <unistd.h>

#include "unit/from_text.h"

namespace grtrace {

namespace {

// Captures in files, and their events as "capture:seqno".
class Files {
public:
	explicit Files(const std::vector<std::string> &texts)
	{
		for (const std::string &text : texts) {
			const Bytes bytes = bytes_of(text, true)[0];
			char name[] = "/tmp/grtrace-XXXXXX";
			FILE *file = fdopen(mkstemp(name), "w");

			fwrite(bytes.data(), 1, bytes.size(), file);
			fclose(file);
			names.push_back(name);
		}
	}
	~Files()
	{
		for (const std::string &name : names)
			unlink(name.c_str());
	}

	std::string read()
	{
		Diagnostics diagnostics(nullptr);
		CaptureSet captures(diagnostics);
		std::string order;
		const Event *event;

		EXPECT_TRUE(captures.open("", names).ok());
		while (captures.next(event) != Next::end)
			order += fmt::format("{}:{} ", event->capture, event->seqno);
		return order;
	}

	std::vector<std::string> names;
};

} // namespace

// The first one's clock began 500 ns later, and reads less.
TEST(CaptureSet, captures_share_the_wall_clock)
{
	Files files({"cpu none\ninfo start=1000 real=1700000000000000500\ncpu 0\n"
		     "submit ctx=1 seqno=1 ts=1000\nsubmit ctx=1 seqno=2 ts=1300\n",
		     "cpu none\ninfo start=9000 real=1700000000000000000\ncpu 0\n"
		     "submit ctx=1 seqno=1 ts=9000\nsubmit ctx=1 seqno=2 ts=9600\n"
		     "submit ctx=1 seqno=3 ts=9900\n"});

	EXPECT_EQ(files.read(), "1:1 0:1 1:2 0:2 1:3 ");
}

TEST(CaptureSet, one_that_is_empty_keeps_nobody)
{
	Files files({"cpu none\ninfo start=1000\n",
		     "cpu none\ninfo start=1000\ncpu 0\nsubmit ctx=1 seqno=7 ts=1000\n"});

	EXPECT_EQ(files.read(), "1:7 ");
}

TEST(CaptureSet, the_one_that_cannot_be_opened_is_named)
{
	Diagnostics diagnostics(nullptr);
	CaptureSet captures(diagnostics);
	Files files({"cpu 0\nsubmit ctx=1 seqno=1\n"});

	EXPECT_NE(captures.open("", {files.names[0], "/tmp/grtrace-none"})
			  .sentence()
			  .find("/tmp/grtrace-none: no such capture"),
		  std::string::npos);
}

} // namespace grtrace
