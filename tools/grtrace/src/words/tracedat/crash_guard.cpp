// SPDX-License-Identifier: GPL-2.0
#include "words/tracedat/crash_guard.h"

#include <csignal>

#include <unistd.h>

#include "lib/options/word_main.h"

namespace grtrace {

namespace {

constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE};

std::string last_words;
volatile std::sig_atomic_t is_on;

// The output has no name before it is whole, so nothing stays of it.
void end(int)
{
	// Without the guard, the instruction is repeated, and the signal ends the program.
	if (!is_on)
		return;
	[[maybe_unused]] const ssize_t put =
		write(STDERR_FILENO, last_words.data(), last_words.size());
	_exit(exit_error);
}

} // namespace

CrashGuard::CrashGuard(const std::string &sentence)
{
	static char room[64 * 1024];
	const stack_t stack = {room, 0, sizeof(room)};
	struct sigaction action = {};

	last_words = sentence;
	action.sa_handler = end;
	// A stack that is used up has no room for the handler.
	action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_ONSTACK;
	sigaltstack(&stack, nullptr);
	for (int number : crashes)
		sigaction(number, &action, nullptr);
	is_on = 1;
}

CrashGuard::~CrashGuard()
{
	is_on = 0;
	for (int number : crashes)
		signal(number, SIG_DFL);
}

CrashGuard::Pause::Pause()
{
	is_on = 0;
}

CrashGuard::Pause::~Pause()
{
	is_on = 1;
}

} // namespace grtrace
