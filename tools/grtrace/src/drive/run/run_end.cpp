// SPDX-License-Identifier: GPL-2.0
//
// A run that went well may still end badly: several things can fail on the way out, and all
// of them are said.
#include "drive/run/run_end.h"

#include "drive/run/command_run.h"
#include "lib/text/print_to.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace grtrace {

namespace {

constexpr int exit_lost = 3;
constexpr int tick_ms = 500; // of the progress line, and for news of CPUs

} // namespace

void complain(const std::string &sentence)
{
	print_to(stderr, "grtrace: {}\n", sentence);
}

Status join(const Status &first, const Status &second)
{
	if (first.ok())
		return second;
	if (second.ok() || second.sentence() == first.sentence())
		return first;
	return Status::error(first.sentence() + "\n" + second.sentence());
}

bool is_for_terminal(const std::string &output)
{
	if (output != "-" || !isatty(STDOUT_FILENO))
		return false;
	complain("-o -: a capture is nothing for a terminal; send it into a file or to grparse -i "
		 "-");
	return true;
}

Status make_output_directory(const std::string &path)
{
	if (path.empty() || !mkdir(path.c_str(), 0755) || errno == EEXIST)
		return Status();
	return Status::error("cannot create the directory {}: {}", path, strerror(errno));
}

void wait_for_end(Ending &ending, Command &command, int failure_fd,
		  const std::function<bool()> &tick)
{
	for (;;) {
		switch (ending.wait(failure_fd, tick_ms)) {
		case Ending::Event::tick:
			if (!tick())
				return;
			break;
		case Ending::Event::child:
			if (command.has_ended())
				return;
			break;
		case Ending::Event::signal:
			command.forward(ending.signal_for_child());
			return;
		case Ending::Event::time:
		case Ending::Event::failure:
			return;
		}
	}
}

void wait_for_command(Ending &ending, Command &command)
{
	while (command.is_running() && !command.has_ended()) {
		if (ending.wait(-1, tick_ms) != Ending::Event::signal)
			continue;
		complain("the command is still running and is left alone");
		return;
	}
}

void wait_for_command(CommandRun &run)
{
	if (!run.wait_for_command())
		complain("the command is still running and is left alone");
}

int recording_exit_code(const Command &command, bool strict, bool has_lost)
{
	if (command.exit_code()) {
		complain(fmt::format("the command ended with status {}", command.exit_code()));
		return command.exit_code();
	}
	return strict && has_lost ? exit_lost : 0;
}

} // namespace grtrace
