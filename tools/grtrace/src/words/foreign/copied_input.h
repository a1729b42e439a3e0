// SPDX-License-Identifier: GPL-2.0
//
// Copies of an input, for readers that need a file. They have no name, and go with the
// program.
#pragma once

#include <cstdint>
#include <string>
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

// An unpacked trace may have this many times the bytes of the packed one, or this many bytes if
// that is more: a trace packs to a tenth, a file made to fill a disk to a thirty thousandth.
constexpr uint64_t unpacked_times = 64;
constexpr uint64_t unpacked_least = 64 << 20;

// Replaces a copy by what the program unpacks from it. missing: a sentence, if it ended before
// all was unpacked, because the bytes are damaged, the disk is full or the limit is reached.
Status unpack(const char *program, bool limit, Fd *copy, std::string *missing);

} // namespace grtrace
