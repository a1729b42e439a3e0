// SPDX-License-Identifier: GPL-2.0
#include "grtrace/session_words.h"

#include "drive/control/capture_options.h"
#include "unit/drive/control/fake_directory.h"

namespace grtrace {

class SessionWordsTest : public FakeDirectory {
protected:
	void SetUp() override
	{
		FakeDirectory::SetUp();
		options_.debugfs = root_;
	}
	// The output of a word on stderr; its exit code stays in code_.
	std::string said(int (*word)(const CaptureOptions &))
	{
		testing::internal::CaptureStderr();
		code_ = word(options_);
		return testing::internal::GetCapturedStderr();
	}

	CaptureOptions options_;
	int code_ = -1;
};

TEST_F(SessionWordsTest, start_configures_and_starts)
{
	options_.settings = {{"level", "normal"}};
	EXPECT_EQ(said(start_main), "");
	EXPECT_EQ(code_, 0);
	EXPECT_EQ(get("grtrace/config"), "level=normal\n");
	EXPECT_EQ(get("grtrace/control"), "start\n");
}

TEST_F(SessionWordsTest, start_says_what_keeps_events_out)
{
	put("config", "mode=stop\nsample=4\nfilter_device=card0\n");
	EXPECT_EQ(said(start_main), "grtrace: set before and still in force: filter_device=card0 "
				    "sample=4\n");
	EXPECT_EQ(code_, 0);
}

TEST_F(SessionWordsTest, stop_and_kill_stop)
{
	EXPECT_EQ(said(stop_main), "");
	EXPECT_EQ(get("grtrace/control"), "stop\n");
	testing::internal::CaptureStdout();
	EXPECT_EQ(said(kill_main), "");
	EXPECT_EQ(testing::internal::GetCapturedStdout(), "the session was stopped\n");
}

TEST_F(SessionWordsTest, a_message_needs_text_and_a_session)
{
	EXPECT_EQ(said(msg_main), "grtrace: msg: there is no text\n");
	options_.arguments = {"frame", "7"};
	EXPECT_EQ(said(msg_main), "grtrace: no session is running that could record the message\n");
	EXPECT_EQ(code_, 1);
	put("control", "running\n");
	put("msg", "");
	EXPECT_EQ(said(msg_main), "");
	EXPECT_EQ(get("grtrace/msg"), "frame 7\n");
}

TEST_F(SessionWordsTest, without_the_module_each_says_so)
{
	shell("rm -r grtrace");
	EXPECT_EQ(said(stop_main).find("grtrace: grtrace is not loaded: modprobe grtrace"), 0u);
	EXPECT_EQ(code_, 1);
}

} // namespace grtrace
