// SPDX-License-Identifier: GPL-2.0
#include "words/translate/record_filter.h"

#include "words/translate/ring_names.h"

#include <drm/grtrace_drm.h>

#include <algorithm>

namespace grtrace {

namespace {

// Fences and waits may concern any ring.
constexpr uint64_t ringless =
	1ull << GRTRACE_SYNC_WAIT_ENTER | 1ull << GRTRACE_SYNC_WAIT_EXIT | 1ull << GRTRACE_FENCE;

bool has(const std::vector<std::string> &list, const std::string &name)
{
	return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

} // namespace

bool RecordFilter::wants(const TraceRing &ring) const
{
	return engines >> ring.engine_class & 1 && has(devices, ring.device) &&
	       has(rings, ring.name);
}

bool RecordFilter::passes(uint16_t type, const TraceRing *ring) const
{
	if (!(types >> type & 1))
		return false;
	if (ring)
		return ring->wanted;
	return ringless >> type & 1 || (devices.empty() && rings.empty() && engines & 1);
}

} // namespace grtrace
