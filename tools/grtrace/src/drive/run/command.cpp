// SPDX-License-Identifier: GPL-2.0
//
// Uses posix_spawnp(): the recorder has threads by then, of which fork() would copy only
// one. It also reports why a program cannot be executed.
#include "drive/run/command.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace grtrace {

namespace {

// The program does not inherit the signals that the recorder blocks or ignores.
int spawn(pid_t *pid, char **argv, bool quiet_stdout)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t set;

	posix_spawn_file_actions_init(&files);
	if (quiet_stdout)
		posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	sigemptyset(&set);
	posix_spawnattr_setsigmask(&attributes, &set);
	sigaddset(&set, SIGPIPE);
	sigaddset(&set, SIGXFSZ);
	posix_spawnattr_setsigdefault(&attributes, &set);
	const int error = posix_spawnp(pid, argv[0], &files, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return error;
}

// Returns the path that execvp() would use; empty, with errno set, if there is none.
std::string place_of(const std::string &name)
{
	const char *path = getenv("PATH");
	std::string_view left = path ? path : "/bin:/usr/bin";

	if (name.find('/') != name.npos)
		return access(name.c_str(), X_OK) ? "" : name;
	while (true) {
		const size_t end = left.find(':');
		std::string place(left.substr(0, end));

		place += place.empty() ? name : "/" + name;
		if (!access(place.c_str(), X_OK))
			return place;
		if (end == left.npos)
			return "";
		left.remove_prefix(end + 1);
	}
}

} // namespace

Status Command::find(const std::vector<std::string> &words)
{
	if (words.empty() || !place_of(words[0]).empty())
		return {};
	return Status::error("cannot run the command: {}: {}", words[0], strerror(errno));
}

Status Command::start(const std::vector<std::string> &words, bool quiet_stdout)
{
	std::vector<char *> argv;

	for (const std::string &word : words)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);
	int error = spawn(&pid_, argv.data(), quiet_stdout);
	// A script without a #! line is run by the usual shell, as with execvp().
	if (error == ENOEXEC) {
		std::string shell = "/bin/sh", script = place_of(words[0]);

		argv[0] = script.data();
		argv.insert(argv.begin(), shell.data());
		error = spawn(&pid_, argv.data(), quiet_stdout);
	}
	if (!error)
		return Status();
	pid_ = 0;
	return Status::error("cannot run the command: {}", strerror(error));
}

bool Command::has_ended()
{
	return collect(WNOHANG);
}

int Command::wait()
{
	while (!collect(0) && errno == EINTR)
		;
	return exit_code_;
}

bool Command::collect(int options)
{
	int status;

	if (pid_ <= 0 || waitpid(pid_, &status, options) != pid_)
		return false;
	pid_ = 0;
	exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return true;
}

void Command::forward(int signal) const
{
	if (pid_ > 0)
		kill(pid_, signal);
}

} // namespace grtrace
