// SPDX-License-Identifier: GPL-2.0
//
// ImportOutput: the output of an import, and its sentences for the user.
#pragma once

#include <memory>
#include <string>

#include "lib/files/output_file.h"
#include "lib/text/status.h"
#include "words/foreign/foreign_capture.h"
#include "words/import/import_options.h"

namespace grtrace {

class ImportOutput {
public:
	// The options must outlive it.
	explicit ImportOutput(const ImportOptions &options) : options_(options) {}

	Status open();
	ForeignCapture &begin(const ForeignFacts &facts);
	ForeignCapture &capture() { return *capture_; }

	// Another program writes the capture into this descriptor, and ended so: gives the file
	// its name if it is whole. Returns the exit code.
	int fd() const { return out_.fd(); }
	int finish_file(int code);

	// Ends the capture if the trace was read. Returns the exit code.
	int finish(const Status &read);

	// The trace is not whole: prints the sentence, and counts a loss at its end.
	void cut(const std::string &sentence);

	void say(const std::string &sentence) const;
	int refuse(const Status &status) const;

private:
	Status check() const;

	const ImportOptions &options_;
	OutputFile out_;
	std::unique_ptr<ForeignCapture> capture_;
	bool is_cut_ = false;
};

} // namespace grtrace
