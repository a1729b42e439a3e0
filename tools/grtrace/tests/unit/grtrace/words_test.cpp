// SPDX-License-Identifier: GPL-2.0
#include "grtrace/words.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace grtrace {

static std::string said_of(const char *name, int &code)
{
	testing::internal::CaptureStderr();
	code = run_program_of(name, {});
	return testing::internal::GetCapturedStderr();
}

TEST(Words, what_was_mistyped_is_guessed)
{
	int code;

	EXPECT_EQ(said_of("reprot", code),
		  "grtrace: 'reprot' is not a command of grtrace (did you mean "
		  "report?); see grtrace --help\n");
	EXPECT_EQ(code, 2);
	// The ones built into grtrace are also words.
	EXPECT_NE(said_of("recrod", code).find("did you mean record?"), std::string::npos);
	EXPECT_EQ(said_of("qqqqqq", code),
		  "grtrace: 'qqqqqq' is not a command of grtrace; see grtrace --help\n");
}

TEST(Words, one_that_is_not_installed_is_listed_and_says_what_it_takes)
{
	int code;

	setenv("GRTRACE_EXEC_PATH", "/nonexistent", 1);
	EXPECT_NE(suite_overview().find("  export    write captures for Perfetto, SQLite, CTF and "
					"others (not installed)\n"),
		  std::string::npos);
	EXPECT_NE(
		said_of("export", code).find("there is no program grtrace-export in /nonexistent"),
		std::string::npos);
	EXPECT_EQ(code, 1);
	unsetenv("GRTRACE_EXEC_PATH");
}

} // namespace grtrace
