// SPDX-License-Identifier: GPL-2.0
#include "words/data/spans.h"

#include <algorithm>

namespace grtrace {

void LossSpans::add(uint64_t from, uint64_t to)
{
	Span span = {std::min(from, to), std::max(from, to)};
	auto first = std::partition_point(spans_.begin(), spans_.end(),
					  [&](const Span &other) { return other.to < span.from; });
	auto last = first;

	for (; last != spans_.end() && last->from <= span.to; ++last) {
		span.from = std::min(span.from, last->from);
		span.to = std::max(span.to, last->to);
	}
	if (first != last) {
		*first = span;
		spans_.erase(first + 1, last);
	} else {
		spans_.insert(first, span);
	}
	if (spans_.size() > limit)
		coarsen();
}

void LossSpans::coarsen()
{
	size_t kept = 0;

	for (size_t i = 0; i < spans_.size(); i += 2, kept++) {
		size_t last = std::min(i + 1, spans_.size() - 1);

		spans_[kept] = {spans_[i].from, spans_[last].to};
	}
	spans_.resize(kept);
}

bool LossSpans::touch(uint64_t from, uint64_t to) const
{
	auto first = std::partition_point(spans_.begin(), spans_.end(),
					  [&](const Span &span) { return span.to < from; });

	return first != spans_.end() && first->from <= to;
}

} // namespace grtrace
