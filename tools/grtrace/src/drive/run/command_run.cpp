// SPDX-License-Identifier: GPL-2.0
//
// The end of a run may come from a signal, the stopwatch or the command; what follows is the
// same whichever it was.
#include "drive/run/command_run.h"

namespace grtrace {

namespace {

constexpr int tick_ms = 100; // between two looks at a command that goes on

} // namespace

Status CommandRun::prepare()
{
	const Status status = Command::find(words_);

	return status.ok() ? ending_.prepare() : status;
}

Status CommandRun::fork(bool quiet_stdout)
{
	return words_.empty() ? Status() : command_.fork(words_, quiet_stdout);
}

Status CommandRun::release()
{
	if (words_.empty())
		return {};
	const Status status = command_.release();
	is_released_ = status.ok();
	return status;
}

Status CommandRun::start()
{
	start_stopwatch();
	return release();
}

bool CommandRun::goes_on(int watched, int tick_ms)
{
	switch (ending_.wait(watched, tick_ms)) {
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

bool CommandRun::wait_for_command()
{
	while (is_released_ && command_.is_running() && !command_.has_ended())
		if (ending_.wait(-1, tick_ms) == Ending::Event::signal)
			return false;
	return true;
}

} // namespace grtrace
