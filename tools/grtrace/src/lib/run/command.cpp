// SPDX-License-Identifier: GPL-2.0
//
// The recorder has threads, and fork() copies only one of them: until exec() the child
// makes nothing but system calls. It reports by a pipe why the program cannot be executed.
#include "lib/run/command.h"

#include "lib/text/words_of.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace grtrace {

namespace {

// As exec() wants them.
std::vector<char *> pointers_to(const std::vector<std::string> &texts)
{
	std::vector<char *> pointers;

	for (const std::string &text : texts)
		pointers.push_back(const_cast<char *>(text.c_str()));
	pointers.push_back(nullptr);
	return pointers;
}

// Runs in the child. It returns only if that fails, with an errno.
int execute(char *const *argv, char *const *environment, const CommandStreams &streams,
	    const RunUser *user)
{
	sigset_t none;

	// The program does not inherit the signals that the recorder blocks or ignores.
	sigemptyset(&none);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, nullptr);
	if (dup2(streams.in, STDIN_FILENO) < 0 || dup2(streams.out, STDOUT_FILENO) < 0 ||
	    dup2(streams.err, STDERR_FILENO) < 0)
		return errno;
	if (const int error = user ? user->become() : 0)
		return error;
	execvpe(argv[0], argv, environment);
	return errno;
}

// Returns whether execvp() would find the program; sets errno if not.
bool is_there(const std::string &name)
{
	if (name.find('/') != name.npos)
		return !access(name.c_str(), X_OK);
	const char *path = getenv("PATH");
	return std::ranges::any_of(split(path ? path : "/bin:/usr/bin", ':'),
				   [&](std::string &place) {
					   place += place.empty() ? name : "/" + name;
					   return !access(place.c_str(), X_OK);
				   });
}

} // namespace

Status Command::find(const std::vector<std::string> &words)
{
	if (words.empty() || is_there(words[0]))
		return {};
	return Status::error("cannot run the command: {}: {}", words[0], strerror(errno));
}

Status Command::start(const std::vector<std::string> &words, const CommandStreams &streams,
		      const RunUser *user)
{
	const std::vector<char *> argv = pointers_to(words);
	const std::vector<char *> own =
		user ? pointers_to(user->environment) : std::vector<char *>();
	int failure[2], error = 0;

	if (pipe2(failure, O_CLOEXEC))
		return Status::error("cannot run the command: {}", strerror(errno));
	pid_ = fork();
	if (!pid_) {
		error = execute(argv.data(), user ? own.data() : environ, streams, user);
		(void)!write(failure[1], &error, sizeof(error));
		_exit(127);
	}
	if (pid_ < 0)
		error = errno;
	close(failure[1]);
	// A successful exec() closes the pipe.
	if (pid_ > 0 && read(failure[0], &error, sizeof(error)) == sizeof(error))
		waitpid(pid_, nullptr, 0);
	close(failure[0]);
	if (!error)
		return Status();
	pid_ = 0;
	Status status = Status::error("cannot run the command: {}", strerror(error));
	errno = error;
	return status;
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
