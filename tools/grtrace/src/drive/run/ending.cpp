// SPDX-License-Identifier: GPL-2.0
//
// Signals are read from a descriptor instead of handled, so that nothing is interrupted
// and one poll() waits for all events that can end a run.
#include "drive/run/ending.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace grtrace {

namespace {

// nohup: the run continues when the terminal is closed.
bool is_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, nullptr, &action) && action.sa_handler == SIG_IGN;
}

} // namespace

Status Ending::prepare()
{
	sigset_t set;

	// write() then reports a reader that went away, or the file size limit, with a
	// sentence.
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	// If the parent ignored it, no child could be waited for.
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&set);
	for (const int number : {SIGINT, SIGTERM, SIGALRM, SIGCHLD})
		sigaddset(&set, number);
	if (!is_ignored(SIGHUP))
		sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, nullptr);
	signals_ = Fd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
	if (!signals_.is_open())
		return Status::error("signalfd: {}", strerror(errno));
	return Status();
}

void Ending::start(unsigned int seconds)
{
	start_ = Clock::now();
	if (seconds)
		deadline_ = start_ + std::chrono::seconds(seconds);
}

double Ending::seconds_since_start() const
{
	return std::chrono::duration<double>(Clock::now() - start_).count();
}

// Rounds the time to the deadline up: if poll() returned earlier, this would loop.
int Ending::timeout_ms(int tick_ms) const
{
	if (deadline_ == Clock::time_point::max())
		return tick_ms;
	const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
	return static_cast<int>(std::clamp<int64_t>(left.count(), 0, tick_ms));
}

Ending::Event Ending::take_signal()
{
	struct signalfd_siginfo info;

	if (read(signals_.get(), &info, sizeof(info)) != sizeof(info))
		return Event::tick;
	if (info.ssi_signo == SIGCHLD)
		return Event::child;
	signal_for_child_ = info.ssi_code == SI_KERNEL ? 0 : static_cast<int>(info.ssi_signo);
	return Event::signal;
}

Ending::Event Ending::wait(int watched, int tick_ms)
{
	struct pollfd waited[] = {{signals_.get(), POLLIN, 0}, {watched, POLLIN, 0}};

	if (poll(waited, std::size(waited), timeout_ms(tick_ms)) < 0)
		return Event::tick;
	if (waited[0].revents)
		return take_signal();
	if (waited[1].revents)
		return Event::failure;
	return Clock::now() >= deadline_ ? Event::time : Event::tick;
}

} // namespace grtrace
