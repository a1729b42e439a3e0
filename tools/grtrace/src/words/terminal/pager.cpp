// SPDX-License-Identifier: GPL-2.0
#include "words/terminal/pager.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace grtrace {

static const char *pager_program()
{
	for (const char *name : {"GRTRACE_PAGER", "PAGER"})
		if (const char *value = secure_getenv(name))
			return value;
	return "less";
}

Pager::Pager(bool wanted)
{
	const char *program = pager_program();
	const char *argv[] = {"sh", "-c", program, nullptr};
	posix_spawn_file_actions_t actions;
	int ends[2];

	if (!wanted || !isatty(STDOUT_FILENO) || !*program || !strcmp(program, "cat"))
		return;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return;
	// less exits at once if everything fits on the screen (F), and shows colours (R).
	setenv("LESS", "FRX", 0);
	// A pager of root's runs no program and writes no file that a key asks for.
	if (geteuid() == 0)
		setenv("LESSSECURE", "1", 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	if (posix_spawn(&pid_, "/bin/sh", &actions, nullptr, const_cast<char **>(argv), environ) !=
	    0)
		pid_ = -1;
	else
		dup2(ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[0]);
	close(ends[1]);
}

Pager::~Pager()
{
	if (pid_ < 0)
		return;
	// This is the end of the pager's input.
	close(STDOUT_FILENO);
	while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR)
		;
}

} // namespace grtrace
