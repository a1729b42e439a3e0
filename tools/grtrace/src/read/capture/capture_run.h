// SPDX-License-Identifier: GPL-2.0
//
// CaptureRun: the frame of a word that reads captures.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "lib/files/output_file.h"
#include "lib/files/read_progress.h"
#include "lib/text/diagnostics.h"
#include "read/capture/capture_set.h"
#include "read/capture/output_names.h"

namespace grtrace {

// Opens the captures, shows on a terminal how far the reading is, says on stderr what
// was wrong with them, and knows the exit code in the end. Input and output are
// the word's own business. The word calls, in this order: open(), read_all(), close(),
// finish().
class CaptureRun {
public:
	// word begins each sentence: "grtrace report". writes: see ReadProgress.
	CaptureRun(const char *word, bool writes);

	void say(const std::string &sentence);
	// The same, with the exit code of a run that ends by it.
	int refuse(const Status &status);
	// An error after which the run goes on, and which finish() remembers.
	void error(const std::string &sentence) { diagnostics_.error(sentence); }

	// No output may be a file of a capture, or the same as another.
	Status open(const std::vector<OutputName> &outputs, const std::string &directory,
		    const std::vector<std::string> &inputs, const OpenPlan &plan = {});
	CaptureSet &captures() { return captures_; }

	// Whether the rings that were asked for are there. Returns the exit code if the
	// run ends with that.
	std::optional<int> check_rings(const Status &rings);
	// All has been read. The rings that come late are known only now.
	std::optional<int> read_all(const Status &rings = {});
	// exit_ok: the user has the files.
	int close(const std::vector<OutputFile *> &files);
	// Prints what was lost, once; finish() does so if the word did not before.
	void say_losses();
	// missing: the chosen things that did not occur, as sentences of each
	// filter.
	int finish(bool strict, std::initializer_list<std::vector<std::string>> missing);

private:
	const char *word_;
	ReadProgress progress_;
	Diagnostics diagnostics_;
	CaptureSet captures_;
	std::optional<uint64_t> lost_; // records
};

} // namespace grtrace
