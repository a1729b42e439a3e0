// SPDX-License-Identifier: GPL-2.0
#include "words/page/svg_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>

#include "lib/text/json_line.h"
#include "read/capture/losses.h"
#include "words/page/picture_colours.h"
#include "words/page/svg_columns.h"

namespace grtrace {

namespace {

// Pixels.
constexpr double width = 1200, gutter = 170, margin = 20;
constexpr double plot = width - gutter - margin;
constexpr double title_height = 34, axis_height = 26, legend_height = 34;
constexpr double lane_height = 34, depth_height = 20, ring_gap = 12;
constexpr double ring_height = lane_height + depth_height + ring_gap;

constexpr const char *style_text =
	"text{font:12px sans-serif;fill:#222}"
	".title{font-size:15px;font-weight:bold}"
	".small{font-size:10px;fill:#666}"
	".axis{fill:#444;text-anchor:middle}"
	".grid{stroke:#ddd;stroke-width:1}"
	".lane{fill:#f4f4f4}.depth{fill:#b4bcc8}"
	".inferred{stroke:#222;stroke-width:1;stroke-dasharray:3 2}"
	".failed{stroke:#c00000;stroke-width:2;fill:none}";

double height_of(const HtmlCapture &capture)
{
	return title_height + axis_height +
	       ring_height * static_cast<double>(capture.rings.size()) +
	       legend_height;
}

} // namespace

std::string xml_text(std::string_view text)
{
	fmt::memory_buffer safe;
	std::string result;

	// Makes UTF-8 of it; control characters are escaped, and harmless.
	append_json_text(safe, text);
	for (const char c :
	     std::string_view(safe.data(), safe.size()).substr(1)) {
		if (c == '<')
			result += "&lt;";
		else if (c == '>')
			result += "&gt;";
		else if (c == '&')
			result += "&amp;";
		else if (c == '"')
			result += "&quot;";
		else
			result += c;
	}
	result.resize(result.size() - strlen("&quot;"));
	return result;
}

template <typename... Args>
void SvgPicture::put(fmt::format_string<Args...> format, Args &&...args)
{
	fmt::format_to(std::back_inserter(file_.text()), format,
		       std::forward<Args>(args)...);
	file_.drain();
}

void SvgPicture::text(double x, double y, const char *style,
		      std::string_view words)
{
	put("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", style,
	    x, y, xml_text(words));
}

double SvgPicture::x_of(uint64_t ts) const
{
	const double at = static_cast<double>(
		static_cast<int64_t>(ts - from_));

	return gutter + plot * std::clamp(at / length_, 0.0, 1.0);
}

void SvgPicture::header(const std::vector<HtmlCapture> &captures)
{
	double height = 0;

	for (const HtmlCapture &capture : captures)
		height += height_of(capture);
	put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
	    "height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
	    "<title>grtrace report</title>\n<style>{2}</style>\n"
	    "<defs><pattern id=\"lost\" width=\"6\" height=\"6\" "
	    "patternUnits=\"userSpaceOnUse\" "
	    "patternTransform=\"rotate(45)\"><rect width=\"2\" height=\"6\" "
	    "fill=\"#222\"/></pattern></defs>\n"
	    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
	    width, height, style_text);
}

void SvgPicture::axis(const Picture &picture, double height)
{
	const double origin = static_cast<double>(static_cast<int64_t>(
		picture.from() - picture.capture().session().start_ts));
	const AxisStep step = axis_step(length_, 8);
	const double first = std::ceil(origin / step.ns);
	const double last = std::floor((origin + length_) / step.ns);

	for (int i = 0; first + i <= last; i++) {
		const double at = (first + i) * step.ns;
		const double x = gutter + plot * (at - origin) / length_;

		put("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" "
		    "y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>\n",
		    x, y_, y_ + height);
		text(x, y_ - 6, "axis", step.label(at));
	}
}

void SvgPicture::capture(const HtmlCapture &capture)
{
	const Picture &picture = capture.picture;
	const double rings =
		ring_height * static_cast<double>(capture.rings.size());
	uint64_t jobs = 0;

	from_ = picture.from();
	length_ = std::max(
		1.0, static_cast<double>(picture.to() - picture.from()));
	for (const HtmlRing &ring : capture.rings)
		jobs += ring.ring->nr_jobs;
	text(margin, y_ + 22, "title",
	     fmt::format("{}: {} jobs, {} records lost",
			 picture.capture().name(), thousands(jobs),
			 thousands(picture.capture().stats().lost())));
	y_ += title_height + axis_height;
	axis(picture, rings);

	for (const HtmlRing &one : capture.rings)
		ring(capture, one);
	losses(picture, y_ - rings, rings);
	legend(picture);
	y_ += legend_height;
}

void SvgPicture::ring(const HtmlCapture &capture, const HtmlRing &ring)
{
	const Picture &picture = capture.picture;
	const auto busy_ns = ring.ring->busy_ns;
	uint64_t rows = 0;

	for (const uint32_t lane : ring.lanes)
		rows += lane;
	text(margin, y_ + 15, "ring",
	     picture.capture().session().ring_title(ring.id));
	text(margin, y_ + 29, "small",
	     fmt::format("{} jobs, busy {}", thousands(ring.ring->nr_jobs),
			 busy_ns ? fmt::format("{:.1f} %",
					       100 *
						       static_cast<double>(
							       *busy_ns) /
						       length_) :
				   "NA"));
	put("<rect class=\"lane\" x=\"{}\" y=\"{:.1f}\" width=\"{}\" "
	    "height=\"{}\"/>\n",
	    gutter, y_, plot, lane_height);
	if (rows <= jobs_max && !picture.rows().dropped())
		jobs(capture, ring);
	else
		shares(ring);
	depth(ring);
	y_ += ring_height;
}

void SvgPicture::jobs(const HtmlCapture &capture, const HtmlRing &ring)
{
	const std::vector<PictureRow> &rows = capture.picture.rows().all();
	const double height =
		lane_height / static_cast<double>(ring.lanes.size());
	auto row = std::partition_point(
		rows.begin(), rows.end(),
		[&](const PictureRow &one) { return one.ring < ring.id; });

	for (; row != rows.end() && row->ring == ring.id; ++row)
		job(capture.picture, *row, height);
}

void SvgPicture::job(const Picture &picture, const PictureRow &row,
		     double height)
{
	const auto &task = picture.tasks().entries()[row.task];
	const auto &process = picture.tasks().processes()[task.process];
	const double x = x_of(row.from());
	const double right = std::max(x + 0.75, x_of(row.to()));
	const double top = y_ + height * row.lane;

	put("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
	    "height=\"{:.2f}\" fill=\"{}\"><title>{}:{} {} {}, {}</title>"
	    "</rect>\n",
	    x, top, right - x, height, slot_colours[process.slot], row.ctx,
	    row.seqno, task.pid, xml_text(task.comm),
	    job_label_name(row.label));
	if (row.flags & PictureRow::start_inferred && right - x > 3)
		put("<path class=\"inferred\" d=\"M{:.2f} {:.2f}v{:.2f}\"/>\n",
		    x, top, height);
	if (row.flags & PictureRow::failed)
		put("<path class=\"failed\" d=\"M{:.2f} {:.2f}l6 6m0 -6l-6 6"
		    "\"/>\n",
		    right - 3, top + 2);
}

void SvgPicture::shares(const HtmlRing &ring)
{
	const SvgColumns columns(ring.ring->series, from_, length_, plot);
	const double scale = lane_height / std::max(1.0, columns.most_busy());
	std::vector<double> bottom(columns.size(), y_ + lane_height);

	for (size_t slot = 0; slot < slot_colours.size(); slot++) {
		put("<path fill=\"{}\" d=\"", slot_colours[slot]);
		for (size_t i = 0; i < columns.size(); i++) {
			const double part = columns.busy(i, slot) * scale;

			if (part < 0.05)
				continue;
			bottom[i] -= part;
			put("M{0:.0f} {1:.1f}h{2:.0f}v{3:.1f}h-{2:.0f}z",
			    gutter + SvgColumns::width *
					     static_cast<double>(i),
			    bottom[i], SvgColumns::width, part);
		}
		put("\"/>\n");
	}
}

void SvgPicture::depth(const HtmlRing &ring)
{
	const SvgColumns columns(ring.ring->series, from_, length_, plot);
	const double most = columns.most_deep();
	const double bottom = y_ + lane_height + depth_height;

	if (most <= 0)
		return;
	put("<path class=\"depth\" d=\"M{} {:.1f}", gutter, bottom);
	for (size_t i = 0; i < columns.size(); i++)
		put("V{:.1f}h{:.0f}",
		    bottom - (depth_height - 4) * columns.depth(i) / most,
		    SvgColumns::width);
	put("V{:.1f}z\"/>\n", bottom);
	text(margin, y_ + lane_height + 13, "small",
	     fmt::format("queue depth up to {:.1f}", most));
}

void SvgPicture::losses(const Picture &picture, double top, double height)
{
	for (const LossSpans::Span &loss : picture.losses().all()) {
		const double x = x_of(loss.from);

		if (loss.to < from_)
			continue;
		put("<rect fill=\"url(#lost)\" opacity=\"0.45\" x=\"{:.2f}\" "
		    "y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\">"
		    "<title>records were lost here</title></rect>\n",
		    x, top, std::max(1.5, x_of(loss.to) - x), height);
	}
}

void SvgPicture::legend(const Picture &picture)
{
	std::array<std::string, slot_colours.size()> names;
	double x = gutter;

	names.back() = "others";
	for (const auto &process : picture.tasks().processes())
		if (process.slot != PictureTasks::others)
			names[process.slot] = fmt::format(
				"{} {}", process.tgid, process.comm);
	for (size_t slot = 0; slot < names.size(); slot++) {
		if (names[slot].empty())
			continue;
		put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"11\" "
		    "height=\"11\" fill=\"{}\"/>\n",
		    x, y_ + 8, slot_colours[slot]);
		text(x + 15, y_ + 18, "legend", names[slot]);
		x += 32 + 7 * static_cast<double>(names[slot].size());
	}
}

void SvgPicture::write(const std::vector<HtmlCapture> &captures)
{
	header(captures);
	for (const HtmlCapture &one : captures)
		capture(one);
	put("</svg>\n");
}

} // namespace grtrace
