// SPDX-License-Identifier: GPL-2.0
//
// Uses posix_spawnp(): the recorder has threads by then, of which fork() would copy only
// one. It also reports why a program cannot be executed. It cannot change the user:
// then the child of fork() makes nothing but system calls.
#include "drive/run/command.h"

#include <fcntl.h>
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

// Runs in the child. It returns only if that fails, with an errno.
int run_as(const RunUser &user, const char *path, char **argv, char **environment,
	   bool quiet_stdout)
{
	sigset_t none;

	sigemptyset(&none);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, nullptr);
	if (quiet_stdout && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return errno;
	if (const int error = user.become())
		return error;
	execve(path, argv, environment);
	return errno;
}

// The child writes the reason of a failure into a pipe, which exec() closes.
int spawn_as(const RunUser &user, pid_t *pid, const char *path, char **argv, bool quiet_stdout)
{
	std::vector<char *> environment;
	int failure[2];
	int error = 0;

	for (const std::string &line : user.environment)
		environment.push_back(const_cast<char *>(line.c_str()));
	environment.push_back(nullptr);
	if (pipe2(failure, O_CLOEXEC))
		return errno;
	*pid = fork();
	if (!*pid) {
		error = run_as(user, path, argv, environment.data(), quiet_stdout);
		(void)!write(failure[1], &error, sizeof(error));
		_exit(127);
	}
	if (*pid < 0)
		error = errno;
	close(failure[1]);
	if (*pid > 0 && read(failure[0], &error, sizeof(error)) == sizeof(error))
		waitpid(*pid, nullptr, 0);
	close(failure[0]);
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

Status Command::start(const std::vector<std::string> &words, bool quiet_stdout, const RunUser *user)
{
	const std::string path = user ? place_of(words[0]) : "";
	std::vector<char *> argv;

	for (const std::string &word : words)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);
	int error = user ? spawn_as(*user, &pid_, path.c_str(), argv.data(), quiet_stdout) :
			   spawn(&pid_, argv.data(), quiet_stdout);
	// A script without a #! line is run by the usual shell, as with execvp().
	if (error == ENOEXEC) {
		std::string shell = "/bin/sh", script = place_of(words[0]);

		argv[0] = script.data();
		argv.insert(argv.begin(), shell.data());
		error = user ? spawn_as(*user, &pid_, argv[0], argv.data(), quiet_stdout) :
			       spawn(&pid_, argv.data(), quiet_stdout);
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
