// SPDX-License-Identifier: GPL-2.0
#include "words/findings/cause.h"

namespace grtrace {

const char *cause_word(CauseKind kind)
{
	static constexpr const char *words[nr_cause_kinds] = {
		"hang",        "own_queue", "other_process", "unknown_process", "dependency",
		"host",        "scheduler", "driver",        "hardware",        "completion",
		"late_submit", "late_wake", "reset",         "fence",           "loss",
		"unknown",     "forgotten", "not_over",
	};

	return words[static_cast<size_t>(kind)];
}

} // namespace grtrace
