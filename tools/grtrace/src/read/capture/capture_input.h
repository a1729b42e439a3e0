// SPDX-License-Identifier: GPL-2.0
//
// CaptureInput: opens the files of the capture that the user named.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lib/run/command.h"
#include "lib/text/diagnostics.h"
#include "lib/text/status.h"
#include "read/stream/byte_reader.h"
#include "read/stream/stream_stats.h"

namespace grtrace {

// One open file of a capture; its new owner closes fd.
struct InputFile {
	std::string path;
	int fd;
	Command import = {}; // the program that makes this capture of another trace
};

// The whole packets of each CPU's file that are read; without files, all is read.
struct CaptureParts {
	std::vector<std::vector<ByteReader::Part>> files;
	// Only numbers from first_gseq to before end_gseq can be missing from the parts.
	uint64_t first_gseq = UINT64_MAX; // not known
	uint64_t end_gseq = UINT64_MAX;
	uint64_t last_ts = 0; // the capture reaches this time, or a later one
};
// Chooses the parts, and sets the numbers at which the CPUs begin there.
using PartFinder = std::function<CaptureParts(const std::vector<InputFile> &, StreamStats &)>;

// A name is, as for blkparse, the base of files NAME.grtrace.<cpu> (a trailing .grtrace.<n>
// is removed first), or one file or FIFO in which the packets of all CPUs alternate, or "-"
// for standard input. If the file is a trace that another program recorded, grtrace import
// makes a capture of it.
struct CaptureInput {
	bool live = false; // OpenPlan's
	std::string name = {}; // for headings: the base name without folders
	bool per_cpu = false; // each file has one CPU's records, which are in order
	uint32_t next_cpu = 0; // per_cpu: one above the highest CPU that has a file
	std::vector<InputFile> files = {};

	// Returns the files of a name, an empty list for standard input; opens none.
	static std::vector<std::string> paths(const std::string &directory,
					      const std::string &name);

	// "x.grtrace.1"
	static std::string cpu_file(const std::string &base, uint32_t cpu);

	// Returns the file that hides this path from readers; empty if there is none.
	static std::string shadow_of(const std::string &path);

	// Opens the files. Missing files of CPUs below the highest one are reported to
	// diagnostics; the rest can still be read.
	Status open(const std::string &directory, const std::string &name,
		    Diagnostics &diagnostics);

private:
	Status open_cpu_files(const std::string &base, const std::vector<unsigned int> &cpus,
			      Diagnostics &diagnostics);
	Status open_single(const std::string &path, int unsearched);
};

} // namespace grtrace
