// SPDX-License-Identifier: GPL-2.0
//
// HtmlHead: the facts that a page needs before its rows, as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "words/page/html_capture.h"

namespace grtrace {

// The JSON is in a <script> element: "<" never occurs in it, so text from a capture cannot
// end the element. Times are ns since the picture's from().
class HtmlHead {
public:
	// wall_clock: the offsets of the captures are real times.
	HtmlHead(const std::vector<HtmlCapture> &captures, bool wall_clock)
		: captures_(captures), wall_clock_(wall_clock)
	{
	}

	void print(fmt::memory_buffer &out);

private:
	void capture(const HtmlCapture &capture);
	void session(const HtmlCapture &capture);
	void tasks(const Picture &picture);
	void guilty(const Picture &picture);
	void contexts(const HtmlCapture &capture);
	void rings(const HtmlCapture &capture);
	void ring(const HtmlCapture &capture, const HtmlRing &ring);
	void stages(const PictureRing &ring);
	void losses(const Picture &picture);
	void delays(const HtmlCapture &capture);
	void findings(const HtmlCapture &capture);

	void key(const char *name);
	void text(const char *name, std::string_view value);
	void number(const char *name, double value);
	template <typename Items, typename Fn>
	void list(const char *name, const Items &items, Fn print_item);
	template <typename Fn> void object(Fn print_members);

	const std::vector<HtmlCapture> &captures_;
	bool wall_clock_;
	fmt::memory_buffer json_;
	bool first_ = true; // the first key of the JSON object comes next
};

} // namespace grtrace
