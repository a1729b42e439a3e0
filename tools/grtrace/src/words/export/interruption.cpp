// SPDX-License-Identifier: GPL-2.0
#include "words/export/interruption.h"

#include <csignal>
#include <cstdlib>
#include <initializer_list>

namespace grtrace {

static volatile std::sig_atomic_t noted;

void note_interruption()
{
	struct sigaction before;
	struct sigaction note = {};

	note.sa_handler = [](int number) { noted = number; };
	note.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
	for (int number : {SIGINT, SIGTERM, SIGHUP})
		if (!sigaction(number, nullptr, &before) && before.sa_handler != SIG_IGN)
			sigaction(number, &note, nullptr);
}

int interruption()
{
	return noted;
}

void end_interrupted()
{
	signal(noted, SIG_DFL);
	raise(noted);
	abort(); // it was blocked
}

} // namespace grtrace
