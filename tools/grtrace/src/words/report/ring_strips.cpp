// SPDX-License-Identifier: GPL-2.0
#include "words/report/ring_strips.h"

#include <algorithm>
#include <cmath>

namespace grtrace {

void BusyStrip::halve()
{
	const size_t kept = (parts_.size() + 1) / 2;

	for (size_t i = 0; i < kept; i++)
		parts_[i] = parts_[2 * i] + (2 * i + 1 < parts_.size() ? parts_[2 * i + 1] : 0);
	parts_.resize(kept);
	shift_++;
}

void BusyStrip::add(uint64_t from, uint64_t to)
{
	from = std::max(from, until_);
	if (from >= to)
		return;
	until_ = to;
	while ((to - 1) >> shift_ >= limit)
		halve();

	const size_t last = static_cast<size_t>((to - 1) >> shift_);
	if (parts_.size() <= last)
		parts_.resize(last + 1);
	for (size_t i = static_cast<size_t>(from >> shift_); i <= last; i++) {
		const uint64_t end = std::min(to, (i + 1) << shift_);

		parts_[i] += end - from;
		from = end;
	}
}

double BusyStrip::busy(double from, double to) const
{
	const double wide = static_cast<double>(width());
	double sum = 0;

	for (size_t i = static_cast<size_t>(from / wide); i < parts_.size(); i++) {
		const double begin = static_cast<double>(i) * wide;
		const double part = std::min(to, begin + wide) - std::max(from, begin);

		if (part <= 0)
			break;
		sum += static_cast<double>(parts_[i]) * part / wide;
	}
	return sum;
}

void RingStrips::executed(const Job &job)
{
	rings_[job.ring].used = true;
}

void RingStrips::busy(uint32_t ring, uint64_t from, uint64_t to)
{
	from = std::max(from, start_);
	to = std::min(to, end_);
	if (from >= to)
		return;

	Strip &strip = rings_[ring];

	strip.busy.add(from - start_, to - start_);
	strip.sum += to - from;
}

std::optional<uint64_t> RingStrips::busy_ns(uint32_t ring) const
{
	const Strip *strip = rings_.find(ring);

	if (!strip || !activity_.busy_ns(ring))
		return {};
	return strip->sum;
}

std::string RingStrips::draw(uint32_t ring, uint64_t length, size_t columns, bool utf8) const
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const marks[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
	const double step = static_cast<double>(length) / static_cast<double>(columns);
	const Strip *strip = rings_.find(ring);
	std::string text;

	for (size_t i = 0; i < columns && step > 0 && strip; i++) {
		const double from = static_cast<double>(i) * step;
		const double share = strip->busy.busy(from, from + step) / step;
		const auto level = static_cast<size_t>(std::ceil(std::clamp(share, 0.0, 1.0) * 8));

		text += utf8 ? blocks[level] : marks[level];
	}
	return text;
}

} // namespace grtrace
