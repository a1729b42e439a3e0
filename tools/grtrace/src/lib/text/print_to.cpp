// SPDX-License-Identifier: GPL-2.0
#include "lib/text/print_to.h"

#include <cerrno>
#include <cstring>

#include "lib/text/byte_writer.h"
#include "lib/text/utf8_text.h"

namespace grtrace {

// The first error of standard output.
static int output_error;

void write_to(FILE *stream, std::string_view text)
{
	// A stream would keep the bytes after an error, and fail again at the end.
	ByteWriter out(fileno(stream));

	if (!out.write(text) && stream == stdout && !output_error)
		output_error = out.error();
}

void write_lines_to(FILE *stream, std::string_view text)
{
	write_to(stream, printable_lines(text, false));
}

void append_to(fmt::memory_buffer &out, fmt::string_view format, fmt::format_args args)
{
	fmt::vformat_to(fmt::appender(out), format, args);
}

int stdout_taken(const char *program, int code)
{
	if (code == exit_reader_gone || (!code && output_error == EPIPE)) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
		return exit_reader_gone; // SIGPIPE is blocked
	}
	if (!output_error || output_error == EPIPE)
		return code;
	print_to(stderr, "{}: standard output: cannot write: {}: make room, or write elsewhere\n",
		 program, strerror(output_error));
	return code ? code : 1;
}

} // namespace grtrace
