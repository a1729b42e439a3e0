// SPDX-License-Identifier: GPL-2.0
#include "print_to.h"

#include <cerrno>
#include <cstring>

namespace grtrace {

// Of standard output, the first.
static int output_error;

void write_to(FILE *stream, std::string_view text)
{
	const bool taken =
		fwrite(text.data(), 1, text.size(), stream) == text.size() &&
		!fflush(stream);

	if (!taken && stream == stdout && !output_error)
		output_error = errno;
}

int stdout_taken(const char *program, int code)
{
	if (!output_error || output_error == EPIPE)
		return code;
	print_to(stderr,
		 "{}: standard output: cannot write: {}: make room, or write "
		 "elsewhere\n",
		 program, strerror(output_error));
	return code ? code : 1;
}

} // namespace grtrace
