// SPDX-License-Identifier: GPL-2.0
#include "words/rows/flag_names.h"

#include <drm/grtrace_drm.h>

namespace grtrace {

const char *time_source_name(uint16_t flags)
{
	static const char *const names[] = {"software", "interrupt", "hardware", "inferred"};

	return names[flags & GRTRACE_TIME_MASK];
}

const char *where_name(uint16_t flags)
{
	switch (flags & GRTRACE_IN_MASK) {
	case GRTRACE_IN_TASK:
		return "task";
	case GRTRACE_IN_SOFTIRQ:
		return "softirq";
	case GRTRACE_IN_HARDIRQ:
		return "hardirq";
	}
	return nullptr;
}

} // namespace grtrace
