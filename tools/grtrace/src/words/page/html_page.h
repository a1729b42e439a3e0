// SPDX-License-Identifier: GPL-2.0
//
// HtmlPage: writes captures as one file that a browser opens without a network.
//
// The parts are in an order that lets the page draw before all of it is read:
//
//	style, skeleton of the page
//	#head		JSON: names, rings, stages, losses (HtmlHead)
//	<n>-series      by ring: levels of its series, the finest first, each
//	                column by column
//	script
//	<n>-rows	jobs by ring, lane and time
//	<n>-links	dependencies, blocked times and waits by job
//
// n is the number of the capture. Style, skeleton and script are the files in page/ (see
// page/embed.sh); the rest are numbers (PictureBytes). The page's content security policy
// allows only this style and this script, and no other resource.
#pragma once

#include <vector>

#include "lib/files/output_file.h"
#include "words/page/html_capture.h"

namespace grtrace {

// Writes immediately; memory is only needed for the captures.
class HtmlPage {
public:
	explicit HtmlPage(OutputFile &file) : file_(file) {}

	void write(std::vector<HtmlCapture> &captures);

private:
	void append(std::string_view text);
	void series(const HtmlCapture &capture, size_t number);
	void rows(HtmlCapture &capture, size_t number);
	void links(HtmlCapture &capture, size_t number);

	OutputFile &file_;
};

} // namespace grtrace
