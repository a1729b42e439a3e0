// SPDX-License-Identifier: GPL-2.0
//
// print_to: writes a sentence or a table for people to a standard stream, or to a buffer.
#pragma once

#include <csignal>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace grtrace {

// Like fmt::print(), except that this does not throw if the text has no reader: a closed
// terminal must not end a recorder before it has stopped the session. A failed write to
// standard error does not matter; for standard output main() calls stdout_taken().
void write_to(FILE *stream, std::string_view text);

// Does the same, after it made a name in the text harmless; see printable_lines().
void write_lines_to(FILE *stream, std::string_view text);

template <typename... Args>
void print_to(FILE *stream, fmt::format_string<Args...> format, Args &&...args)
{
	write_lines_to(stream, fmt::format(format, std::forward<Args>(args)...));
}

// The same for a buffer. fmt::format_to() is compiled again in each file that calls it, with
// all that it can format: two seconds.
void append_to(fmt::memory_buffer &out, fmt::string_view format, fmt::format_args args);

template <typename... Args>
void print_to(fmt::memory_buffer &out, fmt::format_string<Args...> format, Args &&...args)
{
	append_to(out, format, fmt::make_format_args(args...));
}

// This is the status that a shell reports for a program that SIGPIPE ended.
constexpr int exit_reader_gone = 128 + SIGPIPE;

// Returns the exit code: `code`, or 1 after a sentence if print_to() could not write
// everything to standard output. A reader that went away is not a failure: this program
// then ends by SIGPIPE, like every other program in the pipe.
int stdout_taken(const char *program, int code);

} // namespace grtrace
