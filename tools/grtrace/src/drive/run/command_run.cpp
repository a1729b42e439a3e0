// SPDX-License-Identifier: GPL-2.0
//
// A run may end by a signal, by the stopwatch or with the command; the rest is the same in
// all cases.
#include "drive/run/command_run.h"

#include <algorithm>
#include <chrono>

namespace grtrace {

namespace {

constexpr int tick_ms = 100; // between two checks of a command that continues
constexpr int progress_ms = 500; // period of the progress line, and of checks for new CPUs

} // namespace

Status CommandRun::prepare()
{
	Status status = Command::find(words_);

	if (status.ok() && !words_.empty() && !user_name_.empty())
		status = find_run_user(user_name_, &user_);
	return status.ok() ? ending_.prepare() : status;
}

Status CommandRun::wait_for_start(unsigned int period)
{
	using std::chrono::system_clock, std::chrono::milliseconds;
	const std::chrono::seconds seconds(period);
	const auto now = system_clock::now().time_since_epoch();
	const auto start = period ? (now / seconds + 1) * seconds : now;

	// Each wait is short, because the clock may be set.
	while (system_clock::now().time_since_epoch() < start) {
		const auto left = std::chrono::ceil<milliseconds>(
			start - system_clock::now().time_since_epoch());

		if (ending_.wait(-1, std::min<int>(left.count(), progress_ms)) ==
		    Ending::Event::signal)
			return Status::error("nothing was recorded: a signal came before the time "
					     "of --at");
	}
	return Status();
}

Status CommandRun::start_command()
{
	const RunUser *user = user_name_.empty() ? nullptr : &user_;

	return words_.empty() ?
		       Status() :
		       command_.start(words_,
				      {.out = quiet_stdout_ ? STDERR_FILENO : STDOUT_FILENO}, user);
}

bool CommandRun::goes_on(Ending::Event event)
{
	switch (event) {
	case Ending::Event::signal:
		command_.forward(ending_.signal_for_child());
		return false;
	case Ending::Event::time:
		return false;
	case Ending::Event::child:
		return !command_.has_ended();
	case Ending::Event::tick:
	case Ending::Event::failure: // the descriptor to watch
		break;
	}
	return true;
}

void CommandRun::wait_for_end(int failure_fd, const std::function<bool()> &tick)
{
	for (;;) {
		const Ending::Event event = ending_.wait(failure_fd, progress_ms);

		if (event == Ending::Event::failure || !goes_on(event) ||
		    (event == Ending::Event::tick && !tick()))
			return;
	}
}

bool CommandRun::wait_for_command()
{
	while (command_.is_running() && !command_.has_ended())
		if (ending_.wait(-1, tick_ms) == Ending::Event::signal)
			return false;
	return true;
}

} // namespace grtrace
