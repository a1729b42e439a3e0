// SPDX-License-Identifier: GPL-2.0
#include "words/page/html_capture.h"

#include <algorithm>

namespace grtrace {

HtmlCapture::HtmlCapture(const Picture &of, const Delays *who_delayed, std::string closing_text)
	: picture(of), delays(who_delayed), closing(std::move(closing_text))
{
	for (const PictureRow &row : picture.rows().all())
		add_context(row.ctx);
	for (const PictureLink &link : picture.links())
		add_context(link.fence_ctx);
	add_rings();
}

void HtmlCapture::add_context(uint64_t id)
{
	if (index_.find(id))
		return;
	index_.get(id) = static_cast<uint32_t>(contexts.size());
	contexts.push_back(id);
}

static std::vector<HtmlLevel> levels_of(PictureSeries series, uint64_t from)
{
	std::vector<HtmlLevel> levels;

	while (!series.empty()) {
		const uint64_t begin = series.first() << series.shift();

		levels.push_back({series.shift(),
				  static_cast<double>(static_cast<int64_t>(begin - from)),
				  series.size()});
		if (series.size() <= HtmlCapture::few_buckets)
			break;
		series.coarsen(series.shift() + HtmlCapture::level_step);
	}
	return levels;
}

void HtmlCapture::add_rings()
{
	for (const auto &[id, ring] : picture.rings())
		rings.push_back({id, &ring, levels_of(ring.series, picture.from()), {}});

	auto ring = rings.begin();
	for (const PictureRow &row : picture.rows().all()) {
		while (ring->id != row.ring)
			++ring;
		if (ring->lanes.size() <= row.lane)
			ring->lanes.resize(row.lane + 1u);
		ring->lanes[row.lane]++;
	}
}

// Returns the real time at which the picture begins, 0 if it is not known.
static uint64_t wall_clock(const Picture &picture)
{
	const Session &session = picture.capture().session();

	return session.start_real ? session.start_real + (picture.from() - session.start_ts) : 0;
}

bool align_by_wall_clock(std::vector<HtmlCapture> &captures)
{
	uint64_t first = UINT64_MAX, first_end = UINT64_MAX, last = 0;

	for (const HtmlCapture &capture : captures) {
		const Picture &picture = capture.picture;
		const uint64_t begin = wall_clock(picture);

		if (!begin)
			return false;
		first = std::min(first, begin);
		last = std::max(last, begin);
		first_end = std::min(first_end, begin + (picture.to() - picture.from()));
	}
	if (last > first_end)
		return false;
	for (HtmlCapture &capture : captures)
		capture.offset = static_cast<double>(wall_clock(capture.picture) - first);
	return true;
}

} // namespace grtrace
