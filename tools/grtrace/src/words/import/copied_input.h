// SPDX-License-Identifier: GPL-2.0
//
// Copies of an input, for readers that need a file. They have no name, and go with the
// program.
#pragma once

#include <string_view>

#include "lib/files/fd.h"
#include "lib/text/status.h"
#include "words/foreign/line_reader.h"

namespace grtrace {

// Returns the program that unpacks a file with these first bytes; nullptr: it is not packed.
const char *find_unpacker(std::string_view first_bytes);

// Makes an empty copy.
Status make_copy(Fd *copy);

// Copies all that the reader has not yet returned. A program that is run gets the copy too.
Status copy_input(LineReader &from, Fd *copy);

// Replaces a copy by what the program unpacks from it. Not whole: the program failed half way.
Status unpack(const char *program, Fd *copy, bool *whole);

} // namespace grtrace
