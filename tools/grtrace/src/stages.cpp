// SPDX-License-Identifier: GPL-2.0
#include "stages.h"

#include <iterator>

#include "duration.h"

namespace grtrace {

const char *Stages::name(Stage stage)
{
	static const char *const names[nr_stages] = {"Q2I", "I2D", "D2B",
						     "B2E", "E2C", "Q2C",
						     "C2W"};

	return names[stage];
}

void Stages::add(const Job &job)
{
	auto add = [&](Stage stage, uint64_t from, uint64_t to) {
		uint64_t duration = Job::between(from, to);

		if (duration != Job::none)
			stages_[stage].add(duration, job.weight);
	};

	add(q2i, job.submit_ts, job.pick_ts);
	add(i2d, job.pick_ts, job.commit_ts);
	// Where COMMIT is not told, PICK is the last the CPU did.
	add(d2b, job.commit_ts != Job::none ? job.commit_ts : job.pick_ts,
	    job.start_ts);
	add(b2e, job.start_ts, job.end_ts);
	add(e2c, job.end_ts, job.complete_ts);
	add(q2c, job.submit_ts, job.complete_ts);
}

void Stages::add_wake(uint64_t duration, uint64_t weight)
{
	if (duration != Job::none)
		stages_[c2w].add(duration, weight);
}

void Stages::print(fmt::memory_buffer &out, const std::string &title,
		   bool touched) const
{
	auto it = std::back_inserter(out);
	const char *mark = touched ? " *" : "";

	fmt::format_to(it,
		       "\n{}\n{:<5}{:>11} {:>11} {:>11} {:>9} {:>11} {:>11} "
		       "{:>11} {:>11}\n",
		       title, "ALL", "MIN", "AVG", "MAX", "N", "p50", "p90",
		       "p99", "p99.9");
	for (size_t i = 0; i < nr_stages; i++) {
		const Histogram &stage = stages_[i];

		if (!stage.count()) {
			fmt::format_to(it, "{:<5}{:>11} {:>11} {:>11} {:>9}{}\n",
				       name(Stage(i)), "NA", "NA", "NA", 0,
				       mark);
			continue;
		}
		fmt::format_to(it, "{:<5}{} {} {} {:>9} {} {} {} {}{}\n",
			       name(Stage(i)), duration_text(stage.min()),
			       duration_text(stage.average()),
			       duration_text(stage.max()), stage.count(),
			       duration_text(stage.percentile(500)),
			       duration_text(stage.percentile(900)),
			       duration_text(stage.percentile(990)),
			       duration_text(stage.percentile(999)), mark);
	}
}

} // namespace grtrace
