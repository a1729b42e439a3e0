// SPDX-License-Identifier: GPL-2.0
#include "words/page/html_page.h"

#include <cmath>

#include "words/page/html_head.h"
#include "words/page/page_text.h"
#include "words/page/picture_bytes.h"

namespace grtrace {

namespace {

// After a zero comes the number of further zeros.
void put_column(PictureBytes &bytes, const PictureSeries &series, size_t column)
{
	uint64_t zeros = 0;
	auto end_zeros = [&] {
		if (!zeros)
			return;
		bytes.number(0);
		bytes.number(zeros - 1);
		zeros = 0;
	};

	for (size_t i = 0; i < series.size(); i++) {
		const uint64_t value =
			static_cast<uint64_t>(std::min(series.at(i, column), 0x1p63));

		if (!value) {
			zeros++;
			continue;
		}
		end_zeros();
		bytes.number(value);
	}
	end_zeros();
}

// The facts of a row besides its times: bits 0 to 6: which times it has; 7 to 14: flags; 15
// to 17: the label; 18: it has an error; 19: waits; 20: a weight; 21: bit 3 of the label.
struct RowShape {
	static constexpr unsigned int flags = 7, label = 15;
	static constexpr unsigned int label_bits = 3, label_top = 21;
	static constexpr uint64_t error = 1 << 18, waits = 1 << 19, weight = 1 << 20;
};

uint64_t shape_of(const PictureRow &row)
{
	const auto label = static_cast<uint64_t>(row.label);
	uint64_t shape = uint64_t(row.flags) << RowShape::flags |
			 (label & ((1 << RowShape::label_bits) - 1)) << RowShape::label |
			 label >> RowShape::label_bits << RowShape::label_top;

	for (size_t i = 0; i < nr_picture_steps; i++)
		shape |= uint64_t(row.times[i] != Job::none) << i;
	if (row.error)
		shape |= RowShape::error;
	if (row.waits)
		shape |= RowShape::waits;
	if (row.weight != 1)
		shape |= RowShape::weight;
	return shape;
}

// Each time is written as the distance to its neighbour, so that most take one or two
// bytes: START and COMMIT, PICK, BLOCKED, SUBMIT backwards from the beginning of the
// execution, END and COMPLETE forwards from its end.
void put_times(PictureBytes &bytes, const PictureRow &row)
{
	constexpr PictureStep back[] = {PictureStep::start, PictureStep::commit, PictureStep::pick,
					PictureStep::blocked, PictureStep::submit};
	uint64_t at = row.from();
	auto put = [&](PictureStep step) {
		if (row.time(step) == Job::none)
			return;
		bytes.step(at, row.time(step));
		at = row.time(step);
	};

	for (PictureStep step : back)
		put(step);
	at = row.to();
	put(PictureStep::end);
	put(PictureStep::complete);
}

} // namespace

void HtmlPage::append(std::string_view text)
{
	file_.text().append(text.data(), text.data() + text.size());
}

void HtmlPage::series(const HtmlCapture &capture, size_t number)
{
	const std::string name = fmt::format("{}-series", number);
	PictureBytes bytes(file_, name);

	for (const HtmlRing &ring : capture.rings) {
		PictureSeries level = ring.ring->series;

		for (const HtmlLevel &wanted : ring.levels) {
			level.coarsen(wanted.shift);
			for (size_t i = 0; i < level.columns(); i++)
				put_column(bytes, level, i);
		}
	}
	bytes.end();
}

void HtmlPage::rows(HtmlCapture &capture, size_t number)
{
	const std::string name = fmt::format("{}-rows", number);
	std::vector<uint64_t> seqnos(capture.contexts.size());
	const uint64_t begin = capture.picture.from();
	const PictureRow *before = nullptr;
	PictureBytes bytes(file_, name);

	for (const PictureRow &row : capture.picture.rows().all()) {
		const bool same_lane =
			before && before->ring == row.ring && before->lane == row.lane;
		const uint32_t context = capture.context(row.ctx);

		bytes.number(row.from() - (same_lane ? before->from() : begin));
		bytes.number(row.to() - row.from());
		bytes.number(shape_of(row));
		bytes.number(context);
		bytes.step(seqnos[context], row.seqno);
		seqnos[context] = row.seqno;
		bytes.number(row.task);
		put_times(bytes, row);
		if (row.error)
			bytes.signed_number(row.error);
		if (row.waits) {
			bytes.number(row.waits);
			bytes.number(row.wait_ns);
		}
		if (row.weight != 1)
			bytes.number(row.weight);
		before = &row;
	}
	bytes.end();
}

void HtmlPage::links(HtmlCapture &capture, size_t number)
{
	const std::string name = fmt::format("{}-links", number);
	const uint64_t begin = capture.picture.from();
	PictureBytes bytes(file_, name);
	uint32_t before = 0;

	for (const PictureLink &link : capture.picture.links()) {
		bytes.number(link.row - before);
		before = link.row;
		bytes.number(static_cast<uint64_t>(link.kind));
		if (link.kind == PictureLink::Kind::waited) {
			bytes.number(link.task);
		} else if (link.other != PictureLink::no_row) {
			bytes.number(link.other + uint64_t(1));
		} else {
			bytes.number(0);
			bytes.number(capture.context(link.fence_ctx));
			bytes.number(link.fence_seqno);
		}
		if (link.kind != PictureLink::Kind::depends) {
			bytes.step(begin, link.from);
			bytes.step(link.from, link.to);
		}
	}
	bytes.end();
}

void HtmlPage::write(std::vector<HtmlCapture> &captures)
{
	const bool wall_clock = align_by_wall_clock(captures);

	append(page_begin);
	append("<script type=\"application/json\" id=\"head\">");
	HtmlHead(captures, wall_clock).print(file_.text());
	append("</script>\n");
	for (size_t i = 0; i < captures.size(); i++)
		series(captures[i], i);
	append(page_script);
	for (size_t i = 0; i < captures.size(); i++) {
		rows(captures[i], i);
		links(captures[i], i);
	}
	append(page_end);
}

} // namespace grtrace
