// SPDX-License-Identifier: GPL-2.0
#include "words/page/picture_keys.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace grtrace {

namespace {

using Key = std::tuple<uint64_t, uint32_t, uint64_t>;

uint64_t begin_of(const PictureRow &row)
{
	const uint64_t submit = row.time(PictureStep::submit);

	return submit == Job::none ? row.from() : submit;
}

Key key_of(const PictureRow &row)
{
	return {row.ctx, static_cast<uint32_t>(row.seqno), begin_of(row)};
}

} // namespace

PictureKeys::PictureKeys(const std::vector<PictureRow> &rows) : rows_(rows), order_(rows.size())
{
	std::iota(order_.begin(), order_.end(), 0u);
	std::sort(order_.begin(), order_.end(),
		  [&](uint32_t a, uint32_t b) { return key_of(rows_[a]) < key_of(rows_[b]); });
}

uint32_t PictureKeys::find(uint64_t ctx, uint64_t seqno, uint64_t at) const
{
	const uint32_t low = static_cast<uint32_t>(seqno);
	auto is = [&](uint32_t row) {
		return rows_[row].ctx == ctx && static_cast<uint32_t>(rows_[row].seqno) == low;
	};
	const auto after = std::partition_point(order_.begin(), order_.end(), [&](uint32_t row) {
		return key_of(rows_[row]) <= Key(ctx, low, at);
	});

	if (after != order_.begin() && is(*(after - 1)))
		return *(after - 1);
	// The times of the job may be a little later, or unknown.
	if (after != order_.end() && is(*after))
		return *after;
	return UINT32_MAX;
}

} // namespace grtrace
