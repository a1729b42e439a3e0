// SPDX-License-Identifier: GPL-2.0
//
// Does a case that hangs end at its limit, and is it named?

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace {

struct Outcome {
	int status = 0; // exit status, or -1
	std::string text; // what it printed
};

// Runs this program once more, with the chosen cases.
Outcome run_cases(const std::string &filter)
{
	const std::string self = std::filesystem::read_symlink("/proc/self/exe");
	FILE *output =
		popen(("CASE_SECONDS=1 timeout 30 '" + self +
		       "' --gtest_also_run_disabled_tests --gtest_filter=" + filter + " 2>&1")
			      .c_str(),
		      "r");
	Outcome outcome;

	for (int byte; (byte = fgetc(output)) != EOF;)
		outcome.text += static_cast<char>(byte);
	const int status = pclose(output);
	outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	return outcome;
}

// Only for the next test. It blocks what the tested programs block.
TEST(Main, DISABLED_hangs)
{
	sigset_t set;

	sigemptyset(&set);
	for (const int number : {SIGALRM, SIGCHLD, SIGINT, SIGTERM})
		sigaddset(&set, number);
	sigprocmask(SIG_BLOCK, &set, nullptr);
	for (;;)
		pause();
}

TEST(Main, a_case_that_hangs_is_ended_and_named)
{
	const Outcome outcome = run_cases("Main.DISABLED_hangs");

	EXPECT_EQ(outcome.status, EXIT_FAILURE);
	EXPECT_NE(outcome.text.find("[  FAILED  ] Main.DISABLED_hangs did not end within 1 s\n"),
		  std::string::npos)
		<< outcome.text;
}

TEST(Main, a_name_that_no_case_has_is_an_error)
{
	const Outcome outcome = run_cases("Main.nobody");

	EXPECT_EQ(outcome.status, EXIT_FAILURE);
	EXPECT_NE(outcome.text.find("no unit test is named Main.nobody\n"), std::string::npos)
		<< outcome.text;
}

} // namespace
