// SPDX-License-Identifier: GPL-2.0
//
// print_to: a sentence or a table for a person, on a standard stream.
#pragma once

#include <csignal>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace grtrace {

// As fmt::print(), which throws where the text has no reader: a terminal that is
// gone must not end a recorder before it has stopped the session. A failed
// write to standard error does not matter; for standard output main() asks
// stdout_taken().
void write_to(FILE *stream, std::string_view text);

template <typename... Args>
void print_to(FILE *stream, fmt::format_string<Args...> format, Args &&...args)
{
	write_to(stream, fmt::format(format, std::forward<Args>(args)...));
}

// As a shell shows that SIGPIPE ended a program.
constexpr int exit_reader_gone = 128 + SIGPIPE;

// The exit code: `code`, or 1 and a sentence if print_to() could not write all
// to standard output. A reader that went away is not a failure: it is his right,
// and we end by SIGPIPE as every other program in the pipe does.
int stdout_taken(const char *program, int code);

} // namespace grtrace
