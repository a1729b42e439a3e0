// SPDX-License-Identifier: GPL-2.0
#include "read/capture/capture_run.h"

#include <cstdio>
#include <unistd.h>

#include "lib/options/word_main.h"
#include "unit/from_text.h"

namespace grtrace {

// A capture in a file, and a run over it.
struct Ran {
	explicit Ran(const char *text)
	{
		const Bytes bytes = bytes_of(text, true)[0];
		FILE *file = fdopen(mkstemp(name), "w");

		fwrite(bytes.data(), 1, bytes.size(), file);
		fclose(file);
	}
	~Ran() { unlink(name); }

	Status open(const std::string &output = "-")
	{
		return run.open({{"-o", output}}, "", {name});
	}
	// The output of fn, and the exit code that it returns.
	template <typename Fn> std::string said(Fn fn)
	{
		testing::internal::CaptureStderr();
		code = fn();
		return testing::internal::GetCapturedStderr();
	}
	void read()
	{
		const Event *event;

		while (run.captures().next(event) != Next::end)
			;
		EXPECT_FALSE(run.check_rings({}));
	}

	char name[32] = "/tmp/grtrace-XXXXXX";
	CaptureRun run{"grtrace word"};
	int code = -1;
};

static const char *const whole = "cpu 0\nsubmit ctx=1 ring=1 seqno=1\n";
static const char *const lossy = "cpu 0\nsubmit ctx=1 ring=1 seqno=1\n"
				 "lost events=3 first=1 last=2\n";

TEST(CaptureRun, says_what_is_missing_in_the_words_name)
{
	Ran ran(whole);

	ASSERT_TRUE(ran.open().ok());
	ran.read();
	EXPECT_EQ(
		ran.said([&] { return ran.run.finish(true, {{"this is missing"}, {"and that"}}); }),
		"grtrace word: this is missing\ngrtrace word: and that\n");
	EXPECT_EQ(ran.code, exit_ok);
}

TEST(CaptureRun, losses_are_said_once_and_matter_to_the_strict)
{
	for (bool strict : {false, true}) {
		Ran ran(lossy);

		ASSERT_TRUE(ran.open().ok());
		ran.read();
		const std::string said = ran.said([&] {
			ran.run.say_losses();
			return ran.run.finish(strict, {});
		});
		EXPECT_EQ(said.find("3 "), said.rfind("3 ")) << said;
		EXPECT_EQ(ran.code, strict ? exit_lost : exit_ok) << said;
	}
}

TEST(CaptureRun, refuses_to_write_over_what_it_reads)
{
	Ran ran(whole);
	const Status status = ran.open(ran.name);

	EXPECT_FALSE(status.ok());
	EXPECT_NE(ran.said([&] {
			     return ran.run.refuse(status);
		     }).find("grtrace word: -o /tmp/grtrace-"),
		  std::string::npos);
	EXPECT_EQ(ran.code, exit_error);
}

TEST(CaptureRun, a_ring_that_is_not_there_is_wrong_usage)
{
	Ran ran(whole);

	ASSERT_TRUE(ran.open().ok());
	EXPECT_FALSE(ran.run.check_rings({}));
	EXPECT_EQ(ran.said([&] { return *ran.run.check_rings(Status::error("no ring gfx")); }),
		  "grtrace word: no ring gfx\n");
	EXPECT_EQ(ran.code, exit_usage);
}

TEST(CaptureRun, an_output_that_nobody_takes_is_an_error)
{
	Ran ran(whole);
	OutputFile full;

	ASSERT_TRUE(full.open("/dev/full").ok());
	full.text().push_back('x');
	EXPECT_NE(ran.said([&] { return ran.run.close({&full}); }).find("/dev/full: cannot write"),
		  std::string::npos);
	EXPECT_EQ(ran.code, exit_error);
}

} // namespace grtrace
