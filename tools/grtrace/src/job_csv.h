// SPDX-License-Identifier: GPL-2.0
//
// JobCsv: jobs as lines for other programs.
#pragma once

#include <fmt/format.h>

#include "job.h"
#include "job_label.h"
#include "session.h"

namespace grtrace {

// Times are ns of the session's clock, durations ns, NA what no record told.
// weight: the jobs this one stands for, where they were sampled; slow: how the
// kernel marked it.
// A text with a comma or a quote is quoted (RFC 4180).
class JobCsv {
public:
	static void print_header(fmt::memory_buffer &out);
	static void print(fmt::memory_buffer &out, const Job &job,
			  JobLabel label, Session &session);
};

} // namespace grtrace
