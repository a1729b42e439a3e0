// SPDX-License-Identifier: GPL-2.0
//
// PictureFiles: where the pictures of a report go.
#pragma once

#include <string>
#include <vector>

#include "words/page/html_capture.h"
#include "lib/files/output_file.h"
#include "lib/text/status.h"

namespace grtrace {

// What was at their places stays there until they are whole.
class PictureFiles {
public:
	// Before anything is read, so that a place that cannot be written to is
	// reported at once. An empty path: no such picture.
	Status open(const std::string &html, const std::string &svg);
	void write(std::vector<HtmlCapture> &captures);
	// To be closed with what else is written.
	std::vector<OutputFile *> files() { return {&html_, &svg_}; }

private:
	OutputFile html_;
	OutputFile svg_;
};

} // namespace grtrace
