// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"
#include "lib/files/fd.h"
#include "lib/text/status.h"

#include <string>
#include <vector>

namespace grtrace {

// grtrace's directory in debugfs: its files as text, its state, and starting and stopping.
// Every error is a sentence that contains the remedy. The class keeps no file open; trace
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
	Status take_snapshot() const;
	Status discard_snapshot() const;
	Status message(const std::string &text) const;

	Status read(const std::string &file, std::string *text) const;
	Status cpu_stats(std::vector<CpuCounts> *stats) const;

	// Lists the CPUs that have a trace file, in ascending order.
	Status traced_cpus(std::vector<unsigned int> *cpus) const;
	Status open_trace(unsigned int cpu, Fd *trace) const;

	// Sets whether there is a snapshot; it is not consumed.
	Status has_snapshot(bool *there) const;
	Status open_snapshot(Fd *snapshot) const;

	const std::string &directory() const { return directory_; }

private:
	Status check_directory(const std::string &debugfs) const;
	Status order(const char *word, const char *what) const;
	int write(const char *file, const std::string &text) const;
	std::string path(const std::string &file) const;

	std::string directory_;
};

} // namespace grtrace
