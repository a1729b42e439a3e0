// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"
#include "lib/files/fd.h"
#include "lib/text/status.h"

#include <span>
#include <string>
#include <vector>

namespace grtrace {

// Explains an errno that every file of debugfs can return.
std::string explain(const std::string &path, int error);

// Explains why control may refuse a word.
struct Refusal {
	const char *word;
	int error;
	const char *sentence; // {} is replaced by grtrace's directory
};

// grtrace's directory in debugfs: its files as text, its state, and starting and stopping.
// Every error is a sentence that contains the remedy. The class keeps no file of it open; trace
// files belong to the caller.
class Control {
public:
	static constexpr const char *usual_debugfs = "/sys/kernel/debug";

	// Looks under @debugfs; the file system's type is checked unless
	// GRTRACE_DEBUGFS_UNCHECKED=1 is in the environment (for tests).
	Status open(const std::string &debugfs);

	// Sets word to "idle", "running" or "stopped".
	Status state(std::string *word) const;
	Status start() const;
	Status stop() const;
	Status configure(const std::vector<NamedText> &settings) const;
	Status message(const std::string &text) const;

	Status read(const std::string &file, std::string *text) const;
	Status cpu_stats(std::vector<CpuCounts> *stats) const;

	// Lists the CPUs that have a trace file, in ascending order.
	Status traced_cpus(std::vector<unsigned int> *cpus) const;
	Status open_trace(unsigned int cpu, Fd *trace) const;

	// Writes a word to control; what: its purpose, for a sentence.
	Status order(const char *word, const char *what, std::span<const Refusal> refusals) const;

	std::string path(const std::string &file) const;
	const std::string &directory() const { return directory_; }

private:
	Status check_directory(const std::string &debugfs) const;
	int write(const char *file, const std::string &text) const;

	std::string directory_;
	// Given up where no file can be opened, so that a session can be stopped and the
	// configuration restored.
	mutable Fd spare_;
};

} // namespace grtrace
