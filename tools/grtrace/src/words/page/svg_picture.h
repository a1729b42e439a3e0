// SPDX-License-Identifier: GPL-2.0
//
// SvgPicture: captures as one still picture.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "words/page/html_capture.h"
#include "lib/files/output_file.h"

namespace grtrace {

// One below the other, each with an axis of its own: a line per ring with the
// jobs, or with the share of each process where there are too many of them; below
// it the queue depth; losses hatched over all. Its size follows from the number
// of rings and of columns, not of jobs.
class SvgPicture {
public:
	// A ring with more jobs is drawn as shares.
	static constexpr uint64_t jobs_max = 1500;

	explicit SvgPicture(OutputFile &file) : file_(file) {}

	void write(const std::vector<HtmlCapture> &captures);

private:
	void header(const std::vector<HtmlCapture> &captures);
	void capture(const HtmlCapture &capture);
	void axis(const Picture &picture, double height);
	void ring(const HtmlCapture &capture, const HtmlRing &ring);
	void jobs(const HtmlCapture &capture, const HtmlRing &ring);
	void job(const Picture &picture, const PictureRow &row, double height);
	void shares(const HtmlRing &ring);
	void depth(const HtmlRing &ring);
	void losses(const Picture &picture, double top, double height);
	void legend(const Picture &picture);

	double x_of(uint64_t ts) const;
	void text(double x, double y, const char *style,
		  std::string_view words);
	template <typename... Args>
	void put(fmt::format_string<Args...> format, Args &&...args);

	OutputFile &file_;
	double y_ = 0; // where the next part begins
	uint64_t from_ = 0; // of the capture that is drawn
	double length_ = 1; // ns
};

// For XML: no markup, and no character that XML does not have.
std::string xml_text(std::string_view text);

} // namespace grtrace
