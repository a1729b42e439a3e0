// SPDX-License-Identifier: GPL-2.0
//
// Runs the unit tests. A case that does not end in time ends the program, with its name
// and as a failure, no matter how it was started.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include <signal.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace {

// The slowest case takes 3 s, ten times that under sanitizers and on a busy machine.
// CASE_SECONDS in the environment is another limit.
constexpr int default_seconds = 60;
// ALRM and others are blocked by what is tested.
const int signal_number = SIGRTMAX;

std::string verdict; // on the running case, if it does not end

void end_program(int)
{
	// Without a reader the exit status remains.
	[[maybe_unused]] const ssize_t written =
		write(STDOUT_FILENO, verdict.data(), verdict.size());
	_exit(EXIT_FAILURE);
}

class CaseLimit : public testing::EmptyTestEventListener {
public:
	explicit CaseLimit(int seconds) : seconds_(seconds)
	{
		struct sigevent event = {};

		event.sigev_notify = SIGEV_SIGNAL;
		event.sigev_signo = signal_number;
		signal(signal_number, end_program);
		timer_create(CLOCK_MONOTONIC, &event, &timer_);
	}

	void OnTestStart(const testing::TestInfo &test) override
	{
		verdict = std::string("[  FAILED  ] ") + test.test_suite_name() + "." +
			  test.name() + " did not end within " + std::to_string(seconds_) + " s\n";
		arm(seconds_);
	}
	void OnTestEnd(const testing::TestInfo &) override { arm(0); }

private:
	// 0: disarms it.
	void arm(int seconds)
	{
		struct itimerspec time = {};

		time.it_value.tv_sec = seconds;
		timer_settime(timer_, 0, &time, nullptr);
	}

	const int seconds_;
	timer_t timer_ = {};
};

} // namespace

int main(int argc, char **argv)
{
	const char *seconds = getenv("CASE_SECONDS");

	testing::InitGoogleTest(&argc, argv);
	testing::UnitTest::GetInstance()->listeners().Append(
		new CaseLimit(seconds ? atoi(seconds) : default_seconds));
	const int failed = RUN_ALL_TESTS();
	if (testing::UnitTest::GetInstance()->test_to_run_count() > 0)
		return failed;
	fprintf(stderr, "no unit test is named %s\n", testing::GTEST_FLAG(filter).c_str());
	return EXIT_FAILURE;
}
