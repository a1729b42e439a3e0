// SPDX-License-Identifier: GPL-2.0
//
// cut_file: finds out whether a trace.dat ends too early, and what of it is whole.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/files/fd.h"
#include "lib/text/status.h"

namespace grtrace {

struct CutFile {
	uint64_t size = 0; // of the file
	uint64_t whole = 0; // up to here, all pages of events are whole
	uint64_t end = 0; // of the last CPU's pages, if they were there
	std::vector<uint32_t> cpus; // whose pages are cut, or missing
};

// Returns nothing if the file is not cut, if it ends before the table of the CPUs' pages, or if
// its version is not 6, the only one that has this table before them.
std::optional<CutFile> find_cut(const Fd &fd);

// Copies what is whole. Pages without events follow, which libtracecmd needs to read the others.
Status copy_whole(const Fd &from, const CutFile &cut, Fd *copy);

} // namespace grtrace
