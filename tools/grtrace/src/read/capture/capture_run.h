// SPDX-License-Identifier: GPL-2.0
//
// CaptureRun: the code that all words that read captures have in common.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "lib/files/output_file.h"
#include "lib/text/diagnostics.h"
#include "read/capture/capture_set.h"
#include "read/capture/output_names.h"

namespace grtrace {

// Opens the captures, reports errors in them on stderr, and computes the exit code. Input and
// output are the word's task. The word calls, in this order: open(), check_rings(), close(),
// finish().
class CaptureRun {
public:
	// word begins each sentence: "grtrace report".
	explicit CaptureRun(const char *word);
	virtual ~CaptureRun();

	void say(const std::string &sentence);
	// Prints the error of a run that cannot continue, and returns its exit code.
	int refuse(const Status &status);
	// Prints an error after which the run continues; finish() then returns failure.
	void error(const std::string &sentence) { diagnostics_.error(sentence); }

	// Opens the captures. No output may be a file of a capture, or the same file as another.
	Status open(const std::vector<OutputName> &outputs, const std::string &directory,
		    const std::vector<std::string> &inputs, const OpenPlan &plan = {});
	CaptureSet &captures() { return captures_; }

	// Checks whether the requested rings exist. Returns the exit code if the run has to end.
	std::optional<int> check_rings(const Status &rings);
	// Returns exit_ok if all files were written.
	int close(const std::vector<OutputFile *> &files);
	// Prints once what was lost; finish() calls it if the word has not.
	void say_losses();
	// missing: each filter's sentences about things that the user chose but that did not occur.
	int finish(bool strict, std::initializer_list<std::vector<std::string>> missing);

private:
	// A sentence is going to be written to the terminal.
	virtual void clear_line() {}

	const char *word_;
	Diagnostics diagnostics_;
	CaptureSet captures_;
	std::optional<uint64_t> lost_; // records
};

} // namespace grtrace
