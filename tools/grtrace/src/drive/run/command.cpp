// SPDX-License-Identifier: GPL-2.0
//
// The command is forked before the recorder has threads, as fork() copies only one of them,
// and waits at a pipe so that nothing of it runs before the session does.
#include "drive/run/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace grtrace {

namespace {

Status make_pipe(Fd *read_end, Fd *write_end)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return Status::error("pipe: {}", strerror(errno));
	*read_end = Fd(fds[0]);
	*write_end = Fd(fds[1]);
	return Status();
}

// The child's whole life before exec. What the recorder blocks and ignores is
// its own business, not the program's.
[[noreturn]] void run(char **argv, int gate, int error, bool quiet_stdout)
{
	sigset_t none;
	char go;

	if (read(gate, &go, 1) != 1)
		_exit(1);
	if (quiet_stdout)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, nullptr);
	execvp(argv[0], argv);
	const int reason = errno;
	(void)!write(error, &reason, sizeof(reason));
	_exit(127);
}

// As execvp() looks for it.
bool is_on_path(const std::string &name)
{
	const char *path = getenv("PATH");
	std::string_view left = path ? path : "/bin:/usr/bin";

	while (true) {
		const size_t end = left.find(':');
		std::string place(left.substr(0, end));

		place += place.empty() ? name : "/" + name;
		if (!access(place.c_str(), X_OK))
			return true;
		if (end == left.npos)
			return false;
		left.remove_prefix(end + 1);
	}
}

} // namespace

Status Command::find(const std::vector<std::string> &words)
{
	if (words.empty())
		return {};

	const std::string &name = words[0];
	const bool has_place = name.find('/') != name.npos;

	if (has_place ? !access(name.c_str(), X_OK) : is_on_path(name))
		return {};
	return Status::error("cannot run the command: {}: {}", name, strerror(errno));
}

Status Command::fork(const std::vector<std::string> &words, bool quiet_stdout)
{
	std::vector<char *> argv;
	Fd gate, error;
	Status status = make_pipe(&gate, &gate_);

	if (status.ok())
		status = make_pipe(&error_, &error);
	if (!status.ok())
		return status;
	for (const std::string &word : words)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);
	pid_ = ::fork();
	if (pid_ < 0) {
		pid_ = 0;
		return Status::error("cannot run {}: {}", words[0], strerror(errno));
	}
	if (pid_ == 0) {
		gate_.close(); // or it would never see the gate closed
		run(argv.data(), gate.get(), error.get(), quiet_stdout);
	}
	return Status();
}

Status Command::release()
{
	int reason = 0;

	(void)!write(gate_.get(), "", 1);
	gate_.close();
	if (read(error_.get(), &reason, sizeof(reason)) != sizeof(reason))
		return Status();
	return Status::error("cannot run the command: {}", strerror(reason));
}

bool Command::has_ended()
{
	int status;

	if (pid_ <= 0 || waitpid(pid_, &status, WNOHANG) != pid_)
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

Command::~Command()
{
	const bool held_back = gate_.is_open();

	gate_.close();
	if (pid_ > 0 && held_back)
		waitpid(pid_, nullptr, 0);
}

} // namespace grtrace
