// SPDX-License-Identifier: GPL-2.0
//
// The requests that record refuses before a session starts, and the files that it saves of a
// session without a recorder. A whole recording takes a kernel (tests/guest, tests/cli).
#include "drive/record/record.h"

#include "drive/control/capture_options.h"
#include "unit/drive/control/fake_directory.h"

namespace grtrace {

class RecordTest : public FakeDirectory {
protected:
	void SetUp() override
	{
		FakeDirectory::SetUp();
		options_.debugfs = root_;
		options_.directory = root_ + "/out";
	}
	// The output of fn on stderr; its result stays in code_.
	template <typename Fn> std::string said(Fn fn)
	{
		testing::internal::CaptureStderr();
		code_ = fn(options_);
		return testing::internal::GetCapturedStderr();
	}

	CaptureOptions options_;
	int code_ = -1;
};

TEST_F(RecordTest, a_session_that_runs_is_left_alone)
{
	put("control", "running\n");
	EXPECT_EQ(said(record_main),
		  "grtrace: a session is already running (its recorder may have been killed); "
		  "stop it with grtrace record -k or grtrace stop\n");
	EXPECT_EQ(code_, 1);
	EXPECT_EQ(get("grtrace/control"), "running\n");
}

TEST_F(RecordTest, options_of_tracefs_are_wrong_usage)
{
	options_.sched = true;
	EXPECT_EQ(said(record_main), "grtrace: --sched and --vblank need --source tracefs\n");
	EXPECT_EQ(code_, 2);
}

TEST_F(RecordTest, there_has_to_be_a_session_to_save)
{
	EXPECT_EQ(said(save_main), "grtrace: there is no session to save\n");
	EXPECT_EQ(code_, 1);
}

TEST_F(RecordTest, saves_what_the_channel_of_a_stopped_session_holds)
{
	put("control", "stopped\n");
	testing::internal::CaptureStdout();
	EXPECT_EQ(said(save_main).find("You have 1"), 0u);
	EXPECT_EQ(testing::internal::GetCapturedStdout().find("=== all ===\n"), 0u);
	EXPECT_EQ(code_, 0);
	EXPECT_EQ(get("out/all.grtrace.0"), "metazerometa");
	EXPECT_EQ(get("out/all.grtrace.1"), "metaone");
}

TEST_F(RecordTest, what_it_cost_is_said_by_status)
{
	put("control", "stopped\n");
	setenv("GRTRACE_EXEC_PATH", root_.c_str(), 1);
	testing::internal::CaptureStdout();
	EXPECT_NE(
		said(save_main).find("\ngrtrace: what the trace cost is not known: the word status "
				     "is not installed\n"),
		std::string::npos);
	shell("printf '#!/bin/sh\\necho cost: \"$@\"\\n' > grtrace-status; chmod +x "
	      "grtrace-status");
	EXPECT_NE(said(save_main).find("cost: --cost -r " + root_ + "\n"), std::string::npos);
	EXPECT_EQ(testing::internal::GetCapturedStdout().find("cost"), std::string::npos);
	unsetenv("GRTRACE_EXEC_PATH");
	EXPECT_EQ(code_, 0);
}

TEST_F(RecordTest, tracefs_is_for_machines_without_the_module)
{
	EXPECT_FALSE(records_from_tracefs(options_));
	shell("rmdir out; rm -r grtrace");
	testing::internal::CaptureStderr();
	EXPECT_TRUE(records_from_tracefs(options_));
	EXPECT_NE(testing::internal::GetCapturedStderr().find("the module grtrace is not loaded"),
		  std::string::npos);
	// To name a debugfs is to ask for the module.
	options_.has_debugfs = true;
	EXPECT_FALSE(records_from_tracefs(options_));
	options_.source = "tracefs";
	EXPECT_TRUE(records_from_tracefs(options_));
}

} // namespace grtrace
