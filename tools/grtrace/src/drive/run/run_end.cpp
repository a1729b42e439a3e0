// SPDX-License-Identifier: GPL-2.0
//
// A successful run may still end badly: several things can fail at the end, and all of them
// are reported.
#include "drive/run/run_end.h"

#include "drive/run/command_run.h"
#include "lib/files/create_file.h"
#include "lib/text/print_to.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace grtrace {

namespace {

constexpr int exit_lost = 3;

} // namespace

void complain(const std::string &sentence)
{
	print_to(stderr, "grtrace: {}\n", sentence);
}

bool is_for_terminal(const std::string &output)
{
	if (output != "-" || !isatty(STDOUT_FILENO))
		return false;
	complain("-o -: a capture is binary and cannot go to a terminal; write it to a file, or "
		 "pipe it to grparse -i -");
	return true;
}

Status make_output_directory(const std::string &path)
{
	if (path.empty() || create_capture_directory(path))
		return Status();
	return Status::error("cannot create the directory {}: {}", path, strerror(errno));
}

void wait_for_command(CommandRun &run)
{
	if (!run.wait_for_command())
		complain("the command is still running and is left alone");
}

int recording_exit_code(const CommandRun &run, bool strict, bool has_lost)
{
	if (const int code = run.exit_code()) {
		complain(fmt::format("the command ended with status {}", code));
		return code;
	}
	return strict && has_lost ? exit_lost : 0;
}

} // namespace grtrace
